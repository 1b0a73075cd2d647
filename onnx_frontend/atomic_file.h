#ifndef MEMPLAN_ONNX_FRONTEND_ATOMIC_FILE_H_
#define MEMPLAN_ONNX_FRONTEND_ATOMIC_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/own_fields.h"

namespace memplan {

// A file in the making: written beside its final place under another name, and
// renamed when it is whole. Without Commit, nothing remains of it. Pipes and
// devices, and stdout ("-"), are written directly. Links are followed.
class AtomicFile {
 public:
  // `mode` are the permissions of a new file, less the user's umask; an
  // existing file's stay.
  static absl::StatusOr<AtomicFile> Create(const std::string& path,
                                           unsigned mode);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  absl::Status Append(std::string_view bytes);
  // Appends bytes of another open file, inside the kernel where it can.
  absl::Status AppendFrom(int fd, ByteRange range);

  // Puts the file in its place. Where one was there, the new one is on the disk
  // first, so that a crash leaves one of the two; a wholly new file is left to
  // the system to write, as cp leaves it.
  absl::Status Commit();

 private:
  AtomicFile() = default;
  absl::Status CopyByHand(int fd, ByteRange range);
  bool OpenUnnamed(unsigned mode);
  bool OpenTemporary(unsigned mode);
  bool NameUnnamed();
  template <typename Make>
  bool MakeTemporary(const Make& make);

  std::string path_;
  std::string temporary_;  // its name so far; empty: in its place, or no name
  int fd_ = -1;
  bool is_unnamed_ = false;  // until Commit
  bool replaces_ = false;    // a regular file
};

// pwrite and write until all is written; false with errno set.
bool WriteAll(int fd, std::string_view bytes);
bool WriteAllAt(int fd, std::string_view bytes, int64_t offset);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ATOMIC_FILE_H_
