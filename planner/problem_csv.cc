#include "planner/problem_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/strings.h"

namespace memplan {
namespace {

enum Column { kId, kLower, kUpper, kSize, kAlignment, kOffset, kHint };
constexpr size_t kNumColumns = 7;

struct ColumnName {
  std::string_view name;
  Column column;
};

constexpr ColumnName kColumnNames[] = {
    {"id", kId},         {"buffer", kId},
    {"buffer_id", kId},  {"lower", kLower},
    {"start", kLower},   {"begin", kLower},
    {"upper", kUpper},   {"end", kUpper},
    {"size", kSize},     {"alignment", kAlignment},
    {"offset", kOffset}, {"hint", kHint},
};

// Where each column stands in a row, and how many fields a row has.
struct Header {
  std::array<std::optional<size_t>, kNumColumns> position;
  size_t num_fields = 0;
  bool inclusive_end = false;
};

absl::Status LineError(size_t line, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
}

// What a user typed, short enough for a message and without control characters.
std::string Shown(std::string_view field) {
  std::string result = "'";
  for (const char c : field.substr(0, 40)) {
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return absl::StrCat(result, field.size() > 40 ? "...'" : "'");
}

std::string_view Trim(std::string_view s) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t first = s.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlank) - first + 1);
}

// Splits a line at commas; a field may be quoted, with "" for a quote in it.
absl::StatusOr<std::vector<std::string>> SplitLine(size_t line,
                                                   std::string_view text) {
  std::vector<std::string> fields;
  while (true) {
    const size_t start = std::min(text.find_first_not_of(" \t"), text.size());
    std::string field;
    if (start < text.size() && text[start] == '"') {
      size_t i = start + 1;
      while (i < text.size() &&
             (text[i] != '"' || text.substr(i, 2) == "\"\"")) {
        field += text[i];
        i += text[i] == '"' ? 2 : 1;
      }
      if (i == text.size()) return LineError(line, "a quote is not closed");
      text.remove_prefix(i + 1);
      const size_t comma = std::min(text.find(','), text.size());
      if (!Trim(text.substr(0, comma)).empty()) {
        return LineError(line, "text follows a closing quote");
      }
    } else {
      field = Trim(text.substr(0, text.find(',')));
    }
    fields.push_back(std::move(field));
    const size_t comma = text.find(',');
    if (comma == std::string_view::npos) return fields;
    text.remove_prefix(comma + 1);
  }
}

absl::StatusOr<Header> ReadHeader(size_t line,
                                  const std::vector<std::string>& fields) {
  Header header;
  header.num_fields = fields.size();
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto* known =
        std::find_if(std::begin(kColumnNames), std::end(kColumnNames),
                     [&](const ColumnName& c) { return c.name == fields[i]; });
    if (known == std::end(kColumnNames)) {
      return LineError(
          line, absl::StrCat("unknown column ", Shown(fields[i]),
                             "; known: id, lower, upper (or end, inclusive), "
                             "size, alignment, offset, hint"));
    }
    if (header.position[known->column]) {
      return LineError(line, absl::StrCat("column ", Shown(fields[i]),
                                          " stands for one that is there"));
    }
    header.position[known->column] = i;
    if (known->name == "end") header.inclusive_end = true;
  }
  constexpr std::string_view kRequired[] = {"id", "lower", "upper", "size"};
  for (size_t column = 0; column < std::size(kRequired); ++column) {
    if (header.position[column]) continue;
    return LineError(line, absl::StrCat("the header has no column '",
                                        AsAbsl(kRequired[column]), "'"));
  }
  return header;
}

absl::StatusOr<int64_t> ReadNumber(size_t line, std::string_view name,
                                   std::string_view field) {
  int64_t number = 0;
  const char* const end = field.data() + field.size();
  const auto [at, error] = std::from_chars(field.data(), end, number);
  if (error == std::errc::result_out_of_range) {
    return LineError(line, absl::StrCat(AsAbsl(name), " ", Shown(field),
                                        " does not fit 64 bits"));
  }
  if (error != std::errc() || at != end) {
    return LineError(line, absl::StrCat(AsAbsl(name), " ", Shown(field),
                                        " is not a whole number"));
  }
  return number;
}

