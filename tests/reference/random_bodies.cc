#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/reference/random_writer.h"

namespace memplan::reference {

// One element that decides: a flag that is there, or what is computed.
std::string RandomWriter::Condition() {
  const auto flag =
      Pick([](const Named& v) { return v.type == "bool" && v.shape.empty(); });
  const auto x = PickFloat(2);
  if (flag && (!x || Chance(50))) return flag->name;
  const Named sum = Add("float", {});
  Node({sum}, absl::StrCat("ReduceSum <keepdims = 0> (", x->name, ")"));
  const Named less = Add("bool", {});
  Node({less}, absl::StrCat("Less(", sum.name, ", ", Scalar("float", 1), ")"));
  return less.name;
}

// A body's text: its inputs, its nodes, and outputs of the types asked for,
// taken from whatever can be read there. `inputs` are declared inside.
std::string RandomWriter::Body(const std::string& attribute,
                               const std::vector<Named>& inputs, int64_t nodes,
                               const std::vector<Named>& wanted) {
  std::string outer;
  outer.swap(text_);
  AddNodes(nodes);
  std::vector<Named> outputs;
  for (const Named& want : wanted) outputs.push_back(*PickLike(want));
  const std::string body =
      absl::StrCat(attribute, " = g (", DeclareAll(inputs), ") => (",
                   DeclareAll(outputs), ") {\n", text_, "  }");
  outer.swap(text_);
  return body;
}

int64_t RandomWriter::BodyNodes() { return Chance(12) ? 0 : 1 + Below(6); }

void RandomWriter::If() {
  if (!MayNest()) return;
  std::vector<Named> wanted;
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
  std::vector<Named> outputs;
  for (const Named& want : wanted)
    outputs.push_back(Add(want.type, want.shape));
  Node(outputs, absl::StrCat("If <", absl::StrJoin(bodies, ", "), "> (",
                             condition, ")"));
}

// With a condition that a run decides there are no scan outputs, since their
// length would not be known.
void RandomWriter::Loop() {
  if (!MayNest()) return;
  const bool may_stop = Chance(30);
  const int64_t trips = Below(4);
  std::vector<Named> states;
  for (int64_t i = 0; i < Below(4); ++i) {
    if (const auto state = Chance(60) && !states.empty()
                               ? PickLike(states.back())
                               : PickFloat()) {
      states.push_back(*state);
    }
  }
  const size_t outside = visible_.size();
  EnterBody();
  std::vector<Named> inputs = {Add("int64", {}), Add("bool", {})};
  for (const Named& state : states) {
    inputs.push_back(Add(state.type, state.shape));
  }
  std::vector<Named> rows;
  for (int64_t i = 0; !may_stop && i < Below(3); ++i) {
    if (const auto row = Chance(20) ? std::optional(inputs[0]) : PickFloat()) {
      rows.push_back(*row);
    }
  }
  const std::string body = LoopBody(inputs, states, rows, may_stop);
  LeaveBody();
  visible_.resize(outside);
  std::vector<Named> outputs;
  for (const Named& state : states) {
    outputs.push_back(Add(state.type, state.shape));
  }
  for (const Named& row : rows) {
    Dims shape = row.shape;
    shape.insert(shape.begin(), trips);
    outputs.push_back(Add(row.type, shape));
    // Too long or empty: nobody reads it.
    if (Elements(shape) > kMaxElements || trips == 0) visible_.pop_back();
  }
  if (outputs.empty()) return;
  std::vector<std::string> arguments = {Scalar("int64", trips),
                                        Scalar("bool", 1)};
  for (const Named& state : states) arguments.push_back(state.name);
  Node(outputs, absl::StrCat("Loop <", body, "> (",
                             absl::StrJoin(arguments, ", "), ")"));
}

std::string RandomWriter::LoopBody(const std::vector<Named>& inputs,
                                   const std::vector<Named>& states,
                                   const std::vector<Named>& rows,
                                   bool may_stop) {
  std::string outer;
  outer.swap(text_);
  AddNodes(BodyNodes());
  Named go_on = inputs[1];
  if (may_stop) {
    go_on.name = Condition();
  } else if (Chance(50)) {
    go_on = Add("bool", {});
    Node({go_on}, absl::StrCat("Identity(", inputs[1].name, ")"));
  }
  std::vector<Named> outputs = {go_on};
  for (const Named& state : states) outputs.push_back(*PickLike(state));
  for (const Named& row : rows) outputs.push_back(*PickLike(row));
  const std::string body =
      absl::StrCat("body = g (", DeclareAll(inputs), ") => (",
                   DeclareAll(outputs), ") {\n", text_, "  }");
  outer.swap(text_);
  return body;
}

void RandomWriter::Scan() {
  if (!MayNest()) return;
  const auto whole = PickLike({"", "float", {4, 4}});
  if (!whole) return;
  const auto state = PickFloat();
  const size_t outside = visible_.size();
  EnterBody();
  const std::vector<Named> inputs = {Add("float", state->shape),
                                     Add("float", {4})};
  const Named row = Chance(50) ? inputs[1] : *PickLike(inputs[0]);
  const std::string body = Body("body", inputs, BodyNodes(), {inputs[0], row});
  LeaveBody();
  visible_.resize(outside);
  Dims shape = row.shape;
  const bool last = Chance(40);
  shape.insert(last ? shape.end() : shape.begin(), 4);
  const std::vector<Named> outputs = {Add("float", state->shape),
                                      Add("float", shape)};
  if (Elements(shape) > kMaxElements) visible_.pop_back();
  // Drawn one by one: the order of a call's arguments is the compiler's.
  const int64_t in_axis = Below(2);
  const int64_t in_direction = Below(2);
  const int64_t out_direction = Below(2);
  Node(outputs,
       absl::StrCat("Scan <", body, ", num_scan_inputs = 1, ",
                    "scan_input_axes = [", in_axis, "], ",
                    "scan_input_directions = [", in_direction, "], ",
                    "scan_output_axes = [", last ? row.shape.size() : 0, "], ",
                    "scan_output_directions = [", out_direction, "]> (",
                    state->name, ", ", whole->name, ")"));
}

}  // namespace memplan::reference
