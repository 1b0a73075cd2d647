/* Reads memory patterns on the device: the record that memplan puts into a
 * model, described in docs/file_formats.md. One header, C99 and C++; it
 * allocates nothing, keeps no state, needs no floating point and no library,
 * and reads the record where it lies, at any address, on machines of either
 * byte order.
 *
 *   MemplanRecord record;
 *   MemplanPattern pattern;
 *   MemplanTensor tensor;
 *   if (memplan_open(bytes, size, &record) != MEMPLAN_OK) ...
 *   if (memplan_pattern(&record, 0, &pattern) != MEMPLAN_OK) ...
 *   if (memplan_find_tensor(&pattern, "", "conv1", &tensor) == MEMPLAN_OK) {
 *     address = arena + tensor.offset;
 *   }
 *
 * memplan_open believes nothing: it checks the checksum, and each count, offset
 * and index, so that what follows cannot read outside the record, whoever made
 * it. Its cost is one pass over the record; a tensor is then found in
 * O(log n). The record's bytes must stay as long as what was read from them. */
#ifndef MEMPLAN_RUNTIME_MEMORY_PATTERN_H_
#define MEMPLAN_RUNTIME_MEMORY_PATTERN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MEMPLAN_OK = 0,
  MEMPLAN_NOT_A_RECORD,
  MEMPLAN_NEWER_VERSION, /* a newer major version, or a flag of one */
  MEMPLAN_DAMAGED,       /* cut off, changed, or out of bounds */
  MEMPLAN_NOT_FOUND,
  MEMPLAN_BAD_BLOCK /* of runtime/arena.h: too small, or not aligned */
} MemplanStatus;

typedef struct {
  const uint8_t *data;
  size_t size;
  uint64_t fingerprint_low, fingerprint_high; /* of the graph */
  uint32_t pattern_count;
  uint32_t pattern_size;  /* bytes of a row */
  size_t patterns_offset; /* in data */
  size_t strings_offset, strings_size;
} MemplanRecord;

/* For one set of input shapes. Sizes are bytes. */
typedef struct {
  const MemplanRecord *record;
  uint64_t arena_size;
  uint64_t alignment;      /* that the arena's address must have */
  uint64_t max_live_bytes; /* no plan can be lower */
  uint64_t lower_bound;
  uint64_t num_steps;
  int is_optimal; /* proved: no arena is smaller */
  int is_wide;
  const char *solver;
  uint32_t tensor_count, tensor_size;
  uint32_t input_count, input_size;
  size_t tensors_offset, index_offset, inputs_offset;
} MemplanPattern;

typedef enum {
  MEMPLAN_OWN_BYTES = 0,
  MEMPLAN_VIEW = 1,     /* the same content as the tensor that it shares with */
  MEMPLAN_IN_PLACE = 2, /* overwrites it */
  MEMPLAN_PART = 3      /* a part of it */
} MemplanSharing;

typedef struct {
  const char *scope; /* "" in the main graph, else as in docs/design.md */
  const char *name;
  uint64_t offset, size; /* bytes from the arena's start; exact */
  uint32_t begin, end;   /* steps [begin, end) that need the bytes */
  MemplanSharing sharing;
  uint32_t shares_with; /* a tensor's number; only where it shares */
  int size_is_bound;    /* a run may find a smaller tensor */
} MemplanTensor;

/* The shape of an input, for choosing a pattern. */
typedef struct {
  const char *name;
  const int64_t *dims;
  uint32_t rank;
} MemplanShape;

/* Numbers of the record. ------------------------------------------------- */

static inline uint32_t memplan_u32_(const uint8_t *p) {
  return (uint32_t)p[0] | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) |
         ((uint32_t)p[3] << 24);
}

static inline uint64_t memplan_u64_(const uint8_t *p) {
  return (uint64_t)memplan_u32_(p) | ((uint64_t)memplan_u32_(p + 4) << 32);
}