absl::StatusOr<Buffer> ReadBuffer(size_t line, const Header& header,
                                  const std::vector<std::string>& fields) {
  const auto field = [&](Column column) -> std::string_view {
    return fields[*header.position[column]];
  };
  Buffer buffer;
  const auto lower = ReadNumber(line, "lower", field(kLower));
  if (!lower.ok()) return lower.status();
  const auto upper = ReadNumber(line, "upper", field(kUpper));
  if (!upper.ok()) return upper.status();
  const auto size = ReadNumber(line, "size", field(kSize));
  if (!size.ok()) return size.status();
  const auto end = CheckedAdd(*upper, header.inclusive_end ? 1 : 0);
  if (!end) return LineError(line, "the end does not fit 64 bits");
  buffer.lifespan = {*lower, *end};
  buffer.size = *size;
  if (header.position[kAlignment]) {
    const auto alignment = ReadNumber(line, "alignment", field(kAlignment));
    if (!alignment.ok()) return alignment.status();
    buffer.alignment = *alignment;
  }
  if (header.position[kOffset] && !field(kOffset).empty()) {
    const auto offset = ReadNumber(line, "offset", field(kOffset));
    if (!offset.ok()) return offset.status();
    buffer.fixed_offset = *offset;
  }
  return buffer;
}

// The first line whose id was there before, if any.
absl::Status CheckIds(const std::vector<std::string>& ids,
                      const std::vector<size_t>& lines) {
  std::vector<size_t> order(ids.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
  });
  for (size_t i = 1; i < order.size(); ++i) {
    const size_t first = order[i - 1];
    const size_t second = order[i];
    if (ids[first] != ids[second]) continue;
    return LineError(lines[second],
                     absl::StrCat("id ", Shown(ids[second]),
                                  " was used on line ", lines[first]));
  }
  return absl::OkStatus();
}

std::string Quoted(const std::string& id) {
  if (!id.empty() && id.find_first_of(",\" \t\r\n") == std::string::npos) {
    return id;
  }
  std::string result = "\"";
  for (const char c : id) {
    if (c == '"') result += '"';
    result += c == '\n' || c == '\r' ? ' ' : c;  // a row is a line
  }
  return result + "\"";
}

}  // namespace

absl::StatusOr<CsvProblem> ReadProblemCsv(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
  CsvProblem result;
  std::optional<Header> header;
  std::vector<size_t> lines;
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t length = std::min(text.find('\n'), text.size());
    const std::string_view row = Trim(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    if (row.empty()) continue;
    const auto fields = SplitLine(line, row);
    if (!fields.ok()) return fields.status();
    if (!header) {
      const auto read = ReadHeader(line, *fields);
      if (!read.ok()) return read.status();
      header = *read;
      continue;
    }
    if (fields->size() != header->num_fields) {
      return LineError(
          line, absl::StrCat("has ", fields->size(), " fields, the header has ",
                             header->num_fields));
    }
    const auto buffer = ReadBuffer(line, *header, *fields);
    if (!buffer.ok()) return buffer.status();
    result.problem.buffers.push_back(*buffer);
    result.ids.push_back((*fields)[*header->position[kId]]);
    lines.push_back(line);
  }
  if (!header) return LineError(1, "there is no header: id,lower,upper,size");
  result.inclusive_end = header->inclusive_end;
  if (absl::Status s = CheckIds(result.ids, lines); !s.ok()) return s;
  return result;
}

absl::Status CheckCsvProblem(const CsvProblem& problem) {
  return CheckProblem(problem.problem, [&](size_t index) {
    return absl::StrCat("buffer ", Shown(problem.ids[index]));
  });
}

std::string WriteProblemCsv(const CsvProblem& problem,
                            const Solution* solution) {
  const std::vector<Buffer>& buffers = problem.problem.buffers;
  const bool with_alignment =
      std::any_of(buffers.begin(), buffers.end(),
                  [](const Buffer& b) { return b.alignment != 1; });
  const bool with_offset =
      solution != nullptr ||
      std::any_of(buffers.begin(), buffers.end(),
                  [](const Buffer& b) { return b.fixed_offset.has_value(); });
  std::string text = "id,lower,upper,size";
  if (with_alignment) text += ",alignment";
  if (with_offset) text += ",offset";
  text += '\n';
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    absl::StrAppend(&text, Quoted(problem.ids[i]), ",", buffer.lifespan.begin,
                    ",", buffer.lifespan.end, ",", buffer.size);
    if (with_alignment) absl::StrAppend(&text, ",", buffer.alignment);
    if (solution != nullptr) {
      absl::StrAppend(&text, ",", solution->offsets[i]);
    } else if (buffer.fixed_offset) {
      absl::StrAppend(&text, ",", *buffer.fixed_offset);
    } else if (with_offset) {
      text += ',';
    }
    text += '\n';
  }
  return text;
}

}  // namespace memplan
