#ifndef MEMPLAN_PLANNER_NEAREST_NAME_H_
#define MEMPLAN_PLANNER_NEAREST_NAME_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

// The name among `names` that the user most likely meant by `wrong`: the one
// with the fewest edits (Levenshtein, case counts half), the first of equals.
// Unset where none is closer than a third of its letters, or there is none.
// Names past 200 bytes are compared by their first 200.
std::optional<std::string> NearestName(std::string_view wrong,
                                       const std::vector<std::string>& names);

// What a message about an unknown name ends in: "; did you mean 'batch'?", else
// "; there are: 'a', 'b'" (at most 8 of them), else "; there are none".
std::string NameHint(std::string_view wrong,
                     const std::vector<std::string>& names);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_NEAREST_NAME_H_
