#include "planner/report.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "planner/numbers_text.h"
#include "planner/printable.h"
#include "planner/sharing_roots.h"

namespace memplan {
namespace {

// A name that is longer is cut in its middle: both ends tell names apart.
constexpr size_t kMaxNameWidth = 40;

bool BeginsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// In characters of UTF-8, so that columns stand straight.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), BeginsCharacter));
}

// The byte at which character `n` begins.
size_t ByteOf(const std::string& text, size_t n) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (BeginsCharacter(text[at]) && n-- == 0) break;
  }
  return at;
}

std::string Shorten(const std::string& name) {
  const size_t width = Width(name);
  if (width <= kMaxNameWidth) return name;
  const size_t head = (kMaxNameWidth - 2) / 2;
  const size_t tail = kMaxNameWidth - 2 - head;
  return absl::StrCat(name.substr(0, ByteOf(name, head)), "..",
                      name.substr(ByteOf(name, width - tail)));
}

std::string FullName(const PatternTensor& tensor) {
  if (tensor.scope.empty()) return Shorten(Printable(tensor.name));
  return Shorten(Printable(absl::StrCat(tensor.scope, ": ", tensor.name)));
}

const char* Verb(SharingKind sharing) {
  switch (sharing) {
    case SharingKind::kNone:
      return "";
    case SharingKind::kView:
      return "view of ";
    case SharingKind::kInPlace:
      return "in place of ";
    case SharingKind::kPart:
      return "part of ";
  }
  return "";
}

std::string SharesWith(const MemoryPattern& pattern,
                       const PatternTensor& tensor) {
  if (!tensor.shares_with) return "";
  const size_t base = static_cast<size_t>(*tensor.shares_with);
  if (base >= pattern.tensors.size()) return "";
  return Verb(tensor.sharing) + FullName(pattern.tensors[base]);
}

struct Column {
  std::string title;
  bool is_number = false;
  std::vector<std::string> cells;
};

std::string Pad(const std::string& text, size_t width, bool is_number) {
  const std::string fill(width - std::min(width, Width(text)), ' ');
  return is_number ? fill + text : text + fill;
}

std::string Lay(const std::vector<Column>& columns, size_t rows) {
  std::vector<std::string> lines(rows + 1);
  for (const Column& column : columns) {
    size_t width = Width(column.title);
    bool is_empty = true;
    for (const std::string& cell : column.cells) {
      width = std::max(width, Width(cell));
      is_empty = is_empty && cell.empty();
    }
    if (is_empty && rows > 0) continue;
    for (size_t row = 0; row <= rows; ++row) {
      if (!lines[row].empty()) lines[row] += "  ";
      lines[row] += Pad(row == 0 ? column.title : column.cells[row - 1], width,
                        column.is_number);
    }
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace

std::string TensorTable(const MemoryPattern& pattern,
                        const std::vector<TensorNote>& notes) {
  std::vector<Column> columns = {{"tensor", false, {}}, {"type", false, {}},
                                 {"shape", false, {}},  {"size", true, {}},
                                 {"offset", true, {}},  {"steps", true, {}},
                                 {"shares", false, {}}, {"remark", false, {}}};
  for (size_t i = 0; i < pattern.tensors.size(); ++i) {
    const PatternTensor& tensor = pattern.tensors[i];
    const TensorNote note = i < notes.size() ? notes[i] : TensorNote();
    const std::string row[] = {
        FullName(tensor),
        note.type,
        note.shape,
        absl::StrCat(tensor.size_is_bound ? "<=" : "", Grouped(tensor.size)),
        Grouped(tensor.offset),
        absl::StrCat(tensor.lifespan.begin, "..", tensor.lifespan.end - 1),
        SharesWith(pattern, tensor),
        note.remark};
    for (size_t c = 0; c < columns.size(); ++c) {
      columns[c].cells.push_back(row[c]);
    }
  }
  return Lay(columns, pattern.tensors.size());
}

std::vector<PatternStorage> StoragesOf(const MemoryPattern& pattern) {
  const size_t n = pattern.tensors.size();
  const std::vector<int32_t> roots = SharingRoots(pattern);
  std::map<int32_t, PatternStorage> storages;
  for (size_t i = 0; i < n; ++i) {
    const PatternTensor& tensor = pattern.tensors[i];
    const int32_t root = roots[i];
    const PatternTensor& base = pattern.tensors[static_cast<size_t>(root)];
    const auto [row, is_new] = storages.emplace(
        root, PatternStorage{root, base.offset, base.size, tensor.lifespan, 1});
    if (is_new) continue;
    PatternStorage& storage = row->second;
    storage.lifespan.begin =
        std::min(storage.lifespan.begin, tensor.lifespan.begin);
    storage.lifespan.end = std::max(storage.lifespan.end, tensor.lifespan.end);
    ++storage.num_tensors;
  }
  std::vector<PatternStorage> sorted;
  for (const auto& [root, storage] : storages) sorted.push_back(storage);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const PatternStorage& a, const PatternStorage& b) {
                     return a.lifespan.begin < b.lifespan.begin;
                   });
  return sorted;
}

