#include "onnx_frontend/check_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"

namespace memplan {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kChain[] = R"(
    < ir_version: 8, opset_import: ["" : 17] >
    g (float[N, 64] x) => (float[N, 64] y) {
      a = Relu (x)
      b = Transpose <perm = [1, 0]> (a)
      c = Transpose <perm = [1, 0]> (b)
      d = Reshape (c, shape)
      e = Sigmoid (d)
      y = Neg (e)
    })";

onnx::ModelProto Proto() {
  auto text = ReadModelFromBytes(kChain, "m.onnxtxt");
  EXPECT_TRUE(text.ok()) << text.status();
  onnx::ModelProto proto = *text->proto;
  auto* shape = proto.mutable_graph()->add_initializer();
  shape->set_name("shape");
  shape->set_data_type(onnx::TensorProto::INT64);
  shape->add_dims(2);
  shape->add_int64_data(-1);
  shape->add_int64_data(64);
  return proto;
}

Model Read(const std::string& bytes) {
  auto model = ReadModelFromBytes(bytes, "m.onnx");
  EXPECT_TRUE(model.ok()) << model.status();
  return *model;
}

Model Read(const onnx::ModelProto& proto) {
  return Read(proto.SerializeAsString());
}

PlanOptions Options(int64_t n) {
  PlanOptions options;
  options.inputs.dims["N"] = n;
  return options;
}

PatternRecord RecordFor(const Model& model, const PlanOptions& options) {
  PatternRecord record;
  record.fingerprint = FingerprintModel(model);
  auto plan = PlanModel(model, options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  AddPattern(plan->pattern, record);
  return record;
}

CheckResult Check(const Model& model, const PatternRecord& record) {
  auto result = CheckRecord(model, *EncodeRecord(record), {});
  EXPECT_TRUE(result.ok()) << result.status();
  return *result;
}

TEST(CheckPlanTest, AFreshPlanIsGood) {
  const Model model = Read(Proto());
  for (const InPlaceMode mode :
       {InPlaceMode::kOff, InPlaceMode::kViews, InPlaceMode::kSafe,
        InPlaceMode::kAggressive}) {
    for (const bool ends : {false, true}) {
      PlanOptions options = Options(2);
      options.storage.in_place = mode;
      options.storage.place_inputs = options.storage.place_outputs = ends;
      const CheckResult result = Check(model, RecordFor(model, options));
      EXPECT_EQ(result.state, CheckState::kGood);
      EXPECT_THAT(result.findings, IsEmpty());
    }
  }
}

// In file order a comes first; ONNX Runtime takes the nodes from the outputs
// back, and hands dead buffers on.
TEST(CheckPlanTest, FindsOutWhichOrderAndRuntimeThePlanIsFor) {
  const auto text = ReadModelFromBytes(R"(
    < ir_version: 8, opset_import: ["" : 17] >
    g (float[8, 64] x) => (float[8, 64] y) {
      a = Relu (x)
      b = Exp (x)
      c = Transpose <perm = [1, 0]> (b)
      d = Transpose <perm = [1, 0]> (c)
      e = MatMul (d, c)
      f = MatMul (e, a)
      y = MatMul (e, f)
    })",
                                       "m.onnxtxt");
  ASSERT_TRUE(text.ok()) << text.status();
  for (const OrderKind order :
       {OrderKind::kFile, OrderKind::kOnnxRuntime, OrderKind::kMemory}) {
    for (const RuntimeKind runtime :
         {RuntimeKind::kGeneric, RuntimeKind::kOnnxRuntime}) {
      PlanOptions options;
      options.order = order;
      options.runtime = runtime;
      EXPECT_THAT(Check(*text, RecordFor(*text, options)).findings, IsEmpty());
    }
  }
}

// An initializer that is an input, too, need not be fed, and its content counts
// where the shape is not said.
TEST(CheckPlanTest, KnowsTheGraphThatARuntimeMakesOfTheModel) {
  // Without a kernel for float16, it runs Sin in float32, with one node more on
  // each side.
  const absl::StatusOr<Model> model = ReadModelFromBytes(R"(
    < ir_version: 8, opset_import: ["" : 17] >
    g (float16[64] x) => (float16[64] y) {
      a = Sin (x)
      y = Identity (a)
    })",
                                                         "m.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.runtime = RuntimeKind::kOnnxRuntime;
  PatternRecord record = RecordFor(*model, options);
  EXPECT_THAT(Check(*model, record).findings, IsEmpty());
  record.patterns[0].tensors[0].size += 1;
  EXPECT_FALSE(Check(*model, record).findings.empty());
}

