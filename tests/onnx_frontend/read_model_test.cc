#include "onnx_frontend/read_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/skeleton.h"
#include "onnx_frontend/wire_walk.h"
#include "planner/strings.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(AsStd(status.message()));
}

// A field of bytes: tag, length, payload.
std::string Bytes(uint32_t number, std::string_view payload) {
  std::string out;
  AppendBytesHeader(number, payload.size(), out);
  return out + std::string(payload);
}

onnx::ModelProto SmallModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("test");
  auto* opset = model.add_opset_import();
  opset->set_version(17);
  auto* graph = model.mutable_graph();
  graph->set_name("g");
  graph->set_doc_string("words");
  auto* node = graph->add_node();
  node->set_op_type("Relu");
  node->add_input("x");
  node->add_output("y");
  graph->add_input()->set_name("x");
  graph->add_output()->set_name("y");
  return model;
}

onnx::TensorProto Tensor(std::string_view name, int type, size_t raw_bytes) {
  onnx::TensorProto tensor;
  tensor.set_name(std::string(name));
  tensor.set_data_type(type);
  tensor.add_dims(static_cast<int64_t>(raw_bytes));
  tensor.set_raw_data(std::string(raw_bytes, 'w'));
  return tensor;
}

TEST(ReadModelTest, KeepsTheStructureAndLeavesDocumentationOut) {
  const onnx::ModelProto model = SmallModel();
  auto read = ReadModelFromBytes(model.SerializeAsString(), "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  onnx::ModelProto expected = model;
  expected.mutable_graph()->clear_doc_string();
  EXPECT_EQ(read->proto->SerializeAsString(), expected.SerializeAsString());
  EXPECT_EQ(read->path, "m.onnx");
  EXPECT_FALSE(read->is_text);
}

TEST(ReadModelTest, LeavesWeightsOutAndRemembersTheirRange) {
  onnx::ModelProto model = SmallModel();
  *model.mutable_graph()->add_initializer() =
      Tensor("w", onnx::TensorProto::FLOAT, 100'000);
  const std::string bytes = model.SerializeAsString();
  auto read = ReadModelFromBytes(bytes, "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  const onnx::TensorProto& tensor = read->proto->graph().initializer(0);
  EXPECT_EQ(tensor.name(), "w");
  EXPECT_THAT(tensor.dims(), ElementsAre(100'000));
  EXPECT_FALSE(tensor.has_raw_data());
  EXPECT_EQ(tensor.data_location(), onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(tensor.external_data_size(), 0);
  ASSERT_EQ(read->left_out.size(), 1u);
  const ByteRange range = read->left_out[0];
  EXPECT_EQ(bytes.substr(static_cast<size_t>(range.begin),
                         static_cast<size_t>(range.end - range.begin)),
            std::string(100'000, 'w'));
}

TEST(ReadModelTest, KeepsIntegersThatShapesAreComputedFrom) {
  onnx::ModelProto model = SmallModel();
  *model.mutable_graph()->add_initializer() =
      Tensor("shape", onnx::TensorProto::INT64, 16384 * 8);
  auto read = ReadModelFromBytes(model.SerializeAsString(), "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->proto->graph().initializer(0).raw_data().size(),
            size_t{16384 * 8});
}

TEST(ReadModelTest, LeavesOutPackedAndUnpackedNumbersAndStrings) {
  // 20,000 floats, each a field of its own (float_data, number 4, type 5).
  std::string unpacked;
  for (int i = 0; i < 20'000; ++i) unpacked += std::string("\x25\0\0\0\0", 5);
  std::string packed = Bytes(10, std::string(80'000, '\0'));
  std::string strings;
  for (int i = 0; i < 1000; ++i) strings += Bytes(6, std::string(100, 's'));
  std::string graph;
  for (const std::string& data : {unpacked, packed, strings}) {
    graph += Bytes(5, "\x08\x03\x10\x01" + data);
  }
  auto read = ReadModelFromBytes(Bytes(7, graph), "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->proto->graph().initializer_size(), 3);
  for (const auto& tensor : read->proto->graph().initializer()) {
    EXPECT_EQ(tensor.data_location(), onnx::TensorProto::EXTERNAL);
    EXPECT_LT(tensor.ByteSizeLong(), 20u);
  }
  EXPECT_EQ(read->left_out.size(), 3u) << "a run of fields is one range";
}

TEST(ReadModelTest, FindsWeightsInAttributesBodiesAndFunctions) {
  onnx::GraphProto body;
  *body.add_initializer() = Tensor("w", onnx::TensorProto::FLOAT, 50'000);
  onnx::NodeProto node;
  node.set_op_type("If");
  auto* attribute = node.add_attribute();
  attribute->set_name("then_branch");
  *attribute->mutable_g() = body;
  attribute = node.add_attribute();
  *attribute->mutable_t() = Tensor("t", onnx::TensorProto::FLOAT, 50'000);
  *attribute->add_tensors() = Tensor("t", onnx::TensorProto::FLOAT, 50'000);
  *attribute->add_graphs() = body;
  *attribute->mutable_sparse_tensor()->mutable_values() =
      Tensor("v", onnx::TensorProto::FLOAT, 50'000);
  onnx::ModelProto model = SmallModel();
  *model.mutable_graph()->add_node() = node;
  *model.add_functions()->add_node() = node;
  *model.add_training_info()->mutable_algorithm()->add_node() = node;
  *model.mutable_graph()->add_sparse_initializer()->mutable_indices() =
      Tensor("i", onnx::TensorProto::INT8, 50'000);
  auto read = ReadModelFromBytes(model.SerializeAsString(), "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->left_out.size(), 3u * 5 + 1);
  EXPECT_LT(read->proto->ByteSizeLong(), 1000u);
}

TEST(ReadModelTest, MergesAGraphThatOccursTwice) {
  onnx::ModelProto more;
  more.mutable_graph()->add_node()->set_op_type("Exp");
  auto read = ReadModelFromBytes(
      SmallModel().SerializeAsString() + more.SerializeAsString(), "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->proto->graph().node_size(), 2);
  EXPECT_EQ(read->proto->graph().node(1).op_type(), "Exp");
}

TEST(ReadModelTest, KeepsSmallUnknownFieldsAndSkipsGroups) {
  const std::string group = "\xf3\x3f\xfb\x3f\x08\x01\xfc\x3f\xf4\x3f";
  const std::string unknown = Bytes(1000, "news");
  auto read = ReadModelFromBytes(
      SmallModel().SerializeAsString() + group + unknown, "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->proto->SerializeAsString(), HasSubstr("news"));
}

TEST(ReadModelTest, AModelCutAnywhereIsAnErrorOrAWholeModel) {
  onnx::ModelProto model = SmallModel();
  *model.mutable_graph()->add_initializer() =
      Tensor("w", onnx::TensorProto::FLOAT, 300);
  const std::string bytes = model.SerializeAsString();
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    auto read = ReadModelFromBytes(bytes.substr(0, cut), "m.onnx");
    onnx::ModelProto expected;
    const bool whole =
        expected.ParseFromString(bytes.substr(0, cut)) && expected.has_graph();
    EXPECT_EQ(read.ok(), whole) << cut;
    if (!read.ok() && cut > 0) {
      EXPECT_THAT(Message(read.status()),
                  testing::AnyOf(HasSubstr("byte "), HasSubstr("no graph")));
    }
  }
}

TEST(ReadModelTest, NamesTheByteWhereALengthIsTooLarge) {
  auto read = ReadModelFromBytes("\x08\x08\x3a\xff\xff\xff\xff\x7f", "m.onnx");
  EXPECT_TRUE(absl::IsInvalidArgument(read.status()));
  EXPECT_THAT(Message(read.status()), HasSubstr("byte 2: field 7 is cut off"));
}

TEST(ReadModelTest, RefusesMessagesAndGroupsThatNestWithoutEnd) {
  std::string type;
  for (int i = 0; i < 5000; ++i) type = Bytes(4, Bytes(1, type));
  const std::string model = Bytes(7, Bytes(11, Bytes(2, type)));
  EXPECT_THAT(Message(ReadModelFromBytes(model, "m").status()),
              HasSubstr("nest too deep"));
  const std::string groups(100'000, '\x7b');
  EXPECT_THAT(Message(ReadModelFromBytes(groups, "m").status()),
              HasSubstr("nest too deep"));
}

TEST(ReadModelTest, RefusesAStructureThatWouldFillTheMemory) {
  // 11 million empty nodes, two bytes each: 400 when parsed.
  std::string graph(22'000'000, '\0');
  for (size_t i = 0; i < graph.size(); i += 2) graph[i] = '\x0a';
  EXPECT_THAT(Message(ReadModelFromBytes(Bytes(7, graph), "m").status()),
              HasSubstr("more than 4 GiB of memory"));
}

// Protobuf's own stream ends at 2 GiB. The weights are a hole in the file.
TEST(ReadModelTest, ReadsAFileOfMoreThanTwoGigabytes) {
  constexpr uint64_t kWeights = uint64_t{5} << 29;
  std::string tensor = std::string("\x08\x01\x10\x01\x42\x01w", 7);
  AppendBytesHeader(9, kWeights, tensor);
  std::string graph = Bytes(1, Bytes(4, "Relu"));
  AppendBytesHeader(5, tensor.size() + kWeights, graph);
  const std::string tail = Bytes(2, "after the weights");
  graph += tensor;
  std::string head = "\x08\x08";
  AppendBytesHeader(7, graph.size() + kWeights + tail.size(), head);
  head += graph;
  const std::string path = testing::TempDir() + "/large.onnx";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fwrite(head.data(), 1, head.size(), file);
  const bool sought =
      std::fseek(file, static_cast<long>(kWeights), SEEK_CUR) == 0;
  std::fwrite(tail.data(), 1, tail.size(), file);
  const bool wrote = std::fclose(file) == 0 && sought;
  auto model = ReadModel(path);
  std::remove(path.c_str());
  if (!wrote) GTEST_SKIP() << "no room for a file with a hole";
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->proto->graph().name(), "after the weights");
  EXPECT_EQ(model->left_out.size(), 1u);
  EXPECT_EQ(model->left_out[0].end - model->left_out[0].begin,
            static_cast<int64_t>(kWeights));
}

TEST(ReadModelTest, SaysWhatAFileIsThatIsNoModel) {
  const struct {
    std::string bytes, message;
  } cases[] = {
      {"", "the file is empty"},
      {"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
      {"<!DOCTYPE html><html>", "a web page"},
      {std::string("\x1c\0\0\0TFL3", 8), "TensorFlow Lite"},
      {"PK\x03\x04", "zip"},
      {"\x08\x08", "it has no graph"},
      {"{\"a\": 1}", "not an ONNX model"},
  };
  for (const auto& c : cases) {
    auto read = ReadModelFromBytes(c.bytes, "m.onnx");
    EXPECT_TRUE(absl::IsInvalidArgument(read.status())) << c.bytes;
    EXPECT_THAT(Message(read.status()), HasSubstr(c.message));
  }
}

TEST(ReadModelTest, SaysWhatTheSystemSays) {
  EXPECT_TRUE(absl::IsNotFound(ReadModel("no/such/file.onnx").status()));
  EXPECT_THAT(Message(ReadModel(testing::TempDir()).status()),
              HasSubstr("is a folder"));
  EXPECT_THAT(Message(ReadModel("/dev/zero").status()),
              HasSubstr("is a device"));
}

TEST(ReadModelTest, ReadsTheTextSyntax) {
  const std::string text = R"(# a comment
      < ir_version: 8, opset_import: ["" : 17] >
      g (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) })";
  for (const char* name : {"m.onnxtxt", "stdin"}) {
    auto read = ReadModelFromBytes(text, name);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(read->is_text);
    EXPECT_EQ(read->proto->graph().node(0).op_type(), "Relu");
  }
  EXPECT_THAT(
      Message(ReadModelFromBytes("< ir_version: 8 > g (", "m").status()),
      HasSubstr("line"));
  EXPECT_FALSE(ReadModelFromBytes("<a: \"", "m.onnxtxt").ok());
  EXPECT_FALSE(ReadModelFromBytes("g (float[99999999999999999999] x) => () {}",
                                  "m.onnxtxt")
                   .ok());
  EXPECT_THAT(
      Message(ReadModelFromBytes(std::string(1 << 20, '<'), "m").status()),
      HasSubstr("nest too deep"));
}

TEST(ReadModelTest, NeverOpensExternalDataButNamesIt) {
  onnx::ModelProto model = SmallModel();
  for (const char* path : {"../../etc/passwd", "/dev/zero", "w.bin", "w.bin"}) {
    auto* tensor = model.mutable_graph()->add_initializer();
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    auto* entry = tensor->add_external_data();
    entry->set_key("location");
    entry->set_value(path);
  }
  auto read = ReadModelFromBytes(model.SerializeAsString(), "m.onnx");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->external_data,
              ElementsAre("../../etc/passwd", "/dev/zero", "w.bin"));
}

}  // namespace
}  // namespace memplan
