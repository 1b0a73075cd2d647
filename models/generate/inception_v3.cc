#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/generate/architectures.h"
#include "models/generate/convolution.h"
#include "models/generate/onnx_builder.h"

namespace memplan::models {
namespace {

// One cell of the network while it is built: the branches that a Concat joins.
class Cell {
 public:
  Cell(OnnxBuilder& model, std::string name, Tensor x, int64_t channels)
      : model_(model),
        name_(std::move(name)),
        x_(std::move(x)),
        channels_(channels) {}

  // A tensor of the cell, and how many channels it has.
  struct Layer {
    Tensor tensor;
    int64_t channels;
  };
  Layer Input() const { return {x_, channels_}; }

  Layer Square(const std::string& name, const Layer& x, int64_t channels,
               int64_t kernel) {
    return Run(name, x, SameConv(x.channels, channels, kernel, 1));
  }
  // Without padding, stride 2: halves the image.
  Layer Halve(const std::string& name, const Layer& x, int64_t channels) {
    return Run(name, x,
               {.channels_in = x.channels,
                .channels = channels,
                .kernel = {3, 3},
                .stride = 2});
  }
  Layer Row(const std::string& name, const Layer& x, int64_t channels,
            int64_t length) {
    return Run(name, x,
               {.channels_in = x.channels,
                .channels = channels,
                .kernel = {1, length},
                .pad = {0, length / 2}});
  }
  Layer Column(const std::string& name, const Layer& x, int64_t channels,
               int64_t length) {
    return Run(name, x,
               {.channels_in = x.channels,
                .channels = channels,
                .kernel = {length, 1},
                .pad = {length / 2, 0}});
  }
  Layer Average() {
    return {
        Pool(model_, "AveragePool", absl::StrCat(name_, ".pool"), x_, 3, 1, 1),
        channels_};
  }
  Layer HalvingMax() {
    return {Pool(model_, "MaxPool", absl::StrCat(name_, ".pool"), x_, 3, 2, 0),
            channels_};
  }
  Layer Join(const std::string& suffix, const std::vector<Layer>& branches) {
    std::vector<Tensor> tensors;
    int64_t channels = 0;
    for (const Layer& branch : branches) {
      tensors.push_back(branch.tensor);
      channels += branch.channels;
    }
    return {model_.Node("Concat", absl::StrCat(name_, suffix), tensors,
                        {{"axis", int64_t{1}}}),
            channels};
  }

 private:
  Layer Run(const std::string& name, const Layer& x, const ConvShape& shape) {
    return {ConvRelu(model_, absl::StrCat(name_, ".", name), x.tensor, shape),
            shape.channels};
  }