TEST(CheckPlanTest, DefaultsOfInputsAreNoConditionOfThePattern) {
  for (const int ir_version : {3, 8}) {
    onnx::ModelProto proto = Proto();
    proto.set_ir_version(ir_version);
    auto* input = proto.mutable_graph()->add_input();
    input->set_name("shape");
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::INT64);
    type->mutable_shape()->add_dim()->set_dim_value(2);
    const Model model = Read(proto);
    const PatternRecord record = RecordFor(model, Options(2));
    ASSERT_EQ(record.patterns[0].inputs.size(), 1u);
    EXPECT_EQ(record.patterns[0].inputs[0].name, "x");
    EXPECT_THAT(Check(model, record).findings, IsEmpty());
    if (ir_version < 4) continue;
    PlanOptions options = Options(2);
    options.inputs.shapes["shape"] = {"2"};
    const PatternRecord fed = RecordFor(model, options);
    EXPECT_EQ(fed.patterns[0].inputs.size(), 2u);
    EXPECT_THAT(Check(model, fed).findings, IsEmpty());
  }
}

TEST(CheckPlanTest, KnowsWhatElseWasSaidOfTheModel) {
  const auto reshaped = ReadModelFromBytes(R"(
    < ir_version: 8, opset_import: ["" : 17] >
    g (float[N, 8] x, int64[2] s) => (float[p, q] y) {
      a = Reshape (x, s)
      b = Exp (a)
      y = Neg (b)
    })",
                                           "m.onnxtxt");
  ASSERT_TRUE(reshaped.ok()) << reshaped.status();
  PlanOptions options = Options(4);
  options.inputs.values["s"] = {"2", "-1"};
  PatternRecord record = RecordFor(*reshaped, options);
  EXPECT_EQ(record.patterns[0].tensors.size(), 1u);
  EXPECT_THAT(Check(*reshaped, record).findings, IsEmpty());

  const auto found = ReadModelFromBytes(R"(
    < ir_version: 8, opset_import: ["" : 17] >
    g (float[4, 8] x) => (int64[8, n] y) {
      i = NonZero (x)
      y = Concat <axis = 0> (i, i, i, i)
    })",
                                        "m.onnxtxt");
  ASSERT_TRUE(found.ok()) << found.status();
  options = {};
  options.inputs.bounds["i"] = {2, 10};
  record = RecordFor(*found, options);
  EXPECT_EQ(record.patterns[0].tensors[0].size, 160);
  EXPECT_THAT(Check(*found, record).findings, IsEmpty());
}

// The pattern has no shape for an optional input, and the model no name for the
// dimension that the user named.
TEST(CheckPlanTest, KnowsSymbolsThatTheModelOrTheUserGaveToInputs) {
  onnx::ModelProto proto = Proto();
  auto* dim = proto.mutable_graph()->mutable_input(0)->mutable_type();
  dim->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->clear_value();
  auto* optional = proto.mutable_graph()->add_input();
  optional->set_name("maybe");
  auto* held = optional->mutable_type()->mutable_optional_type();
  auto* tensor = held->mutable_elem_type()->mutable_tensor_type();
  tensor->set_elem_type(onnx::TensorProto::FLOAT);
  tensor->mutable_shape()->add_dim()->set_dim_param("held");
  const Model model = Read(proto);
  PlanOptions options;
  options.inputs.shapes["x"] = {"mine", "64"};
  options.inputs.dims = {{"mine", 2}, {"held", 3}};
  const PatternRecord record = RecordFor(model, options);
  EXPECT_EQ(record.patterns[0].dims.at("mine"), 2);
  EXPECT_EQ(record.patterns[0].dims.at("held"), 3);
  EXPECT_THAT(Check(model, record).findings, IsEmpty());
}

TEST(CheckPlanTest, AGraphWithoutNodesHasNothingToPlace) {
  onnx::ModelProto proto = Proto();
  proto.mutable_graph()->clear_node();
  proto.mutable_graph()->mutable_output(0)->set_name("x");
  const Model model = Read(proto);
  PlanOptions options = Options(2);
  options.storage.place_inputs = true;
  const PatternRecord record = RecordFor(model, options);
  EXPECT_THAT(record.patterns[0].tensors, IsEmpty());
  EXPECT_THAT(Check(model, record).findings, IsEmpty());
}

TEST(CheckPlanTest, ReadsTheModelsOwnPlan) {
  const std::string bytes = Proto().SerializeAsString();
  const Model model = Read(bytes);
  EXPECT_EQ(CheckEmbeddedPlan(model, {})->state, CheckState::kNoPlan);
  const std::string record = *EncodeRecord(RecordFor(model, Options(2)));
  const std::string embedded = *EmbedInBytes(bytes, record);
  EXPECT_EQ(CheckEmbeddedPlan(Read(embedded), {})->state, CheckState::kGood);
  const std::string twice = embedded + embedded.substr(bytes.size());
  EXPECT_EQ(CheckEmbeddedPlan(Read(twice), {})->state, CheckState::kDamaged);
  std::string damaged = embedded;
  damaged.back() = damaged.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(CheckEmbeddedPlan(Read(damaged), {})->state, CheckState::kDamaged);
}

