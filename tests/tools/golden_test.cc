// What the command prints, whole: a change of it is to be seen in a diff. After
// an intended one, MEMPLAN_UPDATE_GOLDEN=1 writes the files anew.
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/test_paths.h"
#include "tests/tools/run_program.h"

namespace memplan {
namespace {

void ExpectGolden(const std::string& name,
                  const std::vector<std::string>& arguments) {
  const ProgramResult result = RunMemplan(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string path = SourceDir() + "/tests/golden/" + name;
  if (std::getenv("MEMPLAN_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << result.out;
    return;
  }
  EXPECT_EQ(result.out, FileContent(path));
}

TEST(Golden, PlanForPeople) {
  ExpectGolden("chain.plan.txt", {"plan", ExampleModel("chain.onnxtxt")});
  ExpectGolden("loop.plan.txt", {"plan", ExampleModel("loop.onnxtxt")});
}

TEST(Golden, PlanWithoutADimension) {
  ExpectGolden("symbolic_batch.plan.txt",
               {"plan", ExampleModel("symbolic_batch.onnxtxt")});
}

TEST(Golden, PlanAsJson) {
  ExpectGolden("if_capture.json",
               {"plan", ExampleModel("if_capture.onnxtxt"), "--json", "-"});
}

TEST(Golden, PlanAsCsv) {
  ExpectGolden("view_chain.csv",
               {"plan", ExampleModel("view_chain.onnxtxt"), "--csv", "-"});
}

TEST(Golden, ExportAsCHeader) {
  ExpectGolden("chain_header.txt", {"export", ExampleModel("chain.onnxtxt")});
}

}  // namespace
}  // namespace memplan