PatternPeak PeakOf(const std::vector<PatternStorage>& storages) {
  std::map<int64_t, int64_t> changes;  // step -> bytes that come or go
  for (const PatternStorage& storage : storages) {
    if (storage.lifespan.begin >= storage.lifespan.end) continue;
    changes[storage.lifespan.begin] += storage.size;
    changes[storage.lifespan.end] -= storage.size;
  }
  PatternPeak peak;
  int64_t bytes = 0;
  for (const auto& [step, change] : changes) {
    bytes += change;
    if (bytes > peak.bytes) peak = {step, bytes};
  }
  return peak;
}

std::string PatternTotals(const MemoryPattern& pattern) {
  const auto line = [](const char* label, int64_t bytes,
                       const std::string& remark) {
    return absl::StrFormat("%-16s %10s %20s%s\n", label, HumanBytes(bytes),
                           Grouped(bytes) + " bytes",
                           remark.empty() ? "" : "   " + remark);
  };
  const int64_t gap = pattern.arena_size - pattern.max_live_bytes;
  std::string text = line("arena", pattern.arena_size,
                          pattern.optimal ? "optimal: proved" : "");
  text += line("max live bytes", pattern.max_live_bytes, "");
  if (pattern.lower_bound > pattern.max_live_bytes) {
    text += line("lower bound", pattern.lower_bound, "proved");
  }
  text += line("gap", gap, "arena - max live bytes");
  absl::StrAppend(
      &text, Counted(static_cast<int64_t>(pattern.tensors.size()), "tensor"),
      " in ",
      Counted(static_cast<int64_t>(StoragesOf(pattern).size()), "buffer"), ", ",
      Counted(pattern.num_steps, "step"), ", alignment ", pattern.alignment,
      ", solver ", pattern.solver, "\n");
  if (!pattern.inputs.empty()) {
    absl::StrAppend(
        &text, "for the inputs ",
        absl::StrJoin(pattern.inputs, ", ",
                      [](std::string* out, const PatternInput& input) {
                        absl::StrAppend(out, Printable(input.name), "[",
                                        absl::StrJoin(input.shape, ","), "]");
                      }),
        "\n");
  }
  return text;
}

std::string LiveAtPeak(const MemoryPattern& pattern, size_t max_rows) {
  std::vector<PatternStorage> storages = StoragesOf(pattern);
  const auto [step, most] = PeakOf(storages);
  std::erase_if(storages, [at = step](const PatternStorage& storage) {
    return storage.size == 0 || storage.lifespan.begin > at ||
           storage.lifespan.end <= at;
  });
  if (storages.empty()) return "";
  std::stable_sort(storages.begin(), storages.end(),
                   [](const PatternStorage& a, const PatternStorage& b) {
                     return a.size > b.size;
                   });
  std::string text = absl::StrCat("live at step ", step, ", where most is (",
                                  HumanBytes(most), "):\n");
  int64_t rest = 0;
  for (size_t i = 0; i < storages.size(); ++i) {
    const PatternStorage& storage = storages[i];
    if (i >= max_rows) {
      rest += storage.size;
      continue;
    }
    absl::StrAppendFormat(
        &text, "  %10s  %s, steps %d to %d", HumanBytes(storage.size),
        FullName(pattern.tensors[static_cast<size_t>(storage.root)]),
        storage.lifespan.begin, storage.lifespan.end - 1);
    if (storage.num_tensors > 1) {
      absl::StrAppend(&text, ", with ",
                      Counted(storage.num_tensors - 1, "other tensor"));
    }
    text += "\n";
  }
  if (storages.size() > max_rows) {
    absl::StrAppendFormat(
        &text, "  %10s  in %s\n", HumanBytes(rest),
        Counted(static_cast<int64_t>(storages.size() - max_rows), "more"));
  }
  return text;
}

}  // namespace memplan
