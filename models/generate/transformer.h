#ifndef MEMPLAN_MODELS_GENERATE_TRANSFORMER_H_
#define MEMPLAN_MODELS_GENERATE_TRANSFORMER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "models/generate/onnx_builder.h"

namespace memplan::models {

// What BERT and GPT-2 have in common at their smallest published size.
inline constexpr int64_t kHidden = 768;
inline constexpr int64_t kHeads = 12;
inline constexpr int64_t kHeadSize = kHidden / kHeads;
inline constexpr int64_t kLayers = 12;
inline constexpr int64_t kFeedForward = 4 * kHidden;
// What is added to the score of a masked position: the lowest float.
inline constexpr float kMasked = -3.4028234663852886e+38f;

// [batch, keys] of 1 (look) and 0 (do not) to [batch, 1, 1, keys] of 0 and
// the lowest float.
Tensor MaskToScores(OnnxBuilder& model, const Tensor& mask);

// [batch, sequence, 768] to [batch, sequence, 12, 64], with the sizes that
// shape arithmetic takes from x; then transposed by `perm`.
Tensor SplitHeads(OnnxBuilder& model, const std::string& name, const Tensor& x,
                  const std::vector<int64_t>& perm);

// [batch, 12, sequence, 64] back to [batch, sequence, 768].
Tensor MergeHeads(OnnxBuilder& model, const std::string& name, const Tensor& x);

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_TRANSFORMER_H_
