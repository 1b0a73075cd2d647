/* Lays tensors out in one block of memory by a memory pattern. C99 and C++; it
 * allocates nothing: the block is the caller's, and what the pattern does not
 * know the caller allocates, as ONNX Runtime does with its own patterns.
 *
 *   MemplanArena arena;
 *   void *block = aligned_alloc(pattern.alignment, pattern.arena_size);
 *   if (memplan_arena_init(&arena, block, pattern.arena_size, &pattern)) ...
 *   void *address = memplan_arena_get(&arena, "", "conv1", bytes);
 *   if (address == NULL) address = malloc(bytes);   // counted as a miss */
#ifndef MEMPLAN_RUNTIME_ARENA_H_
#define MEMPLAN_RUNTIME_ARENA_H_

#include "runtime/memory_pattern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint8_t *block;
  MemplanPattern pattern;
  uint32_t hits;
  uint32_t misses;       /* tensors that the caller had to allocate */
  uint64_t missed_bytes; /* and their sizes, added up */
} MemplanArena;

/* `block` has `size` bytes, at least the pattern's arena_size, and the
 * pattern's alignment; else MEMPLAN_BAD_BLOCK. Block and record must stay. */
static inline MemplanStatus memplan_arena_init(MemplanArena *arena, void *block,
                                               size_t size,
                                               const MemplanPattern *pattern) {
  if (pattern->arena_size > (uint64_t)size ||
      (block == NULL && pattern->arena_size > 0) ||
      ((uint64_t)(uintptr_t)block & (pattern->alignment - 1)) != 0) {
    return MEMPLAN_BAD_BLOCK;
  }
  arena->block = (uint8_t *)block;
  arena->pattern = *pattern;
  arena->hits = 0;
  arena->misses = 0;
  arena->missed_bytes = 0;
  return MEMPLAN_OK;
}

/* The address for a tensor of exactly `size` bytes; of up to its size where the
 * plan has only a bound for it. NULL is a miss: a tensor that is not in the
 * plan, or of another size, since its place may then not be free. */
static inline void *memplan_arena_get(MemplanArena *arena, const char *scope,
                                      const char *name, size_t size) {
  MemplanTensor tensor;
  if (memplan_find_tensor(&arena->pattern, scope, name, &tensor) ==
          MEMPLAN_OK &&
      ((uint64_t)size == tensor.size ||
       (tensor.size_is_bound && (uint64_t)size < tensor.size))) {
    ++arena->hits;
    return arena->block + (size_t)tensor.offset;
  }
  ++arena->misses;
  arena->missed_bytes += size;
  return NULL;
}

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_RUNTIME_ARENA_H_ */
