// Einsum: "ij,jk->ik", "...ij,...jk" and the like.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// One operand's (or the result's) subscripts: letters, and where among them the
// ellipsis stands.
struct Subscripts {
  std::string letters;
  std::optional<size_t> ellipsis;
};

// What the letters and the ellipsis stand for.
struct Bindings {
  std::map<char, Dim> letters;
  std::map<char, int> counts;
  Shape ellipsis;
  bool has_ellipsis = false;
};

std::optional<Subscripts> ParseSubscripts(std::string_view text) {
  Subscripts result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (text.substr(i, 3) != "..." || result.ellipsis.has_value()) {
        return std::nullopt;
      }
      result.ellipsis = result.letters.size();
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      result.letters.push_back(c);
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// A letter means one size everywhere; runtimes let 1 broadcast, too.
absl::Status BindLetter(const NodeContext& node, char letter, const Dim& dim,
                        Bindings& bindings) {
  ++bindings.counts[letter];
  const auto [found, is_new] = bindings.letters.try_emplace(letter, dim);
  if (is_new || dim.Equals(1)) return absl::OkStatus();
  if (found->second.Equals(1)) {
    found->second = dim;
    return absl::OkStatus();
  }
  return MergeDim(node, absl::StrCat("'", std::string(1, letter), "'"), dim,
                  found->second);
}

absl::Status BindOperand(const NodeContext& node, const Subscripts& subscripts,
                         const Shape& shape, Bindings& bindings) {
  const size_t letters = subscripts.letters.size();
  const bool fits = subscripts.ellipsis.has_value() ? shape.size() >= letters
                                                    : shape.size() == letters;
  if (!fits) {
    return node.Error(absl::StrCat("subscripts '", subscripts.letters,
                                   "' for an input of shape ",
                                   ToString(shape)));
  }
  const size_t before = subscripts.ellipsis.value_or(letters);
  const size_t skipped = shape.size() - letters;
  for (size_t i = 0; i < letters; ++i) {
    const Dim& dim = shape[i < before ? i : i + skipped];
    const absl::Status status =
        BindLetter(node, subscripts.letters[i], dim, bindings);
    if (!status.ok()) return status;
  }
  if (!subscripts.ellipsis.has_value()) return absl::OkStatus();
  bindings.has_ellipsis = true;
  const auto first = shape.begin() + static_cast<std::ptrdiff_t>(before);
  absl::StatusOr<Shape> both = BroadcastShapes(
      node, bindings.ellipsis,
      Shape(first, first + static_cast<std::ptrdiff_t>(skipped)));
  if (!both.ok()) return both.status();
  bindings.ellipsis = *std::move(both);
  return absl::OkStatus();
}

// Without an arrow: the ellipsis, then the letters that occur once, in the
// alphabet's order.
Subscripts ImplicitResult(const Bindings& bindings) {
  Subscripts result;
  if (bindings.has_ellipsis) result.ellipsis = 0;
  for (const auto& [letter, count] : bindings.counts) {
    if (count == 1) result.letters.push_back(letter);
  }
  return result;
}

Shape ShapeOf(const Subscripts& subscripts, const Bindings& bindings) {
  Shape shape;
  for (size_t i = 0; i <= subscripts.letters.size(); ++i) {
    if (subscripts.ellipsis == i) {
      shape.insert(shape.end(), bindings.ellipsis.begin(),
                   bindings.ellipsis.end());
    }
    if (i == subscripts.letters.size()) break;
    const auto found = bindings.letters.find(subscripts.letters[i]);
    shape.push_back(found == bindings.letters.end() ? Dim::Unknown()
                                                    : found->second);
  }
  return shape;
}

absl::Status Einsum(NodeContext& node) {
  const std::string equation = node.String("equation", "");
  const size_t arrow = equation.find("->");
  const std::vector<std::string> operands =
      absl::StrSplit(equation.substr(0, arrow), ',');
  const ElementType element = FirstElement(node, {0, 1, 2});
  if (operands.size() != node.num_inputs()) {
    return node.Error(absl::StrCat("'", equation, "' has ", operands.size(),
                                   " operands for ", node.num_inputs(),
                                   " inputs"));
  }
  Bindings bindings;
  bool complete = true;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::optional<Subscripts> subscripts = ParseSubscripts(operands[i]);
    if (!subscripts.has_value()) {
      return node.Error(absl::StrCat("'", equation, "' is no equation"));
    }
    const Shape* shape = node.shape(i);
    if (shape == nullptr) {
      complete = complete && !subscripts->ellipsis.has_value();
      for (const char letter : subscripts->letters) {
        const absl::Status status =
            BindLetter(node, letter, Dim::Unknown(), bindings);
        if (!status.ok()) return status;
      }
      continue;
    }
    const absl::Status status =
        BindOperand(node, *subscripts, *shape, bindings);
    if (!status.ok()) return status;
  }
  std::optional<Subscripts> result = ImplicitResult(bindings);
  if (arrow != std::string::npos) {
    result = ParseSubscripts(equation.substr(arrow + 2));
  }
  if (!result.has_value()) {
    return node.Error(absl::StrCat("'", equation, "' is no equation"));
  }
  std::optional<Shape> shape;
  if (complete || !result->ellipsis.has_value()) {
    shape = ShapeOf(*result, bindings);
  }
  node.SetTensor(0, element, std::move(shape));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Einsum", 12, Einsum, "Operators.md#Einsum"},
};

}  // namespace

absl::Span<const RuleRow> EinsumRules() { return kRows; }

}  // namespace memplan
