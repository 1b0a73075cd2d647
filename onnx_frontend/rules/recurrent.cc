// RNN, GRU, LSTM.

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// Inputs: X [seq, batch, input], W, R [directions, gates * hidden, hidden].
// Outputs: Y [seq, directions, batch, hidden], Y_h and (LSTM) Y_c [directions,
// batch, hidden]. With layout 1 (from opset 14 on) the batch stands first:
// X [batch, seq, input], Y [batch, seq, directions, hidden], Y_h [batch,
// directions, hidden].
absl::Status Recurrent(NodeContext& node) {
  const Shape* input = node.shape(0);
  const Shape* recurrence = node.shape(2);
  if (input != nullptr && input->size() != 3) {
    return node.Error(absl::StrCat("an input of shape ", ToString(*input),
                                   "; it wants 3 dimensions"));
  }
  const bool batch_first = node.Int("layout", 0) != 0;
  const Dim directions =
      node.String("direction", "forward") == "bidirectional" ? 2 : 1;
  Dim hidden;
  if (node.HasAttribute("hidden_size")) {
    hidden = node.Int("hidden_size", 0);
  } else if (recurrence != nullptr && recurrence->size() == 3) {
    hidden = recurrence->back();
  }
  Dim sequence;
  Dim batch;
  if (input != nullptr) {
    sequence = (*input)[batch_first ? 1 : 0];
    batch = (*input)[batch_first ? 0 : 1];
  }
  const ElementType element = FirstElement(node, {0, 1, 2});
  Shape all = {sequence, directions, batch, hidden};
  Shape last = {directions, batch, hidden};
  if (batch_first) {
    all = {batch, sequence, directions, hidden};
    last = {batch, directions, hidden};
  }
  node.SetTensor(0, element, std::move(all));
  node.SetTensor(1, element, last);
  node.SetTensor(2, element, std::move(last));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "GRU", 1, Recurrent, "Operators.md#GRU"},
    {"", "LSTM", 1, Recurrent, "Operators.md#LSTM"},
    {"", "RNN", 1, Recurrent, "Operators.md#RNN"},
};

}  // namespace

absl::Span<const RuleRow> RecurrentRules() { return kRows; }

}  // namespace memplan
