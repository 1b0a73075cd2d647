/* Decodes base64 (RFC 4648) in place, for the record as a model carries it. */
#ifndef MEMPLAN_RUNTIME_EXAMPLE_BASE64_H_
#define MEMPLAN_RUNTIME_EXAMPLE_BASE64_H_

#include <stddef.h>
#include <stdint.h>

static inline int base64_digit(uint8_t c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

/* Overwrites the text with the bytes that it stands for and sets `size` to
 * their count. 0 where the text is no base64: another character, padding where
 * it does not belong, a length that is none. */
static inline int base64_decode(uint8_t *text, size_t length, size_t *size) {
  uint32_t bits = 0;
  size_t i, out = 0, padding = 0;
  if (length % 4 != 0) return 0;
  while (padding < 2 && padding < length && text[length - 1 - padding] == '=') {
    ++padding;
  }
  for (i = 0; i < length - padding; ++i) {
    const int digit = base64_digit(text[i]);
    if (digit < 0) return 0;
    bits = (bits << 6) | (uint32_t)digit;
    if (i % 4 != 0) {
      text[out++] = (uint8_t)((bits >> (6 - 2 * (i % 4))) & 0xffu);
    }
  }
  *size = out;
  return 1;
}

#endif /* MEMPLAN_RUNTIME_EXAMPLE_BASE64_H_ */
