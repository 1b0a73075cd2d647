#ifndef MEMPLAN_TESTS_CORPUS_COMPARE_H_
#define MEMPLAN_TESTS_CORPUS_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "tests/corpus/truth.h"

namespace memplan {

// How a plan stands to the truth, value by value.
struct Comparison {
  int64_t equal = 0;    // type, shape and bytes
  int64_t bounded = 0;  // the plan says "at most", and the truth keeps it
  std::vector<std::string> different;  // a line each, for people
  std::vector<std::string> missing;    // likewise, with the reason
};

Comparison CompareWithTruth(const Plan& plan, const TruthRow& row);

}  // namespace memplan

#endif  // MEMPLAN_TESTS_CORPUS_COMPARE_H_
