// Nodes with bodies: If, Loop, Scan.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "onnx_frontend/node_context.h"
#include "tests/reference/kernels.h"
#include "tests/reference/run.h"

namespace memplan::reference {
namespace {

// `part` is the row `index` of `whole` along `axis`: copies it out or in.
void CopyRow(const Tensor& whole, const Tensor& part, size_t axis,
             int64_t index, bool into_whole) {
  if (part.size() == 0) return;
  Index place = FirstIndex(part.shape);
  int64_t i = 0;
  do {
    Index in_whole = place;
    in_whole.insert(in_whole.begin() + static_cast<ptrdiff_t>(axis), index);
    const int64_t offset = whole.Offset(in_whole);
    if (into_whole) {
      whole.Set(offset, part.Get(i++));
    } else {
      part.Set(i++, whole.Get(offset));
    }
  } while (NextIndex(part.shape, place));
}

}  // namespace

// Poisons what a body could write now.
void Run::Advance(int64_t step) {
  memory_.Advance(step);
  for (const ValueIndex v : unwritten_) memory_.Poison(v);
}

void Run::BeginOutputs(const ModelNode& node) {
  for (const auto& output : node.outputs) {
    if (!output.has_value()) continue;
    memory_.Poison(*output);
    unwritten_.push_back(*output);
  }
}

void Run::Written(const std::optional<ValueIndex>& output) {
  if (output.has_value()) std::erase(unwritten_, *output);
}

void Run::CopyResult(ValueIndex from, const std::optional<ValueIndex>& to) {
  if (!to.has_value()) return;
  const Tensor source = TensorOf(from);
  const Tensor target = TensorOf(*to);
  if (source.shape != target.shape) {
    return Fail(absl::UnimplementedError("results of several shapes"));
  }
  CopyElements(source, target);
  Written(to);
}

// What one iteration returns is what the next one receives. Only what was
// received itself may be overwritten on the way, so it is put aside.
void Run::CarryOn(const std::vector<ValueIndex>& from,
                  const std::vector<ValueIndex>& to) {
  std::map<size_t, Bytes> put_aside;
  for (size_t i = 0; i < from.size(); ++i) {
    if (std::find(to.begin(), to.end(), from[i]) != to.end()) {
      put_aside[i] = BytesOf(TensorOf(from[i]));
    }
  }
  for (size_t i = 0; i < from.size(); ++i) {
    if (!put_aside.contains(i))
      CopyElements(TensorOf(from[i]), TensorOf(to[i]));
  }
  for (const auto& [i, bytes] : put_aside) {
    std::copy(bytes.begin(), bytes.end(), TensorOf(to[i]).bytes);
  }
}

void Run::RunIf(NodeIndex n) {
  const ModelNode& node = model_.nodes[static_cast<size_t>(n)];
  const bool condition = TensorOf(node.inputs[0]).Get(0) != 0;
  BeginOutputs(node);
  for (const BodyIndex b : node.bodies) {
    if ((body(b).attribute == "then_branch") != condition) continue;
    Advance(BodySteps(b).begin);
    RunBody(b);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      CopyResult(body(b).outputs[i], node.outputs[i]);
    }
  }
}

