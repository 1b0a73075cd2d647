#ifndef MEMPLAN_MODELS_GENERATE_WIRED_H_
#define MEMPLAN_MODELS_GENERATE_WIRED_H_

#include <cstdint>
#include <string>

namespace memplan::models {

// Cells that are wired irregularly, each a model of its own: what Ahn et al.,
// "Ordering Chaos" (MLSys 2020), order anew. The file lists the nodes as the
// network's code makes them. Batch 1, float32, batch normalisation folded.

// A stage of Xie et al., "Exploring Randomly Wired Neural Networks" (2019),
// small regime: 32 nodes, 78 channels, at 32x32. A node adds its inputs up
// (weighted there; here one Sum), then relu and a separable 3x3 convolution;
// those without inputs read the stage's, with stride 2, and the average of
// those that nobody reads is the stage's output. Three random graphs, with the
// parameters that did best there; edges lead to the higher number.
enum class Wiring {
  kWattsStrogatz,   // WS(4, 0.75)
  kErdosRenyi,      // ER(0.2)
  kBarabasiAlbert,  // BA(5)
};
std::string RandWireStage(Wiring wiring, uint32_t seed);

// The normal cell of Liu et al., "DARTS" (2019, second order, on CIFAR-10), as
// it stands first in the network for ImageNet: 48 channels at 28x28, both
// inputs from normal cells.
std::string DartsNormalCell();

// In the manner of SwiftNet's cells (Cheng et al., 2019), whose wiring is not
// published as data: some 20 small convolutions of 1x1 and 3x3 depthwise, each
// reads what one to three of the four nodes before it made, joined by Concat;
// widths differ from node to node.
std::string SwiftNetLikeCell(uint32_t seed);

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_WIRED_H_
