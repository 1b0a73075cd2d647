#include "tools/value_names.h"

namespace memplan {

const char* KindName(ValueKind kind) {
  switch (kind) {
    case ValueKind::kIntermediate:
      return "intermediate";
    case ValueKind::kInput:
      return "input";
    case ValueKind::kOutput:
      return "output";
    case ValueKind::kInitializer:
      return "initializer";
  }
  return "unknown";
}

const char* SharingName(SharingKind sharing) {
  switch (sharing) {
    case SharingKind::kNone:
      return "none";
    case SharingKind::kView:
      return "view";
    case SharingKind::kInPlace:
      return "in_place";
    case SharingKind::kPart:
      return "part";
  }
  return "unknown";
}

}  // namespace memplan
