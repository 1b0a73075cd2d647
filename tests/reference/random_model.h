#ifndef MEMPLAN_TESTS_REFERENCE_RANDOM_MODEL_H_
#define MEMPLAN_TESTS_REFERENCE_RANDOM_MODEL_H_

#include <cstdint>
#include <string>

namespace memplan::reference {

// A model in ONNX's text syntax, the same for the same seed: small tensors,
// many of one size, so that they find much to share. Holds views, operators
// that may work in place, parts (Concat, Split, Slice), broadcast operands,
// several widths, outputs that nobody reads, outputs that are read inside, and
// If, Loop and Scan up to three deep, with captures, states that swap or pass
// through, equal names in bodies side by side, and empty bodies.
std::string RandomModel(uint64_t seed);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_RANDOM_MODEL_H_
