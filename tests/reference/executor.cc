#include "tests/reference/executor.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/node_context.h"
#include "tests/reference/contents.h"
#include "tests/reference/kernels.h"
#include "tests/reference/memory.h"

namespace memplan::reference {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes BytesOf(const Tensor& tensor) {
  return Bytes(tensor.bytes, tensor.bytes + tensor.ByteSize());
}

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

class Run {
 public:
  Run(const ModelGraph& model, const Layout& layout, uint64_t seed)
      : model_(model), layout_(layout), seed_(seed), memory_(model, layout) {}

  absl::StatusOr<Outputs> Execute();

 private:
  const ModelBody& body(BodyIndex b) const {
    return model_.bodies[static_cast<size_t>(b)];
  }
  const Lifespan& BodySteps(BodyIndex b) const {
    return layout_.timeline.body_steps[static_cast<size_t>(b)];
  }
  Tensor TensorOf(ValueIndex v) { return memory_.TensorOf(v); }
  Tensor TensorOf(const std::optional<ValueIndex>& v) {
    return v.has_value() ? memory_.TensorOf(*v) : Tensor{};
  }

  absl::Status CheckShapes() const;
  absl::Status CheckSources();
  void RunBody(BodyIndex b);
  void RunNode(NodeIndex n);
  void RunKernel(NodeIndex n);
  void RunIf(NodeIndex n);
  void RunLoop(NodeIndex n);
  void RunScan(NodeIndex n);

  void Advance(int64_t step);
  void BeginOutputs(const ModelNode& node);
  void Written(const std::optional<ValueIndex>& output);
  void CopyResult(ValueIndex from, const std::optional<ValueIndex>& to);
  void CarryOn(const std::vector<ValueIndex>& from,
               const std::vector<ValueIndex>& to);
  void Fail(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }

  const ModelGraph& model_;
  const Layout& layout_;
  const uint64_t seed_;
  Memory memory_;
  std::map<ValueIndex, Bytes> sources_;  // inputs and initializers, at first
  // Outputs of nodes around that no body has written yet.
  std::vector<ValueIndex> unwritten_;
  absl::Status status_;
};

absl::Status Run::CheckShapes() const {
  for (const ModelValue& value : model_.values) {
    bool known = value.type.has_shape() && ElementBits(value.type.element) > 0;
    for (size_t i = 0; known && i < value.type.shape->size(); ++i) {
      known = (*value.type.shape)[i].is_number();
    }
    if (known) continue;
    return absl::UnimplementedError(absl::StrCat(
        "the shape of '", value.name, "' is not known: ", ToString(value.type),
        " ", value.unknown_reason));
  }
  return absl::OkStatus();
}

absl::Status Run::CheckSources() {
  for (const auto& [value, bytes] : sources_) {
    if (BytesOf(TensorOf(value)) == bytes) continue;
    return absl::DataLossError(
        absl::StrCat("'", model_.values[static_cast<size_t>(value)].name,
                     "' was overwritten"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Outputs> Run::Execute() {
  if (absl::Status s = CheckShapes(); !s.ok()) return s;
  memory_.Advance(0);
  for (size_t i = 0; i < model_.values.size(); ++i) {
    const ModelValue& value = model_.values[i];
    const auto v = static_cast<ValueIndex>(i);
    if (value.kind != ValueKind::kInitializer && !value.is_graph_input)
      continue;
    FillSource(value, seed_, TensorOf(v));
    if (!layout_.offset_of_root[i].has_value()) {
      sources_[v] = BytesOf(TensorOf(v));
    }
  }
  RunBody(0);
  if (!status_.ok()) return status_;
  Outputs outputs;
  for (const ValueIndex v : body(0).outputs) {
    outputs.push_back(BytesOf(memory_.CallersTensor(v)));
  }
  if (absl::Status s = CheckSources(); !s.ok()) return s;
  return outputs;
}

void Run::RunBody(BodyIndex b) {
  for (const NodeIndex n : layout_.schedule.orders[static_cast<size_t>(b)]) {
    RunNode(n);
    if (!status_.ok()) return;
  }
}

void Run::RunNode(NodeIndex n) {
  const Lifespan& steps = layout_.timeline.node_steps[static_cast<size_t>(n)];
  Advance(steps.begin);
  const std::string& op_type = model_.nodes[static_cast<size_t>(n)].op_type;
  if (op_type == "If") {
    RunIf(n);
  } else if (op_type == "Loop") {
    RunLoop(n);
  } else if (op_type == "Scan") {
    RunScan(n);
  } else {
    RunKernel(n);
  }
  Advance(steps.end - 1);
}

void Run::RunKernel(NodeIndex n) {
  const ModelNode& node = model_.nodes[static_cast<size_t>(n)];
  const KernelRow* kernel = FindKernel(node.op_type);
  if (kernel == nullptr) {
    return Fail(
        absl::UnimplementedError(absl::StrCat("no kernel for ", node.op_type)));
  }
  // The context is only read from.
  const NodeContext context(const_cast<ModelGraph&>(model_), n);
  KernelCall call{context, {}, {}};
  for (const auto& input : node.inputs) call.inputs.push_back(TensorOf(input));
  for (const auto& output : node.outputs) {
    if (output.has_value()) {
      const bool on_an_input = std::any_of(
          node.inputs.begin(), node.inputs.end(), [&](const auto& input) {
            return input.has_value() && memory_.SameRoot(*input, *output);
          });
      if (!on_an_input || !kernel->may_share) memory_.Poison(*output);
    }
    call.outputs.push_back(TensorOf(output));
  }
  kernel->kernel(call);
}

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

}  // namespace

absl::StatusOr<Outputs> Execute(const ModelGraph& model, const Layout& layout,
                                uint64_t seed) {
  return Run(model, layout, seed).Execute();
}

}  // namespace memplan::reference
