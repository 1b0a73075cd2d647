#include "onnx_frontend/embed_in_place.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/own_fields.h"
#include "onnx_frontend/read_model.h"

namespace memplan {
namespace {

// A valid model of exactly `size` bytes.
std::string ModelOfSize(size_t size) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->add_node()->set_op_type("Relu");
  std::string bytes = model.SerializeAsString();
  // Twice, since the length of the length grows, too.
  for (int i = 0; i < 2 && bytes.size() < size; ++i) {
    const size_t words = model.producer_name().size() + size - bytes.size();
    model.set_producer_name(std::string(words - (i == 0 ? 3 : 0), 'p'));
    bytes = model.SerializeAsString();
  }
  return bytes;
}

void Write(const FileWrite& write, size_t length, std::string& file) {
  const auto offset = static_cast<size_t>(write.offset);
  if (file.size() < offset + length) file.resize(offset + length);
  file.replace(offset, length, write.bytes, 0, length);
}

// What any reader of ONNX sees, our own key and unknown fields aside.
std::string SeenByOthers(const std::string& file, bool& valid) {
  onnx::ModelProto model;
  valid = model.ParseFromString(file);
  model.mutable_unknown_fields()->Clear();
  model.clear_metadata_props();
  return model.SerializeAsString();
}

// Cuts the writes at each byte, and looks at the file as it then is.
void CutEverywhere(const std::string& model, const std::string& record) {
  const std::string field = MakePatternField(record);
  bool valid;
  const std::string seen = SeenByOthers(model, valid);
  ASSERT_TRUE(valid);
  std::string file = model;
  for (const FileWrite& write :
       PlanAppend(static_cast<int64_t>(model.size()), field)) {
    const bool grows = write.offset + static_cast<int64_t>(write.bytes.size()) >
                       static_cast<int64_t>(file.size());
    // A write that grows the file is one field within a page, and so atomic;
    // were it cut, other readers would not take the file, but we still do.
    for (size_t cut = 0; cut <= write.bytes.size(); ++cut) {
      std::string torn = file;
      Write(write, cut, torn);
      ASSERT_EQ(*StripBytes(torn), model) << write.offset << " cut " << cut;
      if (grows && cut > 0 && cut < write.bytes.size()) {
        ASSERT_TRUE(ReadModelFromBytes(torn, "m").ok());
        continue;
      }
      ASSERT_EQ(SeenByOthers(torn, valid), seen);
      ASSERT_TRUE(valid) << write.offset << " cut " << cut;
      const auto own = FindOwnFields(torn);
      const bool whole = torn == model + field;
      ASSERT_EQ(own->records.size(), whole ? 1u : 0u);
    }
    Write(write, write.bytes.size(), file);
  }
  EXPECT_EQ(file, model + field);
}

TEST(EmbedInPlaceTest, EveryPrefixOfItsWritesIsAModel) {
  for (const size_t size : {100u, 4000u, 4094u, 4095u, 4096u, 4097u, 8191u}) {
    const std::string model = ModelOfSize(size);
    ASSERT_EQ(model.size(), size);
    for (const size_t record : {80u, 96u, 111u, 3000u, 12'300u}) {
      CutEverywhere(model, std::string(record, 'r'));
    }
  }
}

TEST(EmbedInPlaceTest, EveryLengthOfARecordWorks) {
  const std::string model = ModelOfSize(4000);
  for (size_t record = 80; record < 400; ++record) {
    const std::string field = MakePatternField(std::string(record, 'r'));
    std::string file = model;
    for (const FileWrite& write :
         PlanAppend(static_cast<int64_t>(model.size()), field)) {
      Write(write, write.bytes.size(), file);
      ASSERT_EQ(*StripBytes(file), model) << record;
    }
    ASSERT_EQ(file, model + field) << record;
  }
}

TEST(EmbedInPlaceTest, GrowsByFieldsWithinAPage) {
  const std::string field = MakePatternField(std::string(300'000, 'r'));
  std::string file = ModelOfSize(5000);
  int64_t size = static_cast<int64_t>(file.size());
  for (const FileWrite& write : PlanAppend(size, field)) {
    const int64_t end = write.offset + static_cast<int64_t>(write.bytes.size());
    if (end <= size) {
      EXPECT_TRUE(write.bytes.size() == 1 || write.after_sync);
      continue;
    }
    EXPECT_EQ(write.offset, size) << "no holes";
    EXPECT_EQ(write.offset / 4096, (end - 1) / 4096);
    size = end;
  }
  EXPECT_EQ(size, 5000 + static_cast<int64_t>(field.size()));
}

}  // namespace
}  // namespace memplan
