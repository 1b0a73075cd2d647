#include "tests/reference/random_model.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/reference/random_writer.h"

namespace memplan::reference {
namespace {

// "float[4, 4] x"; a scalar has no brackets.
std::string Declare(const Named& value) {
  const std::string dims =
      value.shape.empty()
          ? ""
          : absl::StrCat("[", absl::StrJoin(value.shape, ", "), "]");
  return absl::StrCat(value.type, dims, " ", value.name);
}

std::string Names(const std::vector<Named>& values) {
  return absl::StrJoin(values, ", ", [](std::string* out, const Named& value) {
    out->append(value.name);
  });
}

bool SameType(const Named& a, const Named& b) {
  return a.type == b.type && a.shape == b.shape;
}

}  // namespace

int64_t Elements(const Dims& shape) {
  int64_t elements = 1;
  for (const int64_t dim : shape) elements *= dim;
  return elements;
}

std::string DeclareAll(const std::vector<Named>& values) {
  return absl::StrJoin(values, ", ", [](std::string* out, const Named& value) {
    out->append(Declare(value));
  });
}

std::string RandomWriter::Write() {
  EnterBody();
  std::vector<Named> inputs = {Add("float", {4, 4}),  Add("float", {2, 8}),
                               Add("float", {1, 16}), Add("float", {4}),
                               Add("bool", {}),       Add("bool", {4, 4})};
  AddNodes(4 + Below(14));
  const std::vector<Named> outputs = MainOutputs(inputs.size());
  const std::string initializers =
      initializers_.empty()
          ? ""
          : absl::StrCat("<", absl::StrJoin(initializers_, ", "), ">\n");
  return absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]>\nrandom (",
                      DeclareAll(inputs), ") => (", DeclareAll(outputs), ")\n",
                      initializers, "{\n", text_, "}\n");
}

Named RandomWriter::Add(const std::string& type, const Dims& shape) {
  const Named value{absl::StrCat(std::string(1, "vwxyz"[counters_.size()]),
                                 counters_.back()++),
                    type, shape};
  visible_.push_back(value);
  return value;
}

std::optional<Named> RandomWriter::PickLike(const Named& model) {
  return Pick([&](const Named& v) { return SameType(v, model); });
}

std::optional<Named> RandomWriter::PickFloat(size_t rank) {
  return Pick([&](const Named& v) {
    return v.type == "float" && (rank == 0 || v.shape.size() == rank);
  });
}

std::string RandomWriter::Ints(const Dims& ints) {
  const std::string name = absl::StrCat("c", absl::StrJoin(ints, "_"));
  DeclareOnce(name, absl::StrCat("int64[", ints.size(), "] ", name, " = {",
                                 absl::StrJoin(ints, ", "), "}"));
  return name;
}

std::string RandomWriter::Scalar(const std::string& type, int64_t value) {
  const std::string name = absl::StrCat("s", type, value);
  DeclareOnce(name, absl::StrCat(type, " ", name, " = {", value, "}"));
  return name;
}

void RandomWriter::DeclareOnce(const std::string& name,
                               const std::string& text) {
  if (declared_.emplace(name, text).second) initializers_.push_back(text);
}

void RandomWriter::Node(const std::vector<Named>& outputs,
                        const std::string& call) {
  absl::StrAppend(&text_, "  ", Names(outputs), " = ", call, "\n");
}

void RandomWriter::Node(const std::string& type, const Dims& shape,
                        const std::string& call) {
  const Named value = Add(type, shape);
  Node({value}, call);
}

void RandomWriter::AddNode() {
  using Maker = void (RandomWriter::*)();
  static constexpr Maker kMakers[] = {
      &RandomWriter::Unary,     &RandomWriter::Unary,   &RandomWriter::Unary,
      &RandomWriter::Binary,    &RandomWriter::Binary,  &RandomWriter::Binary,
      &RandomWriter::Broadcast, &RandomWriter::Reshape, &RandomWriter::Reshape,
      &RandomWriter::SameBytes, &RandomWriter::Turn,    &RandomWriter::Concat,
      &RandomWriter::Concat,    &RandomWriter::Split,   &RandomWriter::Slice,
      &RandomWriter::Gather,    &RandomWriter::MatMul,  &RandomWriter::Reduce,
      &RandomWriter::Cast,      &RandomWriter::Compare, &RandomWriter::Where,
      &RandomWriter::If,        &RandomWriter::If,      &RandomWriter::Loop,
      &RandomWriter::Loop,      &RandomWriter::Scan};
  (this->*kMakers[Below(std::size(kMakers))])();
}

// Some of what the nodes gave, read inside or not; now and then an input.
std::vector<Named> RandomWriter::MainOutputs(size_t num_inputs) {
  std::vector<Named> outputs;
  const size_t first = Chance(5) ? 0 : num_inputs;
  for (size_t i = first; i < visible_.size(); ++i) {
    if (Chance(25)) outputs.push_back(visible_[i]);
  }
  if (outputs.empty()) outputs.push_back(visible_.back());
  return outputs;
}

std::string RandomModel(uint64_t seed) { return RandomWriter(seed).Write(); }

}  // namespace memplan::reference
