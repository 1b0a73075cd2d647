#ifndef MEMPLAN_PLANNER_PRINTABLE_H_
#define MEMPLAN_PLANNER_PRINTABLE_H_

#include <string>
#include <string_view>

namespace memplan {

// A name as people may see it: one line that does nothing to a terminal. What
// is no UTF-8, control characters, and characters that turn the direction of
// text or end a line become \n, \x1b, \u202e. A name without any stays.
std::string Printable(std::string_view name);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_PRINTABLE_H_
