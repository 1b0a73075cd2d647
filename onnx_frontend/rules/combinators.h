#ifndef MEMPLAN_ONNX_FRONTEND_RULES_COMBINATORS_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_COMBINATORS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// The blocks that shape rules are built from. Those with the signature of a
// ShapeRule stand in tables as they are.

// What two descriptions of one dimension say together: a number before a
// symbol, a symbol before an unknown, and of two symbols the first. Unset where
// two numbers contradict.
std::optional<Dim> MergeDims(const Dim& a, const Dim& b);

// Two dimensions under multidirectional broadcasting (Broadcasting.md). A
// number other than 1 wins over whatever is not known; of symbols that are not
// the same either may be 1, which makes it the larger one (unless it is 0, and
// that is smaller). Unset where two numbers contradict.
std::optional<Dim> BroadcastDims(const Dim& a, const Dim& b);

// The broadcast of some inputs' shapes; absent inputs do not count. Unset where
// the rank of one is unknown.
absl::StatusOr<std::optional<Shape>> BroadcastInputs(
    const NodeContext& node, const std::vector<size_t>& inputs);
absl::StatusOr<std::optional<Shape>> BroadcastAllInputs(
    const NodeContext& node);
// The same of shapes.
absl::StatusOr<Shape> BroadcastShapes(const NodeContext& node, const Shape& a,
                                      const Shape& b);

// All inputs have one shape: what they say of it together. Unset where none has
// a rank.
absl::StatusOr<std::optional<Shape>> MergeInputs(
    const NodeContext& node, const std::vector<size_t>& inputs);

// Merges what is known of one dimension into `dim`; an error names both where
// they contradict.
absl::Status MergeDim(const NodeContext& node, std::string_view what,
                      const Dim& other, Dim& dim);

// `axis` counted from the front: in [0, rank). An error outside [-rank, rank).
absl::StatusOr<size_t> ResolveAxis(const NodeContext& node, int64_t axis,
                                   size_t rank);
// The same of several, in their order; an error where one is given twice.
absl::StatusOr<std::vector<size_t>> ResolveAxes(
    const NodeContext& node, const std::vector<int64_t>& axes, size_t rank);

// The axes as marks on a shape of `rank` dimensions; one may be given twice.
absl::StatusOr<std::vector<bool>> MarkAxes(const NodeContext& node,
                                           const std::vector<int64_t>& axes,
                                           size_t rank);

// 0 .. count - 1: the axes where an operator names none.
std::vector<int64_t> FirstAxes(size_t count);

Shape UnknownShape(size_t rank);

// Whether a >= b wherever a run can take them. A dimension that the model
// leaves open counts as 1 at least; one that only a run can tell as its range
// says.
bool SurelyAtLeast(const NodeContext& node, const Dim& a, const Dim& b);
// The smaller and the larger one, by formula only where it is not sure.
Dim SmallerOf(const NodeContext& node, const Dim& a, const Dim& b);
Dim LargerOf(const NodeContext& node, const Dim& a, const Dim& b);

// The number of elements of a vector input; unset where it is not known.
std::optional<int64_t> VectorLength(const NodeContext& node, size_t input);

// The first number of an input's content, say of a scalar.
std::optional<int64_t> ScalarOf(const NodeContext& node, size_t input);
// Its first element, maybe symbolic; unknown where nothing is known, or it is
// no whole number.
Dim ScalarDim(const NodeContext& node, size_t input);
// A vector input's elements as dimensions. Where its content is unknown but its
// length is not: as many unknowns. Unset where not even that is known.
std::optional<std::vector<Dim>> DimsOf(const NodeContext& node, size_t input);

// The element type of the first of these inputs that has one.
ElementType FirstElement(const NodeContext& node,
                         std::initializer_list<size_t> inputs);

// The element type that attribute `name` names by number; `otherwise` where it
// is absent or 0.
ElementType ElementAttribute(const NodeContext& node, std::string_view name,
                             ElementType otherwise);

// Output `output` has a shape that nobody can tell before the contents of
// `input` are known: says so as the reason.
void DependsOnContents(NodeContext& node, size_t output, size_t input);

// A computed shape without a negative number; `what` names it in the error.
absl::Status CheckNotNegative(const NodeContext& node, const Shape& shape);

// Rules.

// Output 0 has the type of input 0 (sequences and optionals, too).
absl::Status SameAsInput(NodeContext& node);
// Output 0 has the element type of input 0, and a shape that is not known.
absl::Status SameElement(NodeContext& node);
// Output 0 has the element type of input 0, and the broadcast of all inputs'
// shapes.
absl::Status Broadcast(NodeContext& node);
// The same with booleans as output.
absl::Status BroadcastToBool(NodeContext& node);
// The shape of input 0, with booleans as output.
absl::Status SameShapeBool(NodeContext& node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_COMBINATORS_H_
