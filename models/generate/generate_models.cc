// generate_models DIR [NAME...]: writes the architectures as DIR/NAME.onnx;
// without names, those that stand in the repository's models/.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "models/generate/architectures.h"

namespace {

bool Wanted(const memplan::models::Architecture& architecture,
            const std::vector<std::string_view>& names) {
  if (names.empty()) return architecture.in_repository;
  return std::find(names.begin(), names.end(), architecture.name) !=
         names.end();
}

bool WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  file.close();
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: generate_models DIR [NAME...]\nnames:";
    for (const auto& architecture : memplan::models::Architectures()) {
      std::cerr << ' ' << architecture.name;
    }
    std::cerr << '\n';
    return 2;
  }
  const std::string folder = argv[1];
  const std::vector<std::string_view> names(argv + 2, argv + argc);
  for (const auto& architecture : memplan::models::Architectures()) {
    if (!Wanted(architecture, names)) continue;
    const std::string path =
        folder + "/" + std::string(architecture.name) + ".onnx";
    if (!WriteFile(path, architecture.generate())) {
      std::cerr << "cannot write " << path << '\n';
      return 7;
    }
  }
  return 0;
}
