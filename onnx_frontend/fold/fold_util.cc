#include "onnx_frontend/fold/fold_util.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "onnx_frontend/fold/fraction.h"
#include "planner/checked_math.h"

namespace memplan {
namespace {

// Shape arithmetic works on vectors of ranks; larger ones of which nothing is
// known are data.
constexpr int64_t kMaxUnknownElements = 64;

bool Contradicts(const Type& type, const TensorValue& content) {
  if (!type.is_tensor()) return type.kind != Type::Kind::kUnknown;
  if (type.element != ElementType::kUndefined &&
      type.element != content.element) {
    return true;
  }
  if (!type.shape) return false;
  return !std::equal(type.shape->begin(), type.shape->end(),
                     content.shape.begin(), content.shape.end(),
                     [](const Dim& dim, int64_t size) {
                       return dim.AsNumber().value_or(size) == size;
                     });
}

bool NothingIsKnown(const TensorValue& content) {
  return !content.ints.empty() &&
         std::all_of(content.ints.begin(), content.ints.end(),
                     [](const Dim& dim) { return dim.is_unknown(); });
}

}  // namespace

std::optional<int64_t> SmallCount(const KnownShape& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > kMaxKnownElements) return std::nullopt;
    count *= size;
    if (count > kMaxKnownElements) return std::nullopt;
  }
  return count;
}

std::optional<KnownShape> SmallShape(const Shape* shape) {
  if (shape == nullptr) return std::nullopt;
  KnownShape sizes;
  sizes.reserve(shape->size());
  for (const Dim& dim : *shape) {
    if (!dim.is_number() || dim.number() < 0) return std::nullopt;
    sizes.push_back(dim.number());
  }
  if (!SmallCount(sizes)) return std::nullopt;
  return sizes;
}

std::optional<KnownShape> SmallOutputShape(const NodeContext& node, size_t i) {
  const Type& type = node.output(i);
  return SmallShape(type.has_shape() ? &*type.shape : nullptr);
}

const TensorValue* ContentOf(const NodeContext& node, size_t i) {
  const TensorValue* content = node.PartlyKnownValue(i);
  if (content == nullptr || SmallCount(content->shape) != content->size()) {
    return nullptr;
  }
  return content;
}

std::optional<TensorValue> ContentOrUnknown(const NodeContext& node, size_t i) {
  if (const TensorValue* content = ContentOf(node, i)) return *content;
  auto shape = SmallShape(node.shape(i));
  if (!shape || *SmallCount(*shape) > kMaxUnknownElements) return std::nullopt;
  return UnknownContent(node.element(i), *std::move(shape));
}

TensorValue UnknownContent(ElementType element, KnownShape shape) {
  TensorValue content;
  content.element = element;
  content.ints.resize(static_cast<size_t>(SmallCount(shape).value_or(0)));
  content.shape = std::move(shape);
  return content;
}

std::optional<int64_t> IntOf(const NodeContext& node, size_t i) {
  const auto numbers = node.IntsOf(i);
  if (!numbers || numbers->size() != 1) return std::nullopt;
  return numbers->front();
}

void Publish(NodeContext& node, size_t i, TensorValue content) {
  if (!node.HasOutput(i) || Contradicts(node.output(i), content)) return;
  if (content.is_partly_known_float()) content = Settled(std::move(content));
  if (NothingIsKnown(content)) return;
  node.SetValue(i, std::move(content));
}

void PublishReshaped(NodeContext& node, size_t i, const TensorValue& content) {
  auto shape = SmallOutputShape(node, i);
  if (!shape || SmallCount(*shape) != content.size()) return;
  TensorValue reshaped = content;
  reshaped.shape = *std::move(shape);
  Publish(node, i, std::move(reshaped));
}

std::optional<size_t> NormalAxis(int64_t axis, size_t rank) {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis < 0) axis += signed_rank;
  if (axis < 0 || axis >= signed_rank) return std::nullopt;
  return static_cast<size_t>(axis);
}

