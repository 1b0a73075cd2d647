// generate_models DIR [NAME...]: writes the architectures as DIR/NAME.onnx;
// without names, those that stand in the repository's models/. The name
// bert:LAYERS gives BERT with that many layers, as DIR/bert.onnx.

#include <algorithm>
#include <charconv>
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

// The layers in "bert:LAYERS"; 0 for other names.
int LayersOf(std::string_view name) {
  constexpr std::string_view kPrefix = "bert:";
  if (name.substr(0, kPrefix.size()) != kPrefix) return 0;
  int layers = 0;
  std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(),
                  layers);
  return layers;
}

bool WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  file.close();
  if (!file.good()) std::cerr << "cannot write " << path << '\n';
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: generate_models DIR [NAME...]\nnames:";
    for (const auto& architecture : memplan::models::Architectures()) {
      std::cerr << ' ' << architecture.name;
    }
    std::cerr << " bert:LAYERS\n";
    return 2;
  }
  const std::string folder = argv[1];
  const std::vector<std::string_view> names(argv + 2, argv + argc);
  for (const auto& architecture : memplan::models::Architectures()) {
    if (!Wanted(architecture, names)) continue;
    const std::string path =
        folder + "/" + std::string(architecture.name) + ".onnx";
    if (!WriteFile(path, architecture.generate())) return 7;
  }
  for (const std::string_view name : names) {
    const int layers = LayersOf(name);
    if (layers < 1) continue;
    const std::string bytes = memplan::models::BertEncoder(layers);
    if (!WriteFile(folder + "/bert.onnx", bytes)) return 7;
  }
  return 0;
}
