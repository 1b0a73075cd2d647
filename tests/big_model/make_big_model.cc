// Writes a model as large as asked for: a chain of MatMul and Relu whose
// weights are raw initializers.
//
//   make_big_model OUT.onnx [--pairs 24] [--weight-mib 64] [--sparse]
//
// Nodes: twice --pairs. Each MatMul has a square weight of --weight-mib MiB (0:
// 16 x 16 floats). --sparse leaves holes where the weights are: made at once,
// the same to a reader that does not look at them.
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>

#include "onnx_frontend/atomic_file.h"
#include "onnx_frontend/wire_walk.h"

namespace memplan {
namespace {

struct Options {
  std::string path;
  int64_t pairs = 24;
  int64_t weight_mib = 64;
  bool sparse = false;
};

std::string Bytes(uint32_t number, std::string_view payload) {
  std::string out;
  AppendBytesHeader(number, payload.size(), out);
  return out.append(payload);
}

std::string Varint(uint32_t number, uint64_t value) {
  std::string out;
  AppendVarint(uint64_t{number} << 3, out);
  AppendVarint(value, out);
  return out;
}

// ValueInfoProto of float32[16, width].
std::string Value(std::string_view name, int64_t width) {
  const std::string shape = Bytes(1, Varint(1, 16)) +
                            Bytes(1, Varint(1, static_cast<uint64_t>(width)));
  return Bytes(1, name) + Bytes(2, Bytes(1, Varint(1, 1) + Bytes(2, shape)));
}

std::string Node(std::string_view op, const std::string& input,
                 const std::string& weight, const std::string& output) {
  std::string node = Bytes(1, input);
  if (!weight.empty()) node += Bytes(1, weight);
  return node + Bytes(2, output) + Bytes(3, "node_" + output) + Bytes(4, op);
}

std::string Name(std::string_view stem, int64_t i) {
  return std::string(stem) + std::to_string(i);
}

// A TensorProto but for its data, which follows as raw_data.
std::string WeightHead(int64_t i, int64_t width, int64_t bytes) {
  std::string head = Varint(1, static_cast<uint64_t>(width)) +
                     Varint(1, static_cast<uint64_t>(width)) + Varint(2, 1) +
                     Bytes(8, Name("w", i));
  AppendBytesHeader(9, static_cast<uint64_t>(bytes), head);
  return head;
}

// Small floats, other ones in each weight.
void FillWeight(int64_t seed, std::string& weight) {
  uint32_t state = static_cast<uint32_t>(seed) * 2654435761u + 1;
  for (size_t at = 0; at + 4 <= weight.size(); at += 4) {
    state = state * 1664525u + 1013904223u;
    const float value =
        (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * 0.01f;
    std::memcpy(weight.data() + at, &value, 4);
  }
}

bool WriteModel(const Options& options, int fd) {
  int64_t bytes = options.weight_mib << 20;
  if (bytes == 0) bytes = 16 * 16 * 4;
  const auto width = static_cast<int64_t>(std::sqrt(bytes / 4));
  bytes = width * width * 4;
  std::string graph;
  int64_t weights = 0;
  for (int64_t i = 0; i < options.pairs; ++i) {
    graph += Bytes(1, Node("MatMul", i == 0 ? "x" : Name("r", i - 1),
                           Name("w", i), Name("m", i)));
    graph += Bytes(1, Node("Relu", Name("m", i), "", Name("r", i)));
    const auto tensor =
        static_cast<int64_t>(WeightHead(i, width, bytes).size()) + bytes;
    std::string header;
    AppendBytesHeader(5, static_cast<uint64_t>(tensor), header);
    weights += static_cast<int64_t>(header.size()) + tensor;
  }
  graph += Bytes(2, "big") + Bytes(11, Value("x", width)) +
           Bytes(12, Value(Name("r", options.pairs - 1), width));
  std::string head = Varint(1, 8) + Bytes(8, Varint(2, 17));
  AppendBytesHeader(7, graph.size() + static_cast<uint64_t>(weights), head);
  if (!WriteAll(fd, head + graph)) return false;
  std::string weight(options.sparse ? 0 : static_cast<size_t>(bytes), '\0');
  for (int64_t i = 0; i < options.pairs; ++i) {
    const std::string tensor = WeightHead(i, width, bytes);
    std::string start;
    AppendBytesHeader(5, tensor.size() + static_cast<uint64_t>(bytes), start);
    if (!WriteAll(fd, start + tensor)) return false;
    FillWeight(i, weight);
    if (options.sparse ? lseek(fd, bytes, SEEK_CUR) < 0
                       : !WriteAll(fd, weight)) {
      return false;
    }
  }
  return ftruncate(fd, lseek(fd, 0, SEEK_CUR)) == 0;
}

bool ReadOptions(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--sparse") {
      options.sparse = true;
    } else if (word == "--pairs" && i + 1 < argc) {
      options.pairs = std::atoll(argv[++i]);
    } else if (word == "--weight-mib" && i + 1 < argc) {
      options.weight_mib = std::atoll(argv[++i]);
    } else {
      options.path = word;
    }
  }
  return !options.path.empty() && options.pairs > 0 && options.weight_mib >= 0;
}

int Main(int argc, char** argv) {
  Options options;
  if (!ReadOptions(argc, argv, options)) {
    std::cerr << "usage: make_big_model OUT.onnx [--pairs N] [--weight-mib N]"
                 " [--sparse]\n";
    return 2;
  }
  const int fd = open(options.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0 || !WriteModel(options, fd) || close(fd) != 0) {
    std::perror(options.path.c_str());
    return 7;
  }
  return 0;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) { return memplan::Main(argc, argv); }
