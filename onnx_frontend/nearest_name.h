#ifndef MEMPLAN_ONNX_FRONTEND_NEAREST_NAME_H_
#define MEMPLAN_ONNX_FRONTEND_NEAREST_NAME_H_

#include <string>
#include <string_view>
#include <vector>

namespace memplan {

// Of `names` the one that takes the fewest edits to get from `name`, the first among equals;
// "" where there is none. For "did you mean".
std::string NearestName(std::string_view name,
                        const std::vector<std::string>& names);

// "; did you mean 'batch'?", "" without a nearest name.
std::string DidYouMean(std::string_view name,
                       const std::vector<std::string>& names);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_NEAREST_NAME_H_
