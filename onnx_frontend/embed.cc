#include "onnx_frontend/embed.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/atomic_file.h"
#include "onnx_frontend/embed_in_place.h"
#include "onnx_frontend/mapped_file.h"
#include "onnx_frontend/own_fields.h"
#include "onnx_frontend/reorder_bytes.h"
#include "onnx_frontend/skeleton.h"
#include "onnx_frontend/text_model.h"
#include "planner/pattern_record.h"
#include "planner/strings.h"

namespace memplan {
namespace {

constexpr unsigned kNewFileMode = 0666;

absl::Status Prefixed(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

absl::StatusOr<OwnFields> Inspect(const std::string& path,
                                  std::string_view bytes) {
  if (bytes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the file is empty"));
  }
  if (absl::EndsWith(path, ".onnxtxt") || LooksLikeTextModel(bytes)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        ": a text model cannot hold a plan; convert it to .onnx first, or "
        "write the plan to a file of its own (--sidecar)"));
  }
  absl::StatusOr<OwnFields> own = FindOwnFields(bytes);
  if (!own.ok()) return Prefixed(path, own.status());
  if (!own->has_graph) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": not an ONNX model: it has no graph"));
  }
  return own;
}

// The model's own bytes: all but ours.
std::vector<ByteRange> KeptRanges(std::string_view bytes,
                                  const OwnFields& own) {
  std::vector<ByteRange> kept;
  int64_t begin = 0;
  for (const ByteRange& range : own.ranges) {
    if (begin < range.begin) kept.push_back({begin, range.begin});
    begin = range.end;
  }
  const auto end = static_cast<int64_t>(bytes.size());
  if (begin < end) kept.push_back({begin, end});
  return kept;
}

int64_t TotalBytes(const std::vector<ByteRange>& ranges) {
  int64_t total = 0;
  for (const ByteRange& range : ranges) total += range.end - range.begin;
  return total;
}

std::string_view Slice(std::string_view bytes, const ByteRange& range) {
  return bytes.substr(static_cast<size_t>(range.begin),
                      static_cast<size_t>(range.end - range.begin));
}

std::string FolderOf(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::weakly_canonical(
      std::filesystem::absolute(path, error).parent_path(), error);
  return folder.string();
}

// External data is found from the model's own folder.
void WarnOfExternalData(const std::string& in, const std::string& out,
                        std::string_view bytes, EmbedResult& result) {
  if (in != "-" && out != "-" && FolderOf(in) == FolderOf(out)) return;
  const absl::StatusOr<Skeleton> skeleton = CutWeights(bytes);
  if (!skeleton.ok() || skeleton->external_data.empty()) return;
  const size_t count = skeleton->external_data.size();
  std::string files = absl::StrCat("'", skeleton->external_data[0], "'");
  if (count > 1) absl::StrAppend(&files, " and ", count - 1, " more");
  result.warnings.push_back(absl::StrCat(
      "the model keeps weights in other files, which it looks for in its own "
      "folder; copy ",
      files, " to the folder of ", out));
}

// What follows the model's own bytes, and how those are to be ordered.
struct Change {
  std::string tail;
  FileOrders orders;
};

// Writes the kept ranges and the tail to `out`.
absl::StatusOr<EmbedResult> Rewrite(const MappedFile& file,
                                    const OwnFields& own, const std::string& in,
                                    const std::string& out,
                                    const Change& change) {
  const absl::StatusOr<std::vector<ByteRange>> kept =
      RangesInOrder(file.bytes(), KeptRanges(file.bytes(), own), change.orders);
  if (!kept.ok()) return Prefixed(in, kept.status());
  EmbedResult result;
  result.records_removed = static_cast<int64_t>(own.records.size());
  WarnOfExternalData(in, out, file.bytes(), result);
  struct stat info;
  const bool has_mode = file.fd() >= 0 && fstat(file.fd(), &info) == 0;
  absl::StatusOr<AtomicFile> target =
      AtomicFile::Create(out, has_mode ? info.st_mode : kNewFileMode);
  if (!target.ok()) return target.status();
  for (const ByteRange& range : *kept) {
    absl::Status status = file.fd() >= 0
                              ? target->AppendFrom(file.fd(), range)
                              : target->Append(Slice(file.bytes(), range));
    if (!status.ok()) return status;
  }
  absl::Status status = target->Append(change.tail);
  if (status.ok()) status = target->Commit();
  if (!status.ok()) return status;
  result.file_bytes =
      TotalBytes(*kept) + static_cast<int64_t>(change.tail.size());
  return result;
}

absl::StatusOr<EmbedResult> RewriteWith(const std::string& in,
                                        const std::string& out,
                                        const Change& change) {
  absl::StatusOr<MappedFile> file = MappedFile::Open(in);
  if (!file.ok()) return file.status();
  absl::StatusOr<OwnFields> own = Inspect(in, file->bytes());
  if (!own.ok()) return own.status();
  return Rewrite(*file, *own, in, out, change);
}

