/* The reader and the arena, with nothing around: what a device pays for them.
 * Compiled only for its size (the target runtime_size). */
#include "runtime/arena.h"

MemplanStatus plan_open(const void *bytes, size_t size, MemplanRecord *record);
MemplanStatus plan_choose(const MemplanRecord *record,
                          const MemplanShape *shapes, uint32_t count,
                          MemplanPattern *pattern);
MemplanStatus plan_tensor(const MemplanPattern *pattern, uint32_t number,
                          MemplanTensor *tensor);
MemplanStatus plan_arena(MemplanArena *arena, void *block, size_t size,
                         const MemplanPattern *pattern);
void *plan_address(MemplanArena *arena, const char *scope, const char *name,
                   size_t size);

MemplanStatus plan_open(const void *bytes, size_t size, MemplanRecord *record) {
  return memplan_open(bytes, size, record);
}

MemplanStatus plan_choose(const MemplanRecord *record,
                          const MemplanShape *shapes, uint32_t count,
                          MemplanPattern *pattern) {
  return memplan_find_pattern(record, shapes, count, pattern);
}

MemplanStatus plan_tensor(const MemplanPattern *pattern, uint32_t number,
                          MemplanTensor *tensor) {
  return memplan_tensor(pattern, number, tensor);
}

MemplanStatus plan_arena(MemplanArena *arena, void *block, size_t size,
                         const MemplanPattern *pattern) {
  return memplan_arena_init(arena, block, size, pattern);
}

void *plan_address(MemplanArena *arena, const char *scope, const char *name,
                   size_t size) {
  return memplan_arena_get(arena, scope, name, size);
}
