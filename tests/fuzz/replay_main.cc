// Runs a fuzz target over kept inputs, without a fuzzer: the files given, and
// those in the folders given.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

int Run(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()),
                           bytes.size());
    return 1;
  }
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    count += Run(entry.path());
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  for (int i = 1; i < argc; ++i) count += Run(argv[i]);
  std::cout << count << " inputs\n";
  return count > 0 ? 0 : 1;
}