TEST(CheckPlanTest, SaysWhichTensorsAChangeConcerns) {
  const PatternRecord record = RecordFor(Read(Proto()), Options(2));
  onnx::ModelProto wider = Proto();
  wider.mutable_graph()->mutable_initializer(0)->set_int64_data(1, 32);
  CheckResult result = Check(Read(wider), record);
  EXPECT_EQ(result.state, CheckState::kStale);
  EXPECT_THAT(result.findings, Contains(HasSubstr("the model changed")));

  onnx::ModelProto renamed = Proto();
  for (int i : {2, 3}) {
    auto* node = renamed.mutable_graph()->mutable_node(i);
    (i == 2 ? node->mutable_output(0) : node->mutable_input(0))->assign("q");
  }
  result = Check(Read(renamed), record);
  EXPECT_THAT(result.findings,
              Contains("tensor 'c' is in the plan, but not in the model"));
  EXPECT_THAT(result.findings,
              Contains("tensor 'q' needs a place, but is not in the plan"));

  onnx::ModelProto doubles = Proto();
  for (auto* info : {doubles.mutable_graph()->mutable_input(0),
                     doubles.mutable_graph()->mutable_output(0)}) {
    info->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::DOUBLE);
  }
  result = Check(Read(doubles), record);
  EXPECT_THAT(result.findings,
              Contains("tensor 'a' has 1024 bytes, but 512 in the plan"));
}

TEST(CheckPlanTest, InputsThatTheModelDoesNotHaveAnyMoreAreAFinding) {
  const PatternRecord record = RecordFor(Read(Proto()), Options(2));
  onnx::ModelProto renamed = Proto();
  renamed.mutable_graph()->mutable_input(0)->set_name("z");
  renamed.mutable_graph()->mutable_node(0)->set_input(0, "z");
  const CheckResult result = Check(Read(renamed), record);
  EXPECT_EQ(result.state, CheckState::kStale);
  EXPECT_THAT(result.findings, Contains(HasSubstr("with x:2,64: ")));
}

// The record is intact and made for this graph, but it lies.
TEST(CheckPlanTest, BelievesNothingThatTheRecordSays) {
  const Model model = Read(Proto());
  const PatternRecord good = RecordFor(model, Options(2));
  const auto tensor = [](PatternRecord& record,
                         std::string_view name) -> PatternTensor& {
    for (PatternTensor& t : record.patterns[0].tensors) {
      if (t.name == name) return t;
    }
    ADD_FAILURE() << name;
    return record.patterns[0].tensors[0];
  };

  PatternRecord overlap = good;
  tensor(overlap, "b").offset = tensor(overlap, "a").offset;
  EXPECT_EQ(Check(model, overlap).state, CheckState::kStale);

  PatternRecord shorter = good;
  tensor(shorter, "a").lifespan.end -= 1;
  EXPECT_THAT(Check(model, shorter).findings,
              ElementsAre("tensor 'a' is needed in steps [0, 2), but by the "
                          "plan in [0, 1)"));

  PatternRecord false_view = good;
  PatternTensor& b = tensor(false_view, "b");
  b.sharing = SharingKind::kView;
  b.shares_with = 0;
  b.offset = false_view.patterns[0].tensors[0].offset;
  EXPECT_THAT(Check(model, false_view).findings,
              Contains(HasSubstr("has no rule")));

  PatternRecord less = good;
  less.patterns[0].tensors.erase(less.patterns[0].tensors.begin());
  for (PatternTensor& t : less.patterns[0].tensors) {
    t.shares_with.reset();
    t.sharing = SharingKind::kNone;
  }
  EXPECT_EQ(Check(model, less).state, CheckState::kStale);

  PatternRecord unaligned = good;
  tensor(unaligned, "a").offset += 4;
  unaligned.patterns[0].arena_size += 64;
  EXPECT_EQ(Check(model, unaligned).state, CheckState::kStale);
}

TEST(CheckPlanTest, ADamagedRecordIsSaidToBe) {
  const Model model = Read(Proto());
  std::string bytes = *EncodeRecord(RecordFor(model, Options(2)));
  bytes[100] = static_cast<char>(bytes[100] ^ 1);
  auto result = CheckRecord(model, bytes, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->state, CheckState::kDamaged);
  EXPECT_THAT(result->findings, ElementsAre(HasSubstr("checksum")));
}

}  // namespace
}  // namespace memplan
