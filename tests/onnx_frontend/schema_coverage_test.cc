// Every operator that the linked library has a schema for, at every version of
// it, must have a rule of ours: an old rule of the library's, applied to a
// newer opset, would be a wrong shape without a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx/defs/schema.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {
namespace {

using ::testing::IsEmpty;

// infer_control_flow.cc does these.
bool HasBodies(const std::string& op) {
  const std::set<std::string> kOps = {"If", "Loop", "Scan", "SequenceMap"};
  return kOps.count(op) > 0;
}

TEST(SchemaCoverage, EachVersionOfEachSchemaHasARule) {
  std::vector<std::string> without;
  int schemas = 0;
  for (const onnx::OpSchema& schema :
       onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    ++schemas;
    if (schema.domain().empty() && HasBodies(schema.Name())) continue;
    if (FindRule(schema.domain(), schema.Name(), schema.since_version()) ==
        nullptr) {
      without.push_back(absl::StrCat(schema.domain(), ".", schema.Name(), "-",
                                     schema.since_version()));
    }
  }
  EXPECT_GT(schemas, 400);
  EXPECT_THAT(without, IsEmpty());
}

}  // namespace
}  // namespace memplan
