/* Prints the memory plan that an ONNX model carries, as a device would read it:
 * finds the record in the file, decodes it, checks it, and walks its tensors.
 *
 *   read_plan MODEL.onnx
 *
 * Reads the file's top-level fields only, so that the size of the model does
 * not matter; the one allocation is for the record. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/example/base64.h"
#include "runtime/memory_pattern.h"

/* Protobuf's wire format, as far as a ModelProto needs it. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
enum { METADATA_FIELD = 14, KEY_FIELD = 1, VALUE_FIELD = 2 };

static const char kKey[] = "dev.memplan.pattern";

static int read_varint(FILE *file, uint64_t *value) {
  unsigned shift;
  *value = 0;
  for (shift = 0; shift < 64; shift += 7) {
    const int byte = getc(file);
    if (byte == EOF) return 0;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return 1;
  }
  return 0;
}

/* Steps over `bytes`; in pieces, since a long may have 32 bits. */
static int skip(FILE *file, uint64_t bytes) {
  while (bytes > 0) {
    const long step = bytes > 0x40000000u ? 0x40000000L : (long)bytes;
    if (fseek(file, step, SEEK_CUR) != 0) return 0;
    bytes -= (uint64_t)step;
  }
  return 1;
}

/* Reads an entry of metadata_props, `left` bytes. Returns its value where the
 * key is ours, in memory to be freed; else NULL. */
static uint8_t *read_entry(FILE *file, uint64_t left, size_t *length) {
  uint8_t *value = NULL;
  int is_ours = 0;
  while (left > 0) {
    const long start = ftell(file);
    uint64_t tag, size;
    if (!read_varint(file, &tag) || (tag & 7) != BYTES ||
        !read_varint(file, &size) || size > left) {
      break;
    }
    left -= (uint64_t)(ftell(file) - start);
    if (size > left) break;
    left -= size;
    if (tag >> 3 == KEY_FIELD && size == sizeof(kKey) - 1) {
      char key[sizeof(kKey)] = {0};
      if (fread(key, 1, sizeof(kKey) - 1, file) != sizeof(kKey) - 1) break;
      is_ours = strcmp(key, kKey) == 0;
    } else if (is_ours && tag >> 3 == VALUE_FIELD && value == NULL &&
               size < SIZE_MAX) {
      value = (uint8_t *)malloc((size_t)size + 1);
      if (value == NULL || fread(value, 1, (size_t)size, file) != size) break;
      *length = (size_t)size;
    } else if (!skip(file, size)) {
      break;
    }
  }
  if (left == 0 && is_ours) return value;
  free(value);
  return NULL;
}

/* Finds our entry among the model's top-level fields. */
static uint8_t *find_record(FILE *file, size_t *length) {
  uint8_t *found = NULL;
  uint64_t tag, number;
  while (read_varint(file, &tag)) {
    const unsigned type = (unsigned)(tag & 7);
    if (type == VARINT) {
      if (!read_varint(file, &number)) break;
    } else if (type == FIXED64 || type == FIXED32) {
      if (!skip(file, type == FIXED64 ? 8 : 4)) break;
    } else if (type != BYTES || !read_varint(file, &number)) {
      break;
    } else if (tag >> 3 == METADATA_FIELD) {
      const long start = ftell(file);
      uint8_t *value = read_entry(file, number, length);
      if (value != NULL) {
        free(found);
        found = value;
      }
      if (fseek(file, start, SEEK_SET) != 0 || !skip(file, number)) break;
    } else if (!skip(file, number)) {
      break;
    }
  }
  return found;
}

static int print_pattern(const MemplanPattern *pattern) {
  uint32_t i;
  MemplanTensor tensor;
  printf("arena %" PRIu64 " bytes, alignment %" PRIu64 ", %" PRIu32
         " tensors%s\n",
         pattern->arena_size, pattern->alignment, pattern->tensor_count,
         pattern->is_optimal ? ", optimal" : "");
  for (i = 0; i < pattern->tensor_count; ++i) {
    if (memplan_tensor(pattern, i, &tensor) != MEMPLAN_OK) return 0;
    printf("%10" PRIu64 " %10" PRIu64 "  [%" PRIu32 ", %" PRIu32 ")  %s%s%s\n",
           tensor.offset, tensor.size, tensor.begin, tensor.end, tensor.scope,
           tensor.scope[0] != 0 ? "/" : "", tensor.name);
  }
  return 1;
}

int main(int argc, char **argv) {
  FILE *file;
  uint8_t *bytes;
  size_t length = 0, size = 0;
  uint32_t i;
  MemplanRecord record;
  MemplanPattern pattern;
  MemplanStatus status;
  if (argc != 2) {
    fprintf(stderr, "usage: read_plan MODEL.onnx\n");
    return 2;
  }
  file = fopen(argv[1], "rb");
  if (file == NULL) {
    perror(argv[1]);
    return 7;
  }
  bytes = find_record(file, &length);
  fclose(file);
  if (bytes == NULL) {
    fprintf(stderr, "%s: carries no plan\n", argv[1]);
    return 1;
  }
  status = base64_decode(bytes, length, &size)
               ? memplan_open(bytes, size, &record)
               : MEMPLAN_DAMAGED;
  for (i = 0; status == MEMPLAN_OK && i < record.pattern_count; ++i) {
    status = memplan_pattern(&record, i, &pattern);
    if (status == MEMPLAN_OK && !print_pattern(&pattern)) {
      status = MEMPLAN_DAMAGED;
    }
  }
  free(bytes);
  if (status != MEMPLAN_OK) {
    fprintf(stderr, "%s: the plan is damaged (%d)\n", argv[1], (int)status);
    return 1;
  }
  return 0;
}
