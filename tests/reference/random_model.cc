#include "tests/reference/random_model.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace memplan::reference {
namespace {

using Shape = std::vector<int64_t>;

struct Value {
  std::string name;
  std::string type;  // "float"
  Shape shape;
};

constexpr size_t kMaxDepth = 3;
constexpr int64_t kMaxElements = 64;

int64_t Elements(const Shape& shape) {
  int64_t elements = 1;
  for (const int64_t dim : shape) elements *= dim;
  return elements;
}

// "float[4, 4] x"; a scalar has no brackets.
std::string Declare(const Value& value) {
  const std::string dims =
      value.shape.empty()
          ? ""
          : absl::StrCat("[", absl::StrJoin(value.shape, ", "), "]");
  return absl::StrCat(value.type, dims, " ", value.name);
}

std::string DeclareAll(const std::vector<Value>& values) {
  return absl::StrJoin(values, ", ", [](std::string* out, const Value& value) {
    out->append(Declare(value));
  });
}

std::string Names(const std::vector<Value>& values) {
  return absl::StrJoin(values, ", ", [](std::string* out, const Value& value) {
    out->append(value.name);
  });
}

bool SameType(const Value& a, const Value& b) {
  return a.type == b.type && a.shape == b.shape;
}

class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  std::string Write() {
    EnterBody();
    std::vector<Value> inputs = {Add("float", {4, 4}),  Add("float", {2, 8}),
                                 Add("float", {1, 16}), Add("float", {4}),
                                 Add("bool", {}),       Add("bool", {4, 4})};
    AddNodes(4 + Below(14));
    const std::vector<Value> outputs = MainOutputs(inputs.size());
    const std::string initializers =
        initializers_.empty()
            ? ""
            : absl::StrCat("<", absl::StrJoin(initializers_, ", "), ">\n");
    return absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]>\nrandom (",
                        DeclareAll(inputs), ") => (", DeclareAll(outputs),
                        ")\n", initializers, "{\n", text_, "}\n");
  }

 private:
  int64_t Below(int64_t n) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(n));
  }
  bool Chance(int64_t percent) { return Below(100) < percent; }

  // Bodies side by side use the same names.
  void EnterBody() { counters_.push_back(0); }
  void LeaveBody() { counters_.pop_back(); }

  Value Add(const std::string& type, const Shape& shape) {
    const Value value{absl::StrCat(std::string(1, "vwxyz"[counters_.size()]),
                                   counters_.back()++),
                      type, shape};
    visible_.push_back(value);
    return value;
  }

  // A value that fits, rather a new one than an old one.
  template <typename Fits>
  std::optional<Value> Pick(Fits fits) {
    std::vector<Value> fitting;
    std::copy_if(visible_.begin(), visible_.end(), std::back_inserter(fitting),
                 fits);
    if (fitting.empty()) return std::nullopt;
    const auto n = static_cast<int64_t>(fitting.size());
    return fitting[static_cast<size_t>(std::max(Below(n), Below(n)))];
  }
  std::optional<Value> PickLike(const Value& model) {
    return Pick([&](const Value& v) { return SameType(v, model); });
  }
  std::optional<Value> PickFloat(size_t rank = 0) {
    return Pick([&](const Value& v) {
      return v.type == "float" && (rank == 0 || v.shape.size() == rank);
    });
  }

  std::string Ints(const Shape& ints) {
    const std::string name = absl::StrCat("c", absl::StrJoin(ints, "_"));
    DeclareOnce(name, absl::StrCat("int64[", ints.size(), "] ", name, " = {",
                                   absl::StrJoin(ints, ", "), "}"));
    return name;
  }
  std::string Scalar(const std::string& type, int64_t value) {
    const std::string name = absl::StrCat("s", type, value);
    DeclareOnce(name, absl::StrCat(type, " ", name, " = {", value, "}"));
    return name;
  }
  void DeclareOnce(const std::string& name, const std::string& text) {
    if (declared_.emplace(name, text).second) initializers_.push_back(text);
  }

  void Node(const std::vector<Value>& outputs, const std::string& call) {
    absl::StrAppend(&text_, "  ", Names(outputs), " = ", call, "\n");
  }
  void Node(const std::string& type, const Shape& shape,
            const std::string& call) {
    const Value value = Add(type, shape);
    Node({value}, call);
  }

  void AddNodes(int64_t count) {
    for (int64_t i = 0; i < count; ++i) AddNode();
  }

  void AddNode() {
    using Maker = void (Writer::*)();
    static constexpr Maker kMakers[] = {
        &Writer::Unary,     &Writer::Unary,   &Writer::Unary,
        &Writer::Binary,    &Writer::Binary,  &Writer::Binary,
        &Writer::Broadcast, &Writer::Reshape, &Writer::Reshape,
        &Writer::SameBytes, &Writer::Turn,    &Writer::Concat,
        &Writer::Concat,    &Writer::Split,   &Writer::Slice,
        &Writer::Gather,    &Writer::MatMul,  &Writer::Reduce,
        &Writer::Cast,      &Writer::Compare, &Writer::Where,
        &Writer::If,        &Writer::If,      &Writer::Loop,
        &Writer::Loop,      &Writer::Scan};
    (this->*kMakers[Below(std::size(kMakers))])();
  }

  void Unary() {
    static constexpr const char* kOps[] = {"Relu", "Sigmoid", "Tanh",
                                           "Neg",  "Abs",     "Softmax"};
    const auto x = PickFloat();
    if (!x || x->shape.empty()) return;
    Node("float", x->shape,
         absl::StrCat(kOps[Below(std::size(kOps))], "(", x->name, ")"));
  }

  void Binary() {
    static constexpr const char* kOps[] = {"Add", "Sub", "Mul", "Min", "Max"};
    const auto x = PickFloat();
    if (!x) return;
    const auto y = PickLike(*x);
    Node("float", x->shape,
         absl::StrCat(kOps[Below(std::size(kOps))], "(", x->name, ", ", y->name,
                      ")"));
  }

  // A row of four beside four rows of four, or four beside one column.
  void Broadcast() {
    const auto row = Pick([](const Value& v) {
      return v.type == "float" &&
             (v.shape == Shape{4} || v.shape == Shape{1, 4} ||
              v.shape == Shape{4, 1});
    });
    const auto square = PickLike({"", "float", {4, 4}});
    if (!row || !square) return;
    const bool first = Chance(50);
    Node("float", {4, 4},
         absl::StrCat("Add(", first ? row->name : square->name, ", ",
                      first ? square->name : row->name, ")"));
  }

  void Reshape() {
    const auto x = Pick([](const Value& v) { return !v.shape.empty(); });
    if (!x) return;
    const int64_t n = Elements(x->shape);
    std::vector<Shape> targets = {{n}, {1, n}, {n, 1}};
    for (const int64_t d : {2, 4, 8}) {
      if (n % d == 0) targets.push_back({d, n / d});
    }
    const Shape target = targets[static_cast<size_t>(
        Below(static_cast<int64_t>(targets.size())))];
    Node(x->type, target,
         absl::StrCat("Reshape(", x->name, ", ", Ints(target), ")"));
  }

  void SameBytes() {
    const auto x = Pick([](const Value& v) { return !v.shape.empty(); });
    if (!x) return;
    Shape longer = x->shape;
    longer.insert(longer.begin(), 1);
    switch (Below(4)) {
      case 0:
        return Node(x->type, x->shape, absl::StrCat("Identity(", x->name, ")"));
      case 1:
        return Node(x->type, longer,
                    absl::StrCat("Unsqueeze(", x->name, ", ", Ints({0}), ")"));
      case 2:
        if (x->type != "float") return;
        return Node(x->type, x->shape, absl::StrCat("Dropout(", x->name, ")"));
      default:
        return Node(x->type, {1, Elements(x->shape)},
                    absl::StrCat("Flatten <axis = 0> (", x->name, ")"));
    }
  }

  void Turn() {
    const auto x = PickFloat(2);
    if (!x) return;
    Node("float", {x->shape[1], x->shape[0]},
         absl::StrCat("Transpose <perm = [1, 0]> (", x->name, ")"));
  }

  void Concat() {
    const auto x = PickFloat(Chance(50) ? 2 : 0);
    if (!x || x->shape.empty()) return;
    const auto y = PickLike(*x);
    if (2 * Elements(x->shape) > kMaxElements) return;
    const auto axis =
        static_cast<size_t>(Below(static_cast<int64_t>(x->shape.size())));
    Shape shape = x->shape;
    shape[axis] *= 2;
    Node("float", shape,
         absl::StrCat("Concat <axis = ", axis, "> (", x->name, ", ", y->name,
                      ")"));
  }

  std::optional<Value> PickHalvable(size_t& axis) {
    const auto x = PickFloat();
    if (!x) return std::nullopt;
    for (axis = 0; axis < x->shape.size(); ++axis) {
      if (x->shape[axis] % 2 == 0 && Chance(70)) return x;
    }
    return std::nullopt;
  }

  void Split() {
    size_t axis = 0;
    const auto x = PickHalvable(axis);
    if (!x) return;
    Shape half = x->shape;
    half[axis] /= 2;
    const std::vector<Value> outputs = {Add("float", half), Add("float", half)};
    Node(outputs, absl::StrCat("Split <axis = ", axis, "> (", x->name, ", ",
                               Ints({half[axis], half[axis]}), ")"));
  }

  void Slice() {
    size_t axis = 0;
    const auto x = PickHalvable(axis);
    if (!x) return;
    Shape half = x->shape;
    half[axis] /= 2;
    const int64_t first = Below(half[axis] + 1);
    Node("float", half,
         absl::StrCat("Slice(", x->name, ", ", Ints({first}), ", ",
                      Ints({first + half[axis]}), ", ",
                      Ints({static_cast<int64_t>(axis)}), ")"));
  }

  void Gather() {
    const auto x = PickFloat(2);
    if (!x) return;
    Node("float", {2, x->shape[1]},
         absl::StrCat("Gather <axis = 0> (", x->name, ", ",
                      Ints({x->shape[0] - 1, 0}), ")"));
  }

  void MatMul() {
    const auto x = PickFloat(2);
    if (!x) return;
    const auto y = Pick([&](const Value& v) {
      return v.type == "float" && v.shape.size() == 2 &&
             v.shape[0] == x->shape[1];
    });
    if (!y || x->shape[0] * y->shape[1] > kMaxElements) return;
    Node("float", {x->shape[0], y->shape[1]},
         absl::StrCat("MatMul(", x->name, ", ", y->name, ")"));
  }

  void Reduce() {
    const auto x = PickFloat(2);
    if (!x) return;
    Node("float", {1, x->shape[1]},
         absl::StrCat("ReduceSum <keepdims = 1> (", x->name, ", ", Ints({0}),
                      ")"));
  }

  void Cast() {
    const auto x = Pick([](const Value& v) { return v.type != "bool"; });
    if (!x) return;
    if (x->type != "float") {
      return Node("float", x->shape,
                  absl::StrCat("Cast <to = 1> (", x->name, ")"));
    }
    static const std::pair<const char*, int> kTypes[] = {
        {"double", 11}, {"float16", 10}, {"int32", 6}, {"int64", 7}};
    const auto& [type, number] = kTypes[Below(std::size(kTypes))];
    Node(type, x->shape,
         absl::StrCat("Cast <to = ", number, "> (", x->name, ")"));
  }

  void Compare() {
    const auto x = PickFloat();
    if (!x) return;
    const auto y = PickLike(*x);
    Node("bool", x->shape, absl::StrCat("Less(", x->name, ", ", y->name, ")"));
  }

  void Where() {
    const auto which = Pick([](const Value& v) { return v.type == "bool"; });
    if (!which) return;
    const auto x = PickLike({"", "float", which->shape});
    const auto y = PickLike({"", "float", which->shape});
    if (!x || !y) return;
    Node(
        "float", x->shape,
        absl::StrCat("Where(", which->name, ", ", x->name, ", ", y->name, ")"));
  }

  // One element that decides: a flag that is there, or what is computed.
  std::string Condition() {
    const auto flag = Pick(
        [](const Value& v) { return v.type == "bool" && v.shape.empty(); });
    const auto x = PickFloat(2);
    if (flag && (!x || Chance(50))) return flag->name;
    const Value sum = Add("float", {});
    Node({sum}, absl::StrCat("ReduceSum <keepdims = 0> (", x->name, ")"));
    const Value less = Add("bool", {});
    Node({less},
         absl::StrCat("Less(", sum.name, ", ", Scalar("float", 1), ")"));
    return less.name;
  }

  // A body's text: its inputs, its nodes, and outputs of the types asked for,
  // taken from whatever can be read there. `inputs` are declared inside.
  std::string Body(const std::string& attribute,
                   const std::vector<Value>& inputs, int64_t nodes,
                   const std::vector<Value>& wanted) {
    std::string outer;
    outer.swap(text_);
    AddNodes(nodes);
    std::vector<Value> outputs;
    for (const Value& want : wanted) outputs.push_back(*PickLike(want));
    const std::string body =
        absl::StrCat(attribute, " = g (", DeclareAll(inputs), ") => (",
                     DeclareAll(outputs), ") {\n", text_, "  }");
    outer.swap(text_);
    return body;
  }

  bool MayNest() const { return counters_.size() < kMaxDepth; }
  int64_t BodyNodes() { return Chance(12) ? 0 : 1 + Below(6); }

  void If() {
    if (!MayNest()) return;
    std::vector<Value> wanted;
    for (int64_t i = 0; i < 1 + Below(2); ++i) {
      if (const auto like = PickFloat()) wanted.push_back(*like);
    }
    if (wanted.empty()) return;
    const std::string condition = Condition();
    std::vector<std::string> bodies;
    for (const char* attribute : {"then_branch", "else_branch"}) {
      const size_t outside = visible_.size();
      EnterBody();
      bodies.push_back(Body(attribute, {}, BodyNodes(), wanted));
      LeaveBody();
      visible_.resize(outside);
    }
    std::vector<Value> outputs;
    for (const Value& want : wanted)
      outputs.push_back(Add(want.type, want.shape));
    Node(outputs, absl::StrCat("If <", absl::StrJoin(bodies, ", "), "> (",
                               condition, ")"));
  }

  // With a condition that a run decides there are no scan outputs, since their
  // length would not be known.
  void Loop() {
    if (!MayNest()) return;
    const bool may_stop = Chance(30);
    const int64_t trips = Below(4);
    std::vector<Value> states;
    for (int64_t i = 0; i < Below(4); ++i) {
      if (const auto state = Chance(60) && !states.empty()
                                 ? PickLike(states.back())
                                 : PickFloat()) {
        states.push_back(*state);
      }
    }
    const size_t outside = visible_.size();
    EnterBody();
    std::vector<Value> inputs = {Add("int64", {}), Add("bool", {})};
    for (const Value& state : states) {
      inputs.push_back(Add(state.type, state.shape));
    }
    std::vector<Value> rows;
    for (int64_t i = 0; !may_stop && i < Below(3); ++i) {
      if (const auto row =
              Chance(20) ? std::optional(inputs[0]) : PickFloat()) {
        rows.push_back(*row);
      }
    }
    const std::string body = LoopBody(inputs, states, rows, may_stop);
    LeaveBody();
    visible_.resize(outside);
    std::vector<Value> outputs;
    for (const Value& state : states) {
      outputs.push_back(Add(state.type, state.shape));
    }
    for (const Value& row : rows) {
      Shape shape = row.shape;
      shape.insert(shape.begin(), trips);
      outputs.push_back(Add(row.type, shape));
      // Too long or empty: nobody reads it.
      if (Elements(shape) > kMaxElements || trips == 0) visible_.pop_back();
    }
    if (outputs.empty()) return;
    std::vector<std::string> arguments = {Scalar("int64", trips),
                                          Scalar("bool", 1)};
    for (const Value& state : states) arguments.push_back(state.name);
    Node(outputs, absl::StrCat("Loop <", body, "> (",
                               absl::StrJoin(arguments, ", "), ")"));
  }

  std::string LoopBody(const std::vector<Value>& inputs,
                       const std::vector<Value>& states,
                       const std::vector<Value>& rows, bool may_stop) {
    std::string outer;
    outer.swap(text_);
    AddNodes(BodyNodes());
    Value go_on = inputs[1];
    if (may_stop) {
      go_on.name = Condition();
    } else if (rows.empty() && Chance(50)) {
      go_on = Add("bool", {});
      Node({go_on}, absl::StrCat("Identity(", inputs[1].name, ")"));
    }
    std::vector<Value> outputs = {go_on};
    for (const Value& state : states) outputs.push_back(*PickLike(state));
    for (const Value& row : rows) outputs.push_back(*PickLike(row));
    const std::string body =
        absl::StrCat("body = g (", DeclareAll(inputs), ") => (",
                     DeclareAll(outputs), ") {\n", text_, "  }");
    outer.swap(text_);
    return body;
  }

  void Scan() {
    if (!MayNest()) return;
    const auto whole = PickLike({"", "float", {4, 4}});
    if (!whole) return;
    const auto state = PickFloat();
    const size_t outside = visible_.size();
    EnterBody();
    const std::vector<Value> inputs = {Add("float", state->shape),
                                       Add("float", {4})};
    const Value row = Chance(50) ? inputs[1] : *PickLike(inputs[0]);
    const std::string body =
        Body("body", inputs, BodyNodes(), {inputs[0], row});
    LeaveBody();
    visible_.resize(outside);
    Shape shape = row.shape;
    const bool last = Chance(40);
    shape.insert(last ? shape.end() : shape.begin(), 4);
    const std::vector<Value> outputs = {Add("float", state->shape),
                                        Add("float", shape)};
    if (Elements(shape) > kMaxElements) visible_.pop_back();
    Node(outputs,
         absl::StrCat("Scan <", body, ", num_scan_inputs = 1, ",
                      "scan_input_axes = [", Below(2), "], ",
                      "scan_input_directions = [", Below(2), "], ",
                      "scan_output_axes = [", last ? row.shape.size() : 0,
                      "], ", "scan_output_directions = [", Below(2), "]> (",
                      state->name, ", ", whole->name, ")"));
  }

  // Some of what the nodes gave, read inside or not; now and then an input.
  std::vector<Value> MainOutputs(size_t num_inputs) {
    std::vector<Value> outputs;
    const size_t first = Chance(5) ? 0 : num_inputs;
    for (size_t i = first; i < visible_.size(); ++i) {
      if (Chance(25)) outputs.push_back(visible_[i]);
    }
    if (outputs.empty()) outputs.push_back(visible_.back());
    return outputs;
  }

  std::mt19937_64 random_;
  std::vector<int64_t> counters_;  // names given so far, by depth
  std::vector<Value> visible_;     // what a node may read here
  std::vector<std::string> initializers_;
  std::map<std::string, std::string> declared_;  // initializers by name
  std::string text_;  // the nodes of the body that is being written
};

}  // namespace

std::string RandomModel(uint64_t seed) { return Writer(seed).Write(); }

}  // namespace memplan::reference