/* CRC-32 of IEEE 802.3, half a byte a time: 16 table entries are enough. */
static inline uint32_t memplan_crc_(uint32_t crc, const uint8_t *p,
                                    size_t size) {
  static const uint32_t table[16] = {
      0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
      0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
      0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
      0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  size_t i;
  for (i = 0; i < size; ++i) {
    crc ^= p[i];
    crc = (crc >> 4) ^ table[crc & 15u];
    crc = (crc >> 4) ^ table[crc & 15u];
  }
  return crc;
}

/* Whether a table of `count` rows, each `stride` >= `least` bytes, lies inside
 * the record, and where. */
static inline int memplan_table_(const MemplanRecord *r, uint64_t offset,
                                 uint32_t count, uint32_t stride,
                                 uint32_t least, size_t *start) {
  if (stride < least || offset > (uint64_t)r->size) return 0;
  if ((uint64_t)count * stride > (uint64_t)r->size - offset) return 0;
  *start = (size_t)offset;
  return 1;
}

/* The string at an offset of the pool; NULL where it is out of bounds. */
static inline const char *memplan_string_(const MemplanRecord *r,
                                          uint32_t offset) {
  /* The pool ends with two zero bytes (memplan_open has looked), so from every
   * offset but the last on there are two strings that end inside it. */
  if ((uint64_t)offset + 1 >= (uint64_t)r->strings_size) return NULL;
  return (const char *)(r->data + r->strings_offset + offset);
}

static inline int memplan_compare_(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    ++a;
    ++b;
  }
  return (int)(uint8_t)*a - (int)(uint8_t)*b;
}

/* Patterns. --------------------------------------------------------------- */

static inline MemplanStatus memplan_pattern(const MemplanRecord *record,
                                            uint32_t number,
                                            MemplanPattern *pattern) {
  const uint8_t *row;
  uint32_t flags;
  if (number >= record->pattern_count) return MEMPLAN_NOT_FOUND;
  row = record->data + record->patterns_offset +
        (size_t)number * record->pattern_size;
  flags = memplan_u32_(row + 40);
  pattern->record = record;
  pattern->arena_size = memplan_u64_(row);
  pattern->alignment = memplan_u64_(row + 8);
  pattern->max_live_bytes = memplan_u64_(row + 16);
  pattern->lower_bound = memplan_u64_(row + 24);
  pattern->num_steps = memplan_u64_(row + 32);
  pattern->is_optimal = (int)(flags & 1u);
  pattern->is_wide = (int)((flags >> 1) & 1u);
  pattern->solver = memplan_string_(record, memplan_u32_(row + 44));
  pattern->tensor_count = memplan_u32_(row + 56);
  pattern->tensor_size = memplan_u32_(row + 60);
  pattern->input_count = memplan_u32_(row + 80);
  pattern->input_size = memplan_u32_(row + 84);
  if (pattern->solver == NULL || pattern->alignment == 0 ||
      (pattern->alignment & (pattern->alignment - 1)) != 0 ||
      !memplan_table_(record, memplan_u64_(row + 48), pattern->tensor_count,
                      pattern->tensor_size, pattern->is_wide ? 32u : 24u,
                      &pattern->tensors_offset) ||
      !memplan_table_(record, memplan_u64_(row + 64), pattern->tensor_count, 4u,
                      4u, &pattern->index_offset) ||
      !memplan_table_(record, memplan_u64_(row + 72), pattern->input_count,
                      pattern->input_size, 16u, &pattern->inputs_offset)) {
    return MEMPLAN_DAMAGED;
  }
  return MEMPLAN_OK;
}

