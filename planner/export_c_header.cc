#include "planner/export_c_header.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "planner/strings.h"

namespace memplan {
namespace {

bool IsIdentifier(std::string_view text) {
  if (text.empty() ||
      absl::ascii_isdigit(static_cast<unsigned char>(text[0]))) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_';
  });
}

// "block.0/conv:out" -> "BLOCK_0_CONV_OUT".
std::string Capitals(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    result.push_back(absl::ascii_isalnum(byte)
                         ? static_cast<char>(absl::ascii_toupper(byte))
                         : '_');
  }
  return result;
}

// Gives out each identifier once.
class Identifiers {
 public:
  std::string Take(const std::string& wanted) {
    std::string name = wanted;
    int& count = counts_[wanted];  // where the search went on last time
    while (!taken_.insert(name).second) {
      name = absl::StrCat(wanted, "_", ++count + 1);
    }
    return name;
  }

 private:
  absl::flat_hash_set<std::string> taken_;
  absl::flat_hash_map<std::string, int> counts_;
};

// A C string literal. Octal escapes end after three digits, whatever follows;
// "??" could begin a trigraph.
std::string Literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?' || !absl::ascii_isprint(byte)) {
      absl::StrAppendFormat(&result, "\\%03o", byte);
    } else {
      result.push_back(c);
    }
  }
  return result + "\"";
}

std::string QualifiedName(const PatternTensor& tensor) {
  return tensor.scope.empty() ? tensor.name
                              : absl::StrCat(tensor.scope, "_", tensor.name);
}

std::string Totals(const MemoryPattern& pattern, const std::string& capital) {
  return absl::StrCat("#define ", capital, "_ARENA_SIZE ", pattern.arena_size,
                      "\n#define ", capital, "_ARENA_ALIGNMENT ",
                      pattern.alignment, "\n#define ", capital,
                      "_TENSOR_COUNT ", pattern.tensors.size(), "\n");
}

std::string Defines(const MemoryPattern& pattern, const std::string& capital) {
  Identifiers identifiers;
  identifiers.Take(capital + "_ARENA");  // its size stands above
  std::string text;
  for (const PatternTensor& tensor : pattern.tensors) {
    const std::string name = identifiers.Take(
        absl::StrCat(capital, "_", Capitals(QualifiedName(tensor))));
    absl::StrAppend(&text, "#define ", name, "_OFFSET ", tensor.offset,
                    "\n#define ", name, "_SIZE ", tensor.size, "\n");
  }
  return text;
}

// In the order of the first step. C has no empty arrays.
std::string Table(const MemoryPattern& pattern, std::string_view prefix) {
  if (pattern.tensors.empty()) return "";
  std::string text = absl::StrCat(
      "\n/* In the order of their first step; [begin, end) are steps. */\n"
      "static const struct {\n"
      "  const char *scope, *name;\n"
      "  uint64_t offset, size;\n"
      "  uint32_t begin, end;\n"
      "} ",
      AsAbsl(prefix), "_tensors[] = {\n");
  for (const PatternTensor& tensor : pattern.tensors) {
    absl::StrAppend(&text, "    {", Literal(tensor.scope), ", ",
                    Literal(tensor.name), ", ", tensor.offset, ", ",
                    tensor.size, ", ", tensor.lifespan.begin, ", ",
                    tensor.lifespan.end, "},\n");
  }
  return text + "};\n";
}

}  // namespace

absl::StatusOr<std::string> ExportCHeader(const MemoryPattern& pattern,
                                          std::string_view prefix) {
  if (!IsIdentifier(prefix)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", AsAbsl(prefix), "' is no C identifier"));
  }
  const std::string capital = Capitals(prefix);
  const std::string guard = capital + "_MEMORY_PLAN_H_";
  return absl::StrCat("/* Made by memplan. Sizes and offsets are bytes. */\n",
                      "#ifndef ", guard, "\n#define ", guard,
                      "\n\n#include <stdint.h>\n\n", Totals(pattern, capital),
                      "\n", Defines(pattern, capital), Table(pattern, prefix),
                      "\n#endif /* ", guard, " */\n");
}

}  // namespace memplan
