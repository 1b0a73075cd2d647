#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "planner/memory_map.h"
#include "planner/numbers_text.h"
#include "planner/printable.h"
#include "planner/report.h"

namespace memplan {
namespace {

// The drawing's own units; the page scales it to its window.
constexpr double kWidth = 1000;
constexpr double kHeight = 500;

constexpr char kHead[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title>
<style>
body { font: 14px sans-serif; margin: 1.5em; }
svg { width: 100%%; height: 75vh; background: #f4f4f4; }
rect { stroke: #fff; stroke-width: 1; vector-effect: non-scaling-stroke; }
rect:hover { stroke: #000; }
pre { line-height: 1.3; }
</style></head><body>
<h1>%s</h1>
<p>Steps go right, bytes go up: %s of arena, %s. Point at a buffer to see
what lives there.</p>
<svg viewBox="0 0 %.0f %.0f" preserveAspectRatio="none">
)";

std::string Escape(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

// Neighbours in time get colours far apart: steps by the golden angle.
std::string ColorOf(size_t storage) {
  return absl::StrFormat("hsl(%d,55%%,%d%%)",
                         static_cast<int>(storage * 137 % 360),
                         55 + static_cast<int>(storage % 3) * 8);
}

std::string Rectangle(const MemoryPattern& pattern,
                      const PatternStorage& storage, size_t index) {
  const PatternTensor& root =
      pattern.tensors[static_cast<size_t>(storage.root)];
  const double step =
      kWidth / static_cast<double>(std::max<int64_t>(pattern.num_steps, 1));
  const double byte = kHeight / static_cast<double>(pattern.arena_size);
  const double height = static_cast<double>(storage.size) * byte;
  const double top =
      kHeight - static_cast<double>(storage.offset) * byte - height;
  const Lifespan& span = storage.lifespan;
  std::string tip = absl::StrCat(
      root.scope.empty() ? "" : Printable(root.scope) + ": ",
      Printable(root.name), "\n", Grouped(storage.size), " bytes at ",
      Grouped(storage.offset), "\nsteps ", span.begin, " to ", span.end - 1);
  if (storage.num_tensors > 1) {
    absl::StrAppend(&tip, "\nwith ",
                    Counted(storage.num_tensors - 1, "other tensor"));
  }
  return absl::StrFormat(
      "<rect x=\"%.3f\" y=\"%.3f\" width=\"%.3f\" height=\"%.3f\" "
      "fill=\"%s\"><title>%s</title></rect>\n",
      static_cast<double>(span.begin) * step, top,
      static_cast<double>(span.end - span.begin) * step, height, ColorOf(index),
      Escape(tip));
}

}  // namespace

std::string MemoryMapHtml(const MemoryPattern& pattern,
                          const std::string& title) {
  const std::vector<PatternStorage> storages = StoragesOf(pattern);
  const std::string name = Escape(title);
  std::string page =
      absl::StrFormat(kHead, name, name, HumanBytes(pattern.arena_size),
                      Counted(pattern.num_steps, "step"), kWidth, kHeight);
  for (size_t i = 0; i < storages.size(); ++i) {
    if (storages[i].size > 0 && pattern.arena_size > 0) {
      page += Rectangle(pattern, storages[i], i);
    }
  }
  absl::StrAppend(&page, "</svg>\n<pre>", Escape(PatternTotals(pattern)), "\n",
                  Escape(LiveAtPeak(pattern)), "</pre>\n</body></html>\n");
  return page;
}

}  // namespace memplan
