#include "onnx_frontend/reorder_bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/wire_walk.h"

namespace memplan {
namespace {

// Field numbers of onnx.proto.
constexpr uint32_t kModelGraph = 7;
constexpr uint32_t kGraphNode = 1;
constexpr uint32_t kNodeAttribute = 5;
constexpr uint32_t kAttributeName = 1;
constexpr uint32_t kAttributeGraph = 6;
constexpr uint32_t kAttributeGraphs = 11;

absl::Status InPieces(const WireField& field) {
  return absl::InvalidArgumentError(absl::StrCat(
      "byte ", field.begin,
      ": the graph is in several pieces, whose nodes cannot be put in another "
      "order; plan with --order file, or write the model anew first"));
}

// Sends the bytes out in their new sequence. Each function sends its message's
// bytes from `sent` on up to the end.
class Reorderer {
 public:
  Reorderer(std::string_view file, const FileOrders& orders)
      : file_(file), orders_(orders) {}

  absl::Status AddModel(const ByteRange& range) {
    int64_t sent = range.begin;
    for (const WireField& field :
         FieldsOf(range.begin, range.end, kModelGraph)) {
      if (std::exchange(has_graph_, true)) return InPieces(field);
      Send(sent, field.payload_begin);
      AddGraph(field, "");
      sent = field.end;
    }
    Send(sent, range.end);
    return status_;
  }

  std::vector<ByteRange> TakeRanges() { return std::move(ranges_); }

 private:
  void AddGraph(const WireField& graph, const std::string& scope) {
    const std::vector<WireField> nodes =
        FieldsOf(graph.payload_begin, graph.end, kGraphNode);
    const auto order = orders_.find(scope);
    if (order != orders_.end() && order->second.size() != nodes.size()) {
      Fail(absl::InvalidArgumentError(absl::StrCat(
          "byte ", graph.begin, ": a graph of ", nodes.size(), " nodes, not ",
          order->second.size(), "; did the file change?")));
      return;
    }
    int64_t sent = graph.payload_begin;
    for (size_t i = 0; i < nodes.size(); ++i) {
      Send(sent, nodes[i].begin);
      const size_t next =
          order == orders_.end() ? i : static_cast<size_t>(order->second[i]);
      AddNode(nodes[next],
              BodyScope(scope, static_cast<int64_t>(next), /*attribute=*/""));
      sent = nodes[i].end;
    }
    Send(sent, graph.end);
  }

  // `scope` is what the scopes of its bodies begin with.
  void AddNode(const WireField& node, const std::string& scope) {
    int64_t sent = node.begin;
    const auto first = orders_.lower_bound(scope);
    if (first != orders_.end() && absl::StartsWith(first->first, scope)) {
      for (const WireField& attribute :
           FieldsOf(node.payload_begin, node.end, kNodeAttribute)) {
        Send(sent, attribute.payload_begin);
        AddAttribute(attribute, scope);
        sent = attribute.end;
      }
    }
    Send(sent, node.end);
  }

  void AddAttribute(const WireField& attribute, const std::string& scope) {
    std::string name = scope;
    for (const WireField& field :
         FieldsOf(attribute.payload_begin, attribute.end, kAttributeName)) {
      name = absl::StrCat(scope, std::string(Payload(file_, field)));
    }
    int64_t sent = attribute.payload_begin;
    bool has_body = false;
    int bodies = 0;
    WireWalk walk(file_, attribute.payload_begin, attribute.end);
    for (WireField field; walk.Next(field);) {
      if (field.type != WireType::kBytes) continue;
      const bool is_body = field.number == kAttributeGraph;
      if (!is_body && field.number != kAttributeGraphs) continue;
      if (is_body && std::exchange(has_body, true)) Fail(InPieces(field));
      Send(sent, field.payload_begin);
      AddGraph(field, is_body ? name : BodyName(name, bodies++));
      sent = field.end;
    }
    Fail(walk.status());
    Send(sent, attribute.end);
  }

  // The message's byte fields of this number.
  std::vector<WireField> FieldsOf(int64_t begin, int64_t end, uint32_t number) {
    std::vector<WireField> fields;
    WireWalk walk(file_, begin, end);
    for (WireField field; walk.Next(field);) {
      if (field.number == number && field.type == WireType::kBytes) {
        fields.push_back(field);
      }
    }
    Fail(walk.status());
    return fields;
  }

  void Send(int64_t begin, int64_t end) {
    if (begin == end) return;
    if (!ranges_.empty() && ranges_.back().end == begin) {
      ranges_.back().end = end;
    } else {
      ranges_.push_back({begin, end});
    }
  }

  void Fail(const absl::Status& status) { status_.Update(status); }

  std::string_view file_;
  const FileOrders& orders_;
  std::vector<ByteRange> ranges_;
  absl::Status status_;  // the first error
  bool has_graph_ = false;
};

}  // namespace

absl::StatusOr<std::vector<ByteRange>> RangesInOrder(
    std::string_view file, const std::vector<ByteRange>& kept,
    const FileOrders& orders) {
  if (orders.empty()) return kept;
  Reorderer reorderer(file, orders);
  for (const ByteRange& range : kept) {
    absl::Status status = reorderer.AddModel(range);
    if (!status.ok()) return status;
  }
  return reorderer.TakeRanges();
}

}  // namespace memplan
