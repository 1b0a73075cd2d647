#include "models/generate/architectures.h"

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx_pb.h"
#include "tests/test_paths.h"

namespace memplan::models {
namespace {

onnx::ModelProto Parse(const std::string& bytes) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(bytes));
  return model;
}

int64_t Elements(const onnx::TensorProto& tensor) {
  int64_t elements = 1;
  for (const int64_t dim : tensor.dims()) elements *= dim;
  return elements;
}

// Floating-point weights. What is stored and is no parameter: position indices
// and masks (integers, booleans), and a matrix that the model holds twice.
int64_t Parameters(const onnx::ModelProto& model) {
  int64_t parameters = 0;
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT) continue;
    if (tensor.name() == "lm_head.weight_of_wte") continue;
    parameters += Elements(tensor);
  }
  return parameters;
}

// Batch normalisation has two parameters a channel, scale and shift. Folded,
// the scale goes into the convolution's weights and the shift becomes its bias:
// one is gone for each channel that a convolution produces.
int64_t ParametersBeforeFolding(const onnx::ModelProto& model) {
  std::map<std::string, int64_t> biases;
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    biases[tensor.name()] = Elements(tensor);
  }
  int64_t parameters = Parameters(model);
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() == "Conv") parameters += biases.at(node.input(2));
  }
  return parameters;
}

TEST(ArchitecturesTest, FilesInTheRepositoryAreWhatTheGeneratorWrites) {
  int count = 0;
  for (const Architecture& architecture : Architectures()) {
    if (!architecture.in_repository) continue;
    ++count;
    const std::string path =
        SourceDir() + "/models/" + std::string(architecture.name) + ".onnx";
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file.good()) << path;
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(bytes == architecture.generate())
        << path << " is stale: run generate_models models";
    EXPECT_LT(bytes.size(), 128 * 1024) << path;
  }
  EXPECT_EQ(count, 4);
}

TEST(ArchitecturesTest, EveryTensorHasOneProducerAndEveryWeightAReader) {
  for (const Architecture& architecture : Architectures()) {
    SCOPED_TRACE(architecture.name);
    const onnx::ModelProto model = Parse(architecture.generate());
    std::set<std::string> produced;
    std::set<std::string> read;
    for (const auto& input : model.graph().input()) {
      EXPECT_TRUE(produced.insert(input.name()).second) << input.name();
    }
    for (const auto& tensor : model.graph().initializer()) {
      EXPECT_TRUE(produced.insert(tensor.name()).second) << tensor.name();
    }
    for (const onnx::NodeProto& node : model.graph().node()) {
      for (const std::string& input : node.input()) {
        EXPECT_TRUE(produced.contains(input)) << input;
        read.insert(input);
      }
      for (const std::string& output : node.output()) {
        EXPECT_TRUE(produced.insert(output).second) << output;
      }
    }
    for (const auto& tensor : model.graph().initializer()) {
      EXPECT_TRUE(read.contains(tensor.name())) << tensor.name();
    }
  }
}

TEST(ArchitecturesTest, WeightsHaveNoContent) {
  for (const Architecture& architecture : Architectures()) {
    const onnx::ModelProto model = Parse(architecture.generate());
    for (const auto& tensor : model.graph().initializer()) {
      EXPECT_EQ(tensor.data_location(), onnx::TensorProto::EXTERNAL);
      EXPECT_FALSE(tensor.has_raw_data()) << tensor.name();
    }
  }
}

// Counts of torchvision's model pages.
TEST(ArchitecturesTest, ConvolutionalNetworksHaveThePublishedParameters) {
  const onnx::ModelProto resnet = Parse(ResNet50());
  EXPECT_EQ(ParametersBeforeFolding(resnet), 25'557'032);
  EXPECT_EQ(Parameters(resnet), 25'557'032 - 26'560);

  const onnx::ModelProto mobilenet = Parse(MobileNetV2());
  EXPECT_EQ(ParametersBeforeFolding(mobilenet), 3'504'872);
  EXPECT_EQ(Parameters(mobilenet), 3'504'872 - 17'056);

  // 27,161,264, of which the auxiliary classifier has 3,326,696.
  EXPECT_EQ(ParametersBeforeFolding(Parse(InceptionV3())),
            27'161'264 - 3'326'696);
  // The paper says 4.2 million.
  EXPECT_EQ(ParametersBeforeFolding(Parse(MobileNetV1())), 4'231'976);
}

// Counts of Hugging Face's bert-base-uncased and gpt2.
TEST(ArchitecturesTest, TransformersHaveThePublishedParameters) {
  EXPECT_EQ(Parameters(Parse(BertBase())), 109'482'240);
  EXPECT_EQ(Parameters(Parse(Gpt2Decoder())), 124'439'808);
}

}  // namespace
}  // namespace memplan::models
