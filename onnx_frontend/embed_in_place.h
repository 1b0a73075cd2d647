#ifndef MEMPLAN_ONNX_FRONTEND_EMBED_IN_PLACE_H_
#define MEMPLAN_ONNX_FRONTEND_EMBED_IN_PLACE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

// How a field is appended to a protobuf file so that the file is valid at every
// moment, without rewriting what is there.
//
// A plain append is not: until its last byte is written, the file ends with a
// field that is cut off, and no reader takes it. Growing the file and making it
// valid are two writes, and a crash may come between. So the file grows by
// small fields that are whole each, which readers skip (their number, 15, is
// none of ModelProto's); then they are joined to one, its content is replaced,
// which may be cut anywhere since nobody looks at it, and at last one byte
// turns the field into the entry of metadata_props that it was to be:
//
//   grow    model |7a .. key|7a .. 0|7a .. 0|     each write one whole field
//   join    model |7a ........................|   one byte of its length a time
//   fill    model |7a .. key, base64 ..........|  any part of it
//   show    model |72 .. key, base64 ..........|  one byte
//
// The first field's length is written with as many bytes as the final length
// has, its higher digits zero; setting a digit joins as many fields as it
// counts, so each interval between two such lengths is filled with whole
// fields.
//
// What must be atomic is one byte, and the append of one field that lies within
// a page of the page cache. Where even the latter is cut (a reservation that
// begins right before a page's end must cross it; a file system may do what it
// likes), the file ends with a torn reservation; FindOwnFields knows it, and
// the next embedding or stripping takes it out.
struct FileWrite {
  int64_t offset = 0;
  std::string bytes;
  bool after_sync = false;  // all earlier writes must be on the disk before
};

// The writes that append `field` (from MakePatternField) to a file of
// `file_size` bytes, in order. The last one must be synced, too.
std::vector<FileWrite> PlanAppend(int64_t file_size, std::string_view field);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_EMBED_IN_PLACE_H_