bool Apply(int fd, const std::vector<FileWrite>& writes) {
  for (const FileWrite& write : writes) {
    if (write.after_sync && fdatasync(fd) != 0) return false;
    if (!WriteAllAt(fd, write.bytes, write.offset)) return false;
  }
  return fdatasync(fd) == 0;
}

// Replaces what follows `end` by `field`; an empty one just cuts.
absl::Status ReplaceTail(int fd, int64_t end, std::string_view field,
                         const std::string& path) {
  // Takes the room before anything is changed: a full disk must not cost the
  // earlier plan. Not every file system can.
  if (!field.empty() &&
      fallocate(fd, FALLOC_FL_KEEP_SIZE, end,
                static_cast<off_t>(field.size())) != 0 &&
      (errno == ENOSPC || errno == EDQUOT)) {
    return SystemError(errno, path);
  }
  if (ftruncate(fd, end) != 0) return SystemError(errno, path);
  const bool done =
      field.empty() ? fsync(fd) == 0 : Apply(fd, PlanAppend(end, field));
  if (done) return absl::OkStatus();
  const absl::Status status = SystemError(errno, path);
  // Back to the model without a plan; were this to fail, too, the reservation
  // would stay, which readers skip.
  [[maybe_unused]] const int ignored = ftruncate(fd, end);
  return status;
}

absl::StatusOr<EmbedResult> ChangeInPlace(const std::string& path,
                                          const Change& change) {
  const std::string_view field = change.tail;
  absl::StatusOr<MappedFile> file =
      MappedFile::Open(path, MappedFile::Access::kReadWrite);
  if (!file.ok()) return file.status();
  absl::StatusOr<OwnFields> own = Inspect(path, file->bytes());
  if (!own.ok()) return own.status();
  if (file->fd() < 0) {
    return absl::UnavailableError(
        absl::StrCat(path, ": not a file that can be changed in place"));
  }
  if (flock(file->fd(), LOCK_EX | LOCK_NB) != 0) {
    return absl::UnavailableError(
        absl::StrCat(path, ": another program is changing it"));
  }
  EmbedResult result;
  result.records_removed = static_cast<int64_t>(own->records.size());
  const std::vector<ByteRange> kept = KeptRanges(file->bytes(), *own);
  const int64_t end = TotalBytes(kept);
  result.file_bytes = end + static_cast<int64_t>(field.size());
  // Ours in the middle: another tool appended to the model after us.
  if (kept.size() > 1 || kept.front().begin > 0 || !change.orders.empty()) {
    return Rewrite(*file, *own, path, path, change);
  }
  if (field.empty() && own->ranges.empty()) return result;
  file->Unmap();
  absl::Status status = ReplaceTail(file->fd(), end, field, path);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<std::string> Joined(std::string_view model,
                                   const Change& change) {
  const absl::StatusOr<OwnFields> own = Inspect("model", model);
  if (!own.ok()) return own.status();
  const absl::StatusOr<std::vector<ByteRange>> kept =
      RangesInOrder(model, KeptRanges(model, *own), change.orders);
  if (!kept.ok()) return Prefixed("model", kept.status());
  std::string out;
  for (const ByteRange& range : *kept) out += Slice(model, range);
  return out.append(change.tail);
}

}  // namespace

absl::StatusOr<EmbedResult> EmbedRecord(const std::string& in,
                                        const std::string& out,
                                        std::string_view record,
                                        const FileOrders& orders) {
  return RewriteWith(in, out, {MakePatternField(record), orders});
}

absl::StatusOr<EmbedResult> EmbedInPlace(const std::string& path,
                                         std::string_view record,
                                         const FileOrders& orders) {
  return ChangeInPlace(path, {MakePatternField(record), orders});
}

absl::StatusOr<EmbedResult> StripRecord(const std::string& in,
                                        const std::string& out) {
  return RewriteWith(in, out, {"", {}});
}

absl::StatusOr<EmbedResult> StripInPlace(const std::string& path) {
  return ChangeInPlace(path, {"", {}});
}

absl::StatusOr<std::string> EmbedInBytes(std::string_view model,
                                         std::string_view record,
                                         const FileOrders& orders) {
  return Joined(model, {MakePatternField(record), orders});
}

absl::StatusOr<std::string> StripBytes(std::string_view model) {
  return Joined(model, {"", {}});
}

absl::Status WriteSidecar(const std::string& path, std::string_view record) {
  absl::StatusOr<AtomicFile> file = AtomicFile::Create(path, kNewFileMode);
  if (!file.ok()) return file.status();
  if (absl::Status status = file->Append(record); !status.ok()) return status;
  return file->Commit();
}

absl::StatusOr<std::string> ReadSidecar(const std::string& path) {
  absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return file.status();
  if (!LooksLikeRecord(file->bytes())) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": not a memory pattern record"));
  }
  return std::string(file->bytes());
}

}  // namespace memplan