std::vector<int64_t> StridesOf(const KnownShape& shape) {
  std::vector<int64_t> strides(shape.size(), 0);
  if (SmallCount(shape).value_or(0) == 0) return strides;
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

Positions StridedPositions(const KnownShape& shape,
                           const std::vector<int64_t>& strides,
                           int64_t offset) {
  if (SmallCount(shape).value_or(0) == 0) return {};
  Positions positions = {offset};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    Positions finer;
    finer.reserve(positions.size() * static_cast<size_t>(shape[axis]));
    for (int64_t position : positions) {
      for (int64_t i = 0; i < shape[axis]; ++i) {
        finer.push_back(position + i * strides[axis]);
      }
    }
    positions = std::move(finer);
  }
  return positions;
}

Positions ListedPositions(const std::vector<std::vector<int64_t>>& along,
                          const std::vector<int64_t>& strides) {
  for (const std::vector<int64_t>& indices : along) {
    if (indices.empty()) return {};
  }
  Positions positions = {0};
  for (size_t axis = 0; axis < along.size(); ++axis) {
    Positions finer;
    finer.reserve(positions.size() * along[axis].size());
    for (int64_t position : positions) {
      for (int64_t i : along[axis]) {
        const bool nowhere = position == kNowhere || i == kNowhere;
        finer.push_back(nowhere ? kNowhere : position + i * strides[axis]);
      }
    }
    positions = std::move(finer);
  }
  return positions;
}

std::optional<KnownShape> BroadcastShapes(const KnownShape& a,
                                          const KnownShape& b) {
  KnownShape shape = a.size() >= b.size() ? a : b;
  const KnownShape& other = a.size() >= b.size() ? b : a;
  const size_t lead = shape.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    int64_t& size = shape[lead + i];
    if (size == other[i] || other[i] == 1) continue;
    if (size != 1) return std::nullopt;
    size = other[i];
  }
  if (!SmallCount(shape)) return std::nullopt;
  return shape;
}

std::optional<Positions> BroadcastPositions(const KnownShape& from,
                                            const KnownShape& to) {
  if (from.size() > to.size()) return std::nullopt;
  const size_t lead = to.size() - from.size();
  const std::vector<int64_t> from_strides = StridesOf(from);
  std::vector<int64_t> strides(to.size(), 0);
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[lead + i]) {
      strides[lead + i] = from_strides[i];
    } else if (from[i] != 1) {
      return std::nullopt;
    }
  }
  return StridedPositions(to, strides);
}

TensorValue Take(const TensorValue& content, KnownShape shape,
                 const Positions& positions) {
  const bool has_unknown = std::find(positions.begin(), positions.end(),
                                     kNowhere) != positions.end();
  if (content.is_float() && content.ints.empty() && has_unknown) {
    return Take(AsFractions(content), std::move(shape), positions);
  }
  TensorValue taken;
  taken.element = content.element;
  taken.denominator = content.denominator;
  taken.shape = std::move(shape);
  const bool has_floats = content.is_float() && content.ints.empty();
  if (has_floats) {
    taken.floats.reserve(positions.size());
    for (int64_t at : positions) {
      taken.floats.push_back(content.floats[static_cast<size_t>(at)]);
    }
    return taken;
  }
  taken.ints.reserve(positions.size());
  for (int64_t at : positions) {
    taken.ints.push_back(at == kNowhere
                             ? Dim::Unknown()
                             : content.ints[static_cast<size_t>(at)]);
  }
  return taken;
}

TensorValue Joined(const std::vector<const TensorValue*>& contents) {
  TensorValue joined;
  joined.element = contents.front()->element;
  const bool as_fractions = std::any_of(
      contents.begin(), contents.end(),
      [](const TensorValue* value) { return value->is_partly_known_float(); });
  for (const TensorValue* content : contents) {
    if (!as_fractions) {
      joined.ints.insert(joined.ints.end(), content->ints.begin(),
                         content->ints.end());
      joined.floats.insert(joined.floats.end(), content->floats.begin(),
                           content->floats.end());
      continue;
    }
    AppendFractions(AsFractions(*content), joined);
  }
  return joined;
}

Lanes LanesOf(const KnownShape& shape, size_t axis) {
  Lanes lanes;
  if (SmallCount(shape).value_or(0) == 0) return {0, 0, 0};
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t& part =
        i < axis ? lanes.outer : (i == axis ? lanes.length : lanes.inner);
    part *= shape[i];
  }
  return lanes;
}

}  // namespace memplan
