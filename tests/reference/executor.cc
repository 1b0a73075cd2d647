#include "tests/reference/executor.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/node_context.h"
#include "tests/reference/contents.h"
#include "tests/reference/kernels.h"
#include "tests/reference/run.h"

namespace memplan::reference {

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

absl::StatusOr<Outputs> Execute(const ModelGraph& model, const Layout& layout,
                                uint64_t seed) {
  return Run(model, layout, seed).Execute();
}

}  // namespace memplan::reference
