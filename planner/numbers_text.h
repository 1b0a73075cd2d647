#ifndef MEMPLAN_PLANNER_NUMBERS_TEXT_H_
#define MEMPLAN_PLANNER_NUMBERS_TEXT_H_

#include <cstdint>
#include <string>

namespace memplan {

// "5,619,712".
std::string Grouped(int64_t number);

// "5.36 MiB", "768 B": three digits that matter.
std::string HumanBytes(int64_t bytes);

// "1 tensor", "2,048 tensors".
std::string Counted(int64_t count, const std::string& noun);

// How many times `base` (> 0) the number is: "1.43".
std::string Times(int64_t number, int64_t base);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_NUMBERS_TEXT_H_
