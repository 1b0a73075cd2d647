#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "planner/export_c_header.h"
#include "planner/export_tflm.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PatternTensor Tensor(const std::string& name, int64_t offset, int64_t size) {
  PatternTensor tensor;
  tensor.name = name;
  tensor.offset = offset;
  tensor.size = size;
  tensor.lifespan = {1, 3};
  return tensor;
}

MemoryPattern Awkward() {
  MemoryPattern pattern;
  pattern.arena_size = 1024;
  pattern.alignment = 64;
  pattern.num_steps = 9;
  for (const char* name : {"conv1", "Conv1", "conv1_2", "a.b/c:0", "a_b_c_0",
                           "", "arena", "tensor", "\"quoted\\", "*/ #if 0",
                           "\xc3\xa9\x01"
                           "7",
                           "?\?/"}) {
    pattern.tensors.push_back(
        Tensor(name, static_cast<int64_t>(pattern.tensors.size()) * 64, 60));
  }
  pattern.tensors.push_back(Tensor("conv1", 832, 60));
  pattern.tensors.back().scope = "3.then_branch";
  return pattern;
}

TEST(ExportCHeaderTest, DefinesOffsetsAndSizes) {
  MemoryPattern pattern;
  pattern.arena_size = 4816896;
  pattern.alignment = 64;
  pattern.tensors = {Tensor("conv1", 64, 3211264)};
  EXPECT_EQ(*ExportCHeader(pattern, "net"),
            "/* Made by memplan. Sizes and offsets are bytes. */\n"
            "#ifndef NET_MEMORY_PLAN_H_\n"
            "#define NET_MEMORY_PLAN_H_\n\n"
            "#include <stdint.h>\n\n"
            "#define NET_ARENA_SIZE 4816896\n"
            "#define NET_ARENA_ALIGNMENT 64\n"
            "#define NET_TENSOR_COUNT 1\n\n"
            "#define NET_CONV1_OFFSET 64\n"
            "#define NET_CONV1_SIZE 3211264\n\n"
            "/* In the order of their first step; [begin, end) are steps. */\n"
            "static const struct {\n"
            "  const char *scope, *name;\n"
            "  uint64_t offset, size;\n"
            "  uint32_t begin, end;\n"
            "} net_tensors[] = {\n"
            "    {\"\", \"conv1\", 64, 3211264, 1, 3},\n"
            "};\n\n"
            "#endif /* NET_MEMORY_PLAN_H_ */\n");
}

TEST(ExportCHeaderTest, NamesDoNotClash) {
  const std::string text = *ExportCHeader(Awkward());
  for (const char* line :
       {"#define MODEL_CONV1_OFFSET 0\n", "#define MODEL_CONV1_2_OFFSET 64\n",
        "#define MODEL_CONV1_2_2_OFFSET 128\n",
        "#define MODEL_A_B_C_0_OFFSET 192\n",
        "#define MODEL_A_B_C_0_2_OFFSET 256\n", "#define MODEL__OFFSET 320\n",
        "#define MODEL_ARENA_2_OFFSET 384\n",
        "#define MODEL_3_THEN_BRANCH_CONV1_OFFSET 832\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

// A compiler takes it, warnings being errors, and the strings are the names.
TEST(ExportCHeaderTest, IsValidC) {
  if (std::system("command -v cc > /dev/null") != 0) GTEST_SKIP() << "no cc";
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/plan.h") << *ExportCHeader(Awkward());
  std::ofstream(folder + "/plan.c")
      << "#include <stdio.h>\n#include \"plan.h\"\n"
         "int main(void) {\n"
         "  for (int i = 0; i < MODEL_TENSOR_COUNT; ++i)\n"
         "    printf(\"%s|\", model_tensors[i].name);\n"
         "  return MODEL_A_B_C_0_2_OFFSET != 256;\n}\n";
  ASSERT_EQ(std::system(("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -o " +
                         folder + "/plan " + folder + "/plan.c")
                            .c_str()),
            0);
  FILE* program = popen((folder + "/plan").c_str(), "r");
  ASSERT_NE(program, nullptr);
  std::string text(1000, '\0');
  text.resize(fread(text.data(), 1, text.size(), program));
  EXPECT_EQ(pclose(program), 0);
  std::string expected;
  for (const PatternTensor& tensor : Awkward().tensors) {
    expected += tensor.name + "|";
  }
  EXPECT_EQ(text, expected);
}

TEST(ExportCHeaderTest, RefusesAPrefixThatIsNoIdentifier) {
  for (const char* prefix : {"", "1a", "a-b", "a b"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ExportCHeader({}, prefix).status()));
  }
  EXPECT_TRUE(ExportCHeader({}, "_a1").ok()) << "no tensors, no array";
}

TEST(ExportTflmTest, ListsOffsetsInTheOrderOfTheNames) {
  MemoryPattern pattern;
  pattern.arena_size = 512;
  pattern.tensors = {Tensor("b", 256, 8), Tensor("a", 0, 8)};
  pattern.tensors.push_back(Tensor("w", 64, 8));
  pattern.tensors.back().scope = "1.body";
  const std::string record = *ExportTflm(pattern, {"a", "w", "b"});
  const std::string expected(
      "\1\0\0\0"
      "\0\0\0\0"
      "\3\0\0\0"
      "\0\0\0\0"
      "\xff\xff\xff\xff"
      "\0\1\0\0",
      24);
  EXPECT_EQ(record, expected);
}

TEST(ExportTflmTest, RefusesOffsetsPast32Bits) {
  MemoryPattern pattern;
  pattern.tensors = {Tensor("a", int64_t{1} << 31, 8)};
  EXPECT_TRUE(absl::IsInvalidArgument(ExportTflm(pattern, {"a"}).status()));
}

TEST(ExportTflmTest, TakesTheMainGraphsNames) {
  Graph graph;
  graph.values.resize(3);
  graph.values[0].name = "x";
  graph.values[1].name = "inner";
  graph.values[1].scope = "0.body";
  graph.values[2].name = "y";
  EXPECT_THAT(MainGraphNames(graph), ElementsAre("x", "y"));
}

}  // namespace
}  // namespace memplan