  OnnxBuilder& model_;
  std::string name_;
  Tensor x_;
  int64_t channels_;
};

using Layer = Cell::Layer;

// Figure 5 of the paper, on 35x35.
Layer CellA(Cell cell, int64_t pool_channels) {
  const Layer one = cell.Square("1x1", cell.Input(), 64, 1);
  Layer five = cell.Square("5x5_1", cell.Input(), 48, 1);
  five = cell.Square("5x5_2", five, 64, 5);
  Layer three = cell.Square("3x3dbl_1", cell.Input(), 64, 1);
  three = cell.Square("3x3dbl_2", three, 96, 3);
  three = cell.Square("3x3dbl_3", three, 96, 3);
  const Layer pool = cell.Square("pool_1x1", cell.Average(), pool_channels, 1);
  return cell.Join("", {one, five, three, pool});
}

// From 35x35 to 17x17.
Layer CellB(Cell cell) {
  const Layer three = cell.Halve("3x3", cell.Input(), 384);
  Layer twice = cell.Square("3x3dbl_1", cell.Input(), 64, 1);
  twice = cell.Square("3x3dbl_2", twice, 96, 3);
  twice = cell.Halve("3x3dbl_3", twice, 96);
  const Layer pool = cell.HalvingMax();
  return cell.Join("", {three, twice, pool});
}

// Figure 6, on 17x17: 7x7 as a row and a column.
Layer CellC(Cell cell, int64_t width) {
  const Layer one = cell.Square("1x1", cell.Input(), 192, 1);
  Layer seven = cell.Square("7x7_1", cell.Input(), width, 1);
  seven = cell.Row("7x7_2", seven, width, 7);
  seven = cell.Column("7x7_3", seven, 192, 7);
  Layer twice = cell.Square("7x7dbl_1", cell.Input(), width, 1);
  twice = cell.Column("7x7dbl_2", twice, width, 7);
  twice = cell.Row("7x7dbl_3", twice, width, 7);
  twice = cell.Column("7x7dbl_4", twice, width, 7);
  twice = cell.Row("7x7dbl_5", twice, 192, 7);
  const Layer pool = cell.Square("pool_1x1", cell.Average(), 192, 1);
  return cell.Join("", {one, seven, twice, pool});
}

// From 17x17 to 8x8.
Layer CellD(Cell cell) {
  Layer three = cell.Square("3x3_1", cell.Input(), 192, 1);
  three = cell.Halve("3x3_2", three, 320);
  Layer seven = cell.Square("7x7x3_1", cell.Input(), 192, 1);
  seven = cell.Row("7x7x3_2", seven, 192, 7);
  seven = cell.Column("7x7x3_3", seven, 192, 7);
  seven = cell.Halve("7x7x3_4", seven, 192);
  const Layer pool = cell.HalvingMax();
  return cell.Join("", {three, seven, pool});
}

// Figure 7, on 8x8: the branches fork once more.
Layer CellE(Cell cell) {
  const Layer one = cell.Square("1x1", cell.Input(), 320, 1);
  const Layer three = cell.Square("3x3_1", cell.Input(), 384, 1);
  const Layer row = cell.Row("3x3_2a", three, 384, 3);
  const Layer column = cell.Column("3x3_2b", three, 384, 3);
  const Layer three_both = cell.Join(".3x3", {row, column});
  Layer twice = cell.Square("3x3dbl_1", cell.Input(), 448, 1);
  twice = cell.Square("3x3dbl_2", twice, 384, 3);
  const Layer twice_row = cell.Row("3x3dbl_3a", twice, 384, 3);
  const Layer twice_column = cell.Column("3x3dbl_3b", twice, 384, 3);
  const Layer twice_both = cell.Join(".3x3dbl", {twice_row, twice_column});
  const Layer pool = cell.Square("pool_1x1", cell.Average(), 192, 1);
  return cell.Join("", {one, three_both, twice_both, pool});
}

// The convolutions before the first cell: 299x299x3 to 35x35x192.
Layer Stem(OnnxBuilder& model) {
  Tensor x = model.Input("input", DataType::kFloat, {1, 3, 299, 299});
  x = ConvRelu(
      model, "Conv2d_1a_3x3", x,
      {.channels_in = 3, .channels = 32, .kernel = {3, 3}, .stride = 2});
  x = ConvRelu(model, "Conv2d_2a_3x3", x,
               {.channels_in = 32, .channels = 32, .kernel = {3, 3}});
  x = ConvRelu(model, "Conv2d_2b_3x3", x, SameConv(32, 64, 3, 1));
  x = Pool(model, "MaxPool", "maxpool1", x, 3, 2, 0);
  x = ConvRelu(model, "Conv2d_3b_1x1", x, SameConv(64, 80, 1, 1));
  x = ConvRelu(model, "Conv2d_4a_3x3", x,
               {.channels_in = 80, .channels = 192, .kernel = {3, 3}});
  return {Pool(model, "MaxPool", "maxpool2", x, 3, 2, 0), 192};
}

}  // namespace

std::string InceptionV3() {
  OnnxBuilder model("inception_v3", 17);
  Layer x = Stem(model);
  const auto cell = [&](const char* name) {
    return Cell(model, name, x.tensor, x.channels);
  };
  x = CellA(cell("Mixed_5b"), 32);
  x = CellA(cell("Mixed_5c"), 64);
  x = CellA(cell("Mixed_5d"), 64);
  x = CellB(cell("Mixed_6a"));
  x = CellC(cell("Mixed_6b"), 128);
  x = CellC(cell("Mixed_6c"), 160);
  x = CellC(cell("Mixed_6d"), 160);
  x = CellC(cell("Mixed_6e"), 192);
  x = CellD(cell("Mixed_7a"));
  x = CellE(cell("Mixed_7b"));
  x = CellE(cell("Mixed_7c"));
  Tensor y = model.Node("GlobalAveragePool", "avgpool", {x.tensor});
  y = model.Node("Flatten", "flatten", {y}, {{"axis", int64_t{1}}});
  y = FullyConnected(model, "fc", "output", y, x.channels, 1000);
  model.Output(y, DataType::kFloat, {1, 1000});
  return model.Serialize();
}

}  // namespace memplan::models
