#include "planner/memory_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "planner/numbers_text.h"
#include "planner/printable.h"
#include "planner/report.h"

namespace memplan {
namespace {

constexpr char kLetters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr size_t kNumLetters = sizeof(kLetters) - 1;
constexpr int kScaleWidth = 12;  // "  5.36 MiB |"
constexpr int kMaxColumnsAStep = 6;

char LetterOf(size_t storage) { return kLetters[storage % kNumLetters]; }

// What is known of a cell: how much of it is taken, and by whom most.
struct Cell {
  double taken = 0;
  double most = 0;
  size_t storage = 0;
};

// The grid, its axes: `columns` over `steps`, `rows` over `bytes`.
struct Grid {
  int columns = 1;
  int rows = 1;
  double steps = 1;
  double bytes = 1;
  std::vector<Cell> cells;  // row 0 is the lowest

  Cell& at(int row, int column) {
    return cells[static_cast<size_t>(row * columns + column)];
  }
};

Grid MakeGrid(const MemoryPattern& pattern, const MemoryMapOptions& options) {
  Grid grid;
  const int64_t width = std::max(options.width - kScaleWidth, 8);
  const int64_t steps = std::max<int64_t>(pattern.num_steps, 1);
  // Whole columns a step, where there is room for it.
  grid.columns = static_cast<int>(
      steps >= width
          ? width
          : steps * std::min<int64_t>(width / steps, kMaxColumnsAStep));
  const int64_t units = std::max<int64_t>(
      pattern.arena_size / std::max<int64_t>(pattern.alignment, 1), 1);
  grid.rows =
      static_cast<int>(std::min<int64_t>(units, std::max(options.height, 1)));
  grid.steps = static_cast<double>(steps);
  grid.bytes = static_cast<double>(std::max<int64_t>(pattern.arena_size, 1));
  grid.cells.resize(static_cast<size_t>(grid.columns * grid.rows));
  return grid;
}

// How far [begin, end) reaches over cell `i` of cells that are `size` wide.
double Share(double begin, double end, int i, double size) {
  return std::max(0.0,
                  std::min(end, (i + 1) * size) - std::max(begin, i * size)) /
         size;
}

int CellOf(double position, double size, int count) {
  return std::clamp(static_cast<int>(position / size), 0, count - 1);
}

void Draw(const PatternStorage& storage, size_t index, Grid& grid) {
  const double column_size = grid.steps / grid.columns;
  const double row_size = grid.bytes / grid.rows;
  const auto begin = static_cast<double>(storage.lifespan.begin);
  const auto end = static_cast<double>(storage.lifespan.end);
  const auto low = static_cast<double>(storage.offset);
  const double high = low + static_cast<double>(storage.size);
  if (begin >= end || low >= high) return;
  const int last_column = CellOf(end, column_size, grid.columns);
  const int last_row = CellOf(high, row_size, grid.rows);
  for (int r = CellOf(low, row_size, grid.rows); r <= last_row; ++r) {
    const double height = Share(low, high, r, row_size);
    for (int c = CellOf(begin, column_size, grid.columns); c <= last_column;
         ++c) {
      const double area = height * Share(begin, end, c, column_size);
      Cell& cell = grid.at(r, c);
      cell.taken += area;
      if (area <= cell.most) continue;
      cell.most = area;
      cell.storage = index;
    }
  }
}

char CharacterOf(const Cell& cell) {
  constexpr double kRounding = 1e-9;
  if (cell.taken <= kRounding) return '.';
  if (cell.taken < 0.5 - kRounding) return ':';
  return LetterOf(cell.storage);
}

// The first column of the step at which most bytes are live.
int PeakColumn(const std::vector<PatternStorage>& storages, const Grid& grid) {
  const int64_t step = PeakOf(storages).step;
  return CellOf(static_cast<double>(step), grid.steps / grid.columns,
                grid.columns);
}

std::string Legend(const MemoryPattern& pattern,
                   const std::vector<PatternStorage>& storages, int max_rows) {
  std::vector<size_t> by_size(storages.size());
  for (size_t i = 0; i < by_size.size(); ++i) by_size[i] = i;
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) {
    return storages[a].size > storages[b].size;
  });
  std::string text;
  const size_t rows =
      std::min(by_size.size(), static_cast<size_t>(std::max(max_rows, 0)));
  for (size_t i = 0; i < rows; ++i) {
    const PatternStorage& storage = storages[by_size[i]];
    const PatternTensor& root =
        pattern.tensors[static_cast<size_t>(storage.root)];
    absl::StrAppendFormat(&text, "  %c  %10s  %s\n", LetterOf(by_size[i]),
                          HumanBytes(storage.size), Printable(root.name));
  }
  if (rows < by_size.size()) {
    absl::StrAppend(
        &text, "  and ",
        Counted(static_cast<int64_t>(by_size.size() - rows), "smaller buffer"),
        "; letters go round\n");
  }
  return text;
}

}  // namespace

std::string MemoryMap(const MemoryPattern& pattern,
                      const MemoryMapOptions& options) {
  if (pattern.arena_size <= 0) return "";
  const std::vector<PatternStorage> storages = StoragesOf(pattern);
  Grid grid = MakeGrid(pattern, options);
  for (size_t i = 0; i < storages.size(); ++i) Draw(storages[i], i, grid);

  std::string text;
  for (int r = grid.rows - 1; r >= 0; --r) {
    // The scale names the bytes at the upper edge of every fourth row.
    const bool is_named = (grid.rows - 1 - r) % 4 == 0;
    const auto edge =
        static_cast<int64_t>(grid.bytes / grid.rows * (r + 1) + 0.5);
    absl::StrAppendFormat(&text, "%10s |", is_named ? HumanBytes(edge) : "");
    for (int c = 0; c < grid.columns; ++c) text += CharacterOf(grid.at(r, c));
    text += "\n";
  }
  const std::string indent(kScaleWidth, ' ');
  const std::string last = absl::StrCat(pattern.num_steps - 1);
  const auto columns = static_cast<size_t>(grid.columns);
  const size_t between =
      columns > last.size() + 1 ? columns - last.size() - 1 : 1;
  absl::StrAppend(&text, indent.substr(1), "+", std::string(columns, '-'),
                  "\n");
  absl::StrAppend(&text, indent, "0", std::string(between, ' '), last,
                  "  step\n");
  absl::StrAppend(
      &text, indent,
      std::string(static_cast<size_t>(PeakColumn(storages, grid)), ' '),
      "^ most bytes live\n");
  return text + Legend(pattern, storages, options.legend_rows);
}

}  // namespace memplan
