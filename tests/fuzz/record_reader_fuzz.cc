// Both readers of a record, the host's and the device's: any bytes, and the
// same bytes with their size and checksum put right, since no fuzzer guesses
// those.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "planner/crc32.h"
#include "planner/pattern_layout.h"
#include "planner/pattern_record.h"
#include "runtime/arena.h"
#include "runtime/memory_pattern.h"

namespace {

void Put(std::string& bytes, size_t at, uint64_t value, int width) {
  for (int i = 0; i < width; ++i, value >>= 8) {
    bytes[at + static_cast<size_t>(i)] = static_cast<char>(value & 0xff);
  }
}

void ReadOnDevice(const MemplanRecord& record) {
  MemplanPattern pattern;
  MemplanTensor tensor;
  MemplanArena arena;
  const int64_t dims[] = {1, 3, 8, 8};
  const MemplanShape shapes[] = {{"in", dims, 4}, {"x", dims, 2}};
  memplan_find_pattern(&record, shapes, 2, &pattern);
  for (uint32_t p = 0; p < record.pattern_count && p < 64; ++p) {
    if (memplan_pattern(&record, p, &pattern) != MEMPLAN_OK) std::abort();
    if (memplan_arena_init(&arena, nullptr, 0, &pattern) == MEMPLAN_OK) {
      (void)memplan_arena_get(&arena, "", "x", 0);
    }
    for (uint32_t t = 0; t < pattern.tensor_count && t < 256; ++t) {
      if (memplan_tensor(&pattern, t, &tensor) != MEMPLAN_OK) std::abort();
      if (tensor.offset + tensor.size > pattern.arena_size) std::abort();
      MemplanTensor found;
      (void)memplan_find_tensor(&pattern, tensor.scope, tensor.name, &found);
      (void)std::strlen(tensor.name);
    }
  }
}

void ReadBoth(const std::string& bytes) {
  const auto decoded = memplan::DecodeRecord(bytes);
  MemplanRecord record;
  const MemplanStatus status =
      memplan_open(bytes.data(), bytes.size(), &record);
  if (status == MEMPLAN_OK) ReadOnDevice(record);
  if (!decoded.ok()) return;
  if (status != MEMPLAN_OK) std::abort();
  const auto encoded = memplan::EncodeRecord(*decoded);
  if (!encoded.ok()) std::abort();
  if (*memplan::DecodeRecord(*encoded) != *decoded) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  ReadBoth(bytes);
  if (size < memplan::layout::kHeaderBytes) return 0;
  bytes.replace(0, 8, memplan::layout::kMagic);
  Put(bytes, memplan::layout::kTotalSize, size, 8);
  Put(bytes, memplan::layout::kCrc, 0, 4);
  Put(bytes, memplan::layout::kCrc, memplan::Crc32(bytes), 4);
  ReadBoth(bytes);
  return 0;
}
