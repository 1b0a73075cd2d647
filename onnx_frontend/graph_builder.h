#ifndef MEMPLAN_ONNX_FRONTEND_GRAPH_BUILDER_H_
#define MEMPLAN_ONNX_FRONTEND_GRAPH_BUILDER_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/expansion.h"
#include "onnx_frontend/model_graph.h"

// The workings of BuildGraph, for its own files alone.
namespace memplan {

// protobuf reads no more than a hundred nested messages, four a level of body;
// functions may call functions, but nobody needs this many.
constexpr int kMaxDepth = 64;
// Functions that call functions twice double at each level; no real model comes
// near.
constexpr int64_t kMaxInlinedNodes = 1'000'000;

// Where slots of nodes begin that are added behind those of any file.
constexpr int64_t kBehindTheFile = int64_t{1} << 40;

using NodeProtos = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// What a name stands for: a value, or, for a function's input that the caller
// leaves out, nothing.
using Binding = std::optional<ValueIndex>;
using Names = absl::flat_hash_map<std::string, Binding>;
using AttributeMap =
    absl::flat_hash_map<std::string, const onnx::AttributeProto*>;
using Opsets = absl::flat_hash_map<std::string, int64_t>;

// Where names are looked up: a graph's own, then those of the graphs around it.
// Inside a function the chain ends at the function.
struct Environment {
  const Environment* parent = nullptr;
  Names names;
  // A function's outputs that no node has produced yet: the caller's values (or
  // nothing).
  Names formal_outputs;
};

// What holds inside one function call, or in the model outside of any.
struct Call {
  const Opsets* opsets = nullptr;
  const AttributeMap* attributes =
      nullptr;  // of the call; null outside of functions
};

// The place that new values and nodes go to.
struct Place {
  BodyIndex body = 0;
  std::string scope;
  int depth = 0;
  // Inside a function: where its outermost call stands in the body's graph.
  std::optional<int64_t> call;
};

// "" for ai.onnx.
std::string NormalizedDomain(const std::string& domain);
Opsets OpsetsOf(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>&
        imports);
std::string FunctionKey(const std::string& domain, const std::string& name,
                        const std::string& overload);
// "outer/inner".
std::string JoinScopes(const std::string& scope, const std::string& part);
// What the name stands for, here or in an environment around; unset: nobody
// knows it.
std::optional<Binding> FindName(const Environment* names,
                                const std::string& name);
// For messages: " in '96.then_branch'", "" in the main graph.
std::string InScope(const std::string& scope);

class GraphBuilder {
 public:
  // `expansions` may be null.
  GraphBuilder(const onnx::ModelProto& model, HasRule has_rule,
               const Expansions* expansions)
      : model_(model),
        has_rule_(std::move(has_rule)),
        expansions_(expansions) {}

  absl::StatusOr<ModelGraph> Build();

 private:
  absl::Status AddGraph(const onnx::GraphProto& proto, const Place& place,
                        const Environment* parent, const Call& call);
  absl::Status DefineInputs(const onnx::GraphProto& proto, const Place& place,
                            Environment& names);
  absl::Status DefineInitializers(const onnx::GraphProto& proto,
                                  const Place& place, Environment& names);
  void Declare(const onnx::ValueInfoProto& info, const Environment& names);
  absl::Status ResolveOutputs(const onnx::GraphProto& proto, const Place& place,
                              const Environment& names);

  absl::Status AddNodes(const NodeProtos& nodes, const Place& place,
                        Environment& names, const Call& call);
  absl::Status DefineOutputs(const onnx::NodeProto& proto, int64_t file_index,
                             const Place& place, const Call& call,
                             Environment& names);
  bool IsInitializer(const Binding& binding);
  void SetConstant(const onnx::NodeProto& proto, const Call& call,
                   ModelValue& constant);
  absl::Status AddNode(const onnx::NodeProto& proto, int64_t file_index,
                       const Place& place, const Environment& names,
                       const Call& call);
  absl::Status ResolveInputs(const onnx::NodeProto& proto, int64_t file_index,
                             const Place& place, const Environment& names,
                             ModelNode& node) const;
  absl::Status Append(ModelNode node, const Place& place);
  absl::Status AddAttributes(const onnx::NodeProto& proto, const Place& place,
                             const Environment& names, const Call& call,
                             ModelNode& node);
  absl::StatusOr<BodyIndex> AddBody(const onnx::GraphProto& proto,
                                    const std::string& attribute,
                                    const Place& place,
                                    const Environment& names, const Call& call,
                                    int64_t file_index);
  absl::Status InlineFunction(const onnx::FunctionProto& function,
                              const std::vector<onnx::AttributeProto>& defaults,
                              const onnx::NodeProto& node, int64_t file_index,
                              const Place& place, const Environment& names,
                              const Call& call);
  absl::Status FinishOutputs(const onnx::FunctionProto& function,
                             const Environment& formal, const Place& place);

  const onnx::AttributeProto* Resolve(const onnx::AttributeProto& proto,
                                      const Call& call) const;
  const onnx::NodeProto* ProtoWithAttributes(const onnx::NodeProto& proto,
                                             const Call& call);
  ValueIndex AddValue(const std::string& name, const Place& place,
                      ValueKind kind);
  ModelValue& value(ValueIndex index) {
    return graph_.values[static_cast<size_t>(index)];
  }
  ModelBody& body(const Place& place) {
    return graph_.bodies[static_cast<size_t>(place.body)];
  }

  const onnx::ModelProto& model_;
  const HasRule has_rule_;
  const Expansions* expansions_;
  ModelGraph graph_;
  int64_t inlined_nodes_ = 0;  // calls, and nodes of what they call
  absl::flat_hash_map<std::string, const onnx::FunctionProto*> functions_;
  std::shared_ptr<std::deque<onnx::NodeProto>> owned_protos_ =
      std::make_shared<std::deque<onnx::NodeProto>>();
};

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_GRAPH_BUILDER_H_