// Inputs: trip count, condition, states. The body takes the counter, the
// condition and the states, and returns the condition, the states, and a row
// of each scan output.
void Run::RunLoop(NodeIndex n) {
  const ModelNode& node = model_.nodes[static_cast<size_t>(n)];
  const BodyIndex b = node.bodies[0];
  const std::vector<ValueIndex>& in = body(b).inputs;
  const std::vector<ValueIndex>& out = body(b).outputs;
  const Tensor limit = TensorOf(node.inputs[0]);
  const Tensor start = TensorOf(node.inputs[1]);
  const auto trips = limit.present() ? static_cast<int64_t>(limit.Get(0)) : 100;
  const size_t states = node.inputs.size() - 2;
  BeginOutputs(node);
  const bool enters = trips > 0 && (!start.present() || start.Get(0) != 0);
  if (enters) {
    Advance(BodySteps(b).begin);
    TensorOf(in[1]).Set(0, 1);
    for (size_t i = 0; i < states; ++i) {
      CopyElements(TensorOf(node.inputs[i + 2]), TensorOf(in[i + 2]));
    }
  } else {
    for (size_t i = 0; i < states; ++i) {
      CopyResult(*node.inputs[i + 2], node.outputs[i]);
    }
  }
  for (int64_t trip = 0; enters && trip < trips; ++trip) {
    if (trip > 0) memory_.Rewind(BodySteps(b), in);
    TensorOf(in[0]).Set(0, static_cast<double>(trip));
    RunBody(b);
    if (!status_.ok()) return;
    for (size_t i = 0; i < states; ++i) {
      CopyResult(out[i + 1], node.outputs[i]);
    }
    for (size_t i = states; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].has_value()) continue;
      const Tensor whole = TensorOf(node.outputs[i]);
      if (whole.shape[0] <= trip) {
        return Fail(absl::UnimplementedError("more trips than rows"));
      }
      CopyRow(whole, TensorOf(out[i + 1]), 0, trip, /*into_whole=*/true);
      Written(node.outputs[i]);
    }
    CarryOn({out.begin(), out.begin() + static_cast<ptrdiff_t>(states) + 1},
            {in.begin() + 1, in.end()});
    if (TensorOf(in[1]).Get(0) == 0) break;
  }
  for (const auto& output : node.outputs) Written(output);
}

// Inputs: states, then what is scanned. The body takes the states and a row of
// each, and returns the states and a row of each scan output.
void Run::RunScan(NodeIndex n) {
  const ModelNode& node = model_.nodes[static_cast<size_t>(n)];
  const NodeContext context(const_cast<ModelGraph&>(model_), n);
  const BodyIndex b = node.bodies[0];
  const std::vector<ValueIndex>& in = body(b).inputs;
  const std::vector<ValueIndex>& out = body(b).outputs;
  const auto scans = static_cast<size_t>(context.Int("num_scan_inputs", 1));
  const size_t states = node.inputs.size() - scans;
  const Index zeros(std::max(scans, node.outputs.size()), 0);
  const Index in_axes = context.Ints("scan_input_axes").value_or(zeros);
  const Index in_turned = context.Ints("scan_input_directions").value_or(zeros);
  const Index out_axes = context.Ints("scan_output_axes").value_or(zeros);
  const Index out_turned =
      context.Ints("scan_output_directions").value_or(zeros);
  const Tensor first = TensorOf(node.inputs[states]);
  const int64_t trips = first.shape[Axis(in_axes[0], first.rank())];
  BeginOutputs(node);
  if (trips == 0) {
    for (size_t i = 0; i < states; ++i) {
      CopyResult(*node.inputs[i], node.outputs[i]);
    }
  }
  for (int64_t trip = 0; trip < trips; ++trip) {
    if (trip == 0) {
      Advance(BodySteps(b).begin);
      for (size_t i = 0; i < states; ++i) {
        CopyElements(TensorOf(node.inputs[i]), TensorOf(in[i]));
      }
    } else {
      memory_.Rewind(BodySteps(b), in);
    }
    for (size_t i = 0; i < scans; ++i) {
      const Tensor whole = TensorOf(node.inputs[states + i]);
      const int64_t row = in_turned[i] != 0 ? trips - 1 - trip : trip;
      CopyRow(whole, TensorOf(in[states + i]), Axis(in_axes[i], whole.rank()),
              row, /*into_whole=*/false);
    }
    RunBody(b);
    if (!status_.ok()) return;
    for (size_t i = 0; i < states; ++i) CopyResult(out[i], node.outputs[i]);
    for (size_t i = states; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].has_value()) continue;
      const Tensor whole = TensorOf(node.outputs[i]);
      const size_t axis = Axis(out_axes[i - states], whole.rank());
      const int64_t row = out_turned[i - states] != 0 ? trips - 1 - trip : trip;
      CopyRow(whole, TensorOf(out[i]), axis, row, /*into_whole=*/true);
      Written(node.outputs[i]);
    }
    CarryOn({out.begin(), out.begin() + static_cast<ptrdiff_t>(states)},
            {in.begin(), in.begin() + static_cast<ptrdiff_t>(states)});
  }
  for (const auto& output : node.outputs) Written(output);
}

}  // namespace memplan::reference