/* Tensors have numbers from 0 in the order of their first step. */
static inline MemplanStatus memplan_tensor(const MemplanPattern *pattern,
                                           uint32_t number,
                                           MemplanTensor *tensor) {
  const uint8_t *row;
  uint32_t link;
  if (number >= pattern->tensor_count) return MEMPLAN_NOT_FOUND;
  row = pattern->record->data + pattern->tensors_offset +
        (size_t)number * pattern->tensor_size;
  if (pattern->is_wide) {
    tensor->offset = memplan_u64_(row);
    tensor->size = memplan_u64_(row + 8);
    row += 16;
  } else {
    tensor->offset = memplan_u32_(row);
    tensor->size = memplan_u32_(row + 4);
    row += 8;
  }
  tensor->begin = memplan_u32_(row);
  tensor->end = memplan_u32_(row + 4);
  link = memplan_u32_(row + 12);
  tensor->sharing = (MemplanSharing)((link >> 29) & 3u);
  tensor->size_is_bound = (int)((link >> 28) & 1u);
  tensor->shares_with = (link & 0x0fffffffu) - 1u;
  tensor->scope = memplan_string_(pattern->record, memplan_u32_(row + 8));
  if (tensor->scope == NULL || tensor->offset > pattern->arena_size ||
      tensor->size > pattern->arena_size - tensor->offset ||
      tensor->begin > tensor->end || (link >> 31) != 0 ||
      ((link & 0x0fffffffu) == 0) != (tensor->sharing == MEMPLAN_OWN_BYTES) ||
      (tensor->sharing != MEMPLAN_OWN_BYTES &&
       tensor->shares_with >= pattern->tensor_count)) {
    return MEMPLAN_DAMAGED;
  }
  tensor->name = tensor->scope;
  while (*tensor->name != 0) ++tensor->name;
  ++tensor->name;
  return MEMPLAN_OK;
}

/* By the scope's and the tensor's name; "" is the main graph's scope. */
static inline MemplanStatus memplan_find_tensor(const MemplanPattern *pattern,
                                                const char *scope,
                                                const char *name,
                                                MemplanTensor *tensor) {
  const uint8_t *index = pattern->record->data + pattern->index_offset;
  uint32_t low = 0, high = pattern->tensor_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const MemplanStatus status = memplan_tensor(
        pattern, memplan_u32_(index + (size_t)middle * 4), tensor);
    int order;
    if (status != MEMPLAN_OK) return MEMPLAN_DAMAGED;
    order = memplan_compare_(scope, tensor->scope);
    if (order == 0) order = memplan_compare_(name, tensor->name);
    if (order == 0) return MEMPLAN_OK;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return MEMPLAN_NOT_FOUND;
}

/* An input that the pattern holds for: its name, its rank, and where its
 * ranges (i64 lowest, i64 highest) are; NULL where it is damaged. */
static inline const uint8_t *memplan_input_(const MemplanPattern *pattern,
                                            uint32_t number, const char **name,
                                            uint32_t *rank) {
  const MemplanRecord *record = pattern->record;
  const uint8_t *row = record->data + pattern->inputs_offset +
                       (size_t)number * pattern->input_size;
  size_t start;
  *name = memplan_string_(record, memplan_u32_(row));
  *rank = memplan_u32_(row + 4);
  if (*name == NULL ||
      !memplan_table_(record, memplan_u64_(row + 8), *rank, 16u, 16u, &start)) {
    return NULL;
  }
  return record->data + start;
}

/* Whether the pattern holds for these shapes: each input that it names must be
 * there, with each dimension in its range. Others do not matter. */
static inline int memplan_pattern_holds(const MemplanPattern *pattern,
                                        const MemplanShape *shapes,
                                        uint32_t count) {
  uint32_t i, s, d;
  for (i = 0; i < pattern->input_count; ++i) {
    const char *name;
    uint32_t rank;
    const uint8_t *range = memplan_input_(pattern, i, &name, &rank);
    if (range == NULL) return 0;
    for (s = 0; s < count; ++s) {
      if (memplan_compare_(name, shapes[s].name) == 0) break;
    }
    if (s == count || shapes[s].rank != rank) return 0;
    for (d = 0; d < rank; ++d, range += 16) {
      const uint64_t dim = (uint64_t)shapes[s].dims[d];
      if (shapes[s].dims[d] < 0 || dim < memplan_u64_(range) ||
          dim > memplan_u64_(range + 8)) {
        return 0;
      }
    }
  }
  return 1;
}

/* The first pattern that holds for these shapes. */
static inline MemplanStatus memplan_find_pattern(const MemplanRecord *record,
                                                 const MemplanShape *shapes,
                                                 uint32_t count,
                                                 MemplanPattern *pattern) {
  uint32_t i;
  for (i = 0; i < record->pattern_count; ++i) {
    const MemplanStatus status = memplan_pattern(record, i, pattern);
    if (status != MEMPLAN_OK) return status;
    if (memplan_pattern_holds(pattern, shapes, count)) return MEMPLAN_OK;
  }
  return MEMPLAN_NOT_FOUND;
}

