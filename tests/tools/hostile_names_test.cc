#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "onnx_frontend/wire_walk.h"
#include "tests/tools/run_program.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kHidden = "h\x1b[31m\n\xff";
constexpr std::string_view kInput = "x\r\x07";
constexpr std::string_view kSymbol = "N\x1b]\n0;";

std::string Field(uint32_t number, std::string_view payload) {
  std::string out;
  AppendBytesHeader(number, payload.size(), out);
  return out.append(payload);
}

std::string Node(std::string_view op, std::string_view in,
                 std::string_view out) {
  return Field(
      1, Field(1, in) + Field(2, out) + Field(3, "\x1b[2J\n") + Field(4, op));
}

// float32[N]
std::string Value(std::string_view name) {
  const std::string shape = Field(1, Field(2, kSymbol));
  return Field(1, name) + Field(2, Field(1, "\x08\x01" + Field(2, shape)));
}

std::string Model() {
  const std::string graph = Node("Relu", kInput, kHidden) +
                            Node("Exp", kHidden, "e") + Node("Neg", "e", "y") +
                            Field(11, Value(kInput)) + Field(12, Value("y"));
  return "\x08\x08" + Field(8, "\x10\x11") + Field(7, graph);
}

bool IsPlainText(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c == '\n' || (c >= 0x20 && c < 0x7f);
  });
}

class HostileNamesTest : public ::testing::Test {
 protected:
  HostileNamesTest()
      : folder_(fs::path(::testing::TempDir()) /
                ("memplan_names_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(Path("m.onnx"), std::ios::binary) << Model();
  }
  ~HostileNamesTest() override { fs::remove_all(folder_); }
  std::string Path(const char* name) const { return folder_ / name; }

  fs::path folder_;
};

TEST_F(HostileNamesTest, DoNothingToATerminal) {
  const std::string model = Path("m.onnx");
  const std::string dim = "--dim=" + std::string(kSymbol) + "=4";
  const std::vector<std::vector<std::string>> commands = {
      {"plan", model},
      {"plan", model, dim},
      {"plan", model, "--require-complete"},
      {"plan", model, "--dim", "M=1"},
      {"plan", model, "--input-shape", "z:1"},
      {"inspect", model, "--dims"},
      {"embed", model, dim, "-o", Path("e.onnx")},
      {"inspect", Path("e.onnx")},
      {"check", Path("e.onnx")},
      {"export", Path("e.onnx"), dim, "--format", "c"},
  };
  for (const auto& command : commands) {
    const ProgramResult result = RunMemplan(command);
    EXPECT_TRUE(IsPlainText(result.out + result.err))
        << command[0] << ": " << result.out << result.err;
  }
  EXPECT_THAT(RunMemplan(commands[1]).out, HasSubstr("h\\x1b[31m\\n\\xff"));
}

TEST_F(HostileNamesTest, AreValidInJson) {
  const ProgramResult result =
      RunMemplan({"plan", Path("m.onnx"), "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json.at("unplaced").at(0).at("name"), kInput);
}

}  // namespace
}  // namespace memplan