/* Records. ---------------------------------------------------------------- */

static inline MemplanStatus memplan_check_header_(const uint8_t *data,
                                                  size_t size) {
  static const uint8_t magic[8] = {'M', 'E', 'M', 'P', 'L', 'A', 'N', 0};
  static const uint8_t zeros[4] = {0, 0, 0, 0};
  uint32_t crc = 0xffffffffu;
  size_t i;
  for (i = 0; i < 8; ++i) {
    if (i >= size || data[i] != magic[i]) return MEMPLAN_NOT_A_RECORD;
  }
  if (size < 80) return MEMPLAN_DAMAGED;
  if (data[8] != 1 || data[9] != 0) return MEMPLAN_NEWER_VERSION;
  if (memplan_u64_(data + 16) != (uint64_t)size) return MEMPLAN_DAMAGED;
  crc = memplan_crc_(crc, data, 24);
  crc = memplan_crc_(crc, zeros, 4);
  crc = memplan_crc_(crc, data + 28, size - 28);
  if ((crc ^ 0xffffffffu) != memplan_u32_(data + 24)) return MEMPLAN_DAMAGED;
  if ((memplan_u32_(data + 28) & 0xffffu) != 0) return MEMPLAN_NEWER_VERSION;
  return MEMPLAN_OK;
}

static inline MemplanStatus memplan_check_pattern_(const MemplanRecord *record,
                                                   uint32_t number) {
  MemplanPattern pattern;
  MemplanTensor tensor;
  uint32_t i;
  MemplanStatus status = memplan_pattern(record, number, &pattern);
  for (i = 0; status == MEMPLAN_OK && i < pattern.tensor_count; ++i) {
    const uint8_t *index = record->data + pattern.index_offset + (size_t)i * 4;
    status = memplan_tensor(&pattern, i, &tensor);
    if (memplan_u32_(index) >= pattern.tensor_count) status = MEMPLAN_DAMAGED;
  }
  for (i = 0; status == MEMPLAN_OK && i < pattern.input_count; ++i) {
    const char *name;
    uint32_t rank;
    if (memplan_input_(&pattern, i, &name, &rank) == NULL) {
      status = MEMPLAN_DAMAGED;
    }
  }
  return status;
}

static inline MemplanStatus memplan_open(const void *bytes, size_t size,
                                         MemplanRecord *record) {
  const uint8_t *data = (const uint8_t *)bytes;
  uint32_t i;
  MemplanStatus status = memplan_check_header_(data, size);
  if (status != MEMPLAN_OK) return status;
  record->data = data;
  record->size = size;
  record->fingerprint_low = memplan_u64_(data + 32);
  record->fingerprint_high = memplan_u64_(data + 40);
  record->pattern_count = memplan_u32_(data + 48);
  record->pattern_size = memplan_u32_(data + 52);
  if (!memplan_table_(record, memplan_u64_(data + 56), record->pattern_count,
                      record->pattern_size, 112u, &record->patterns_offset)) {
    return MEMPLAN_DAMAGED;
  }
  if (memplan_u64_(data + 64) > (uint64_t)size ||
      memplan_u64_(data + 72) > (uint64_t)size - memplan_u64_(data + 64)) {
    return MEMPLAN_DAMAGED;
  }
  record->strings_offset = (size_t)memplan_u64_(data + 64);
  record->strings_size = (size_t)memplan_u64_(data + 72);
  if (record->strings_size < 2 ||
      data[record->strings_offset + record->strings_size - 1] != 0 ||
      data[record->strings_offset + record->strings_size - 2] != 0) {
    return MEMPLAN_DAMAGED;
  }
  for (i = 0; status == MEMPLAN_OK && i < record->pattern_count; ++i) {
    status = memplan_check_pattern_(record, i);
  }
  return status;
}

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_RUNTIME_MEMORY_PATTERN_H_ */
