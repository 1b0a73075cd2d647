#ifndef MEMPLAN_PLANNER_SOLVERS_FAILED_RESTS_H_
#define MEMPLAN_PLANNER_SOLVERS_FAILED_RESTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan {

// A set of rests that have no plan, of bounded size: a new one takes the place
// of an old one with the same low bits.
class FailedRests {
 public:
  struct Key {
    uint64_t a = 0;
    uint64_t b = 0;

    friend bool operator==(const Key&, const Key&) = default;
  };

  explicit FailedRests(int64_t max_nodes) {
    size_t size = 1 << 10;
    while (size < (size_t{1} << 18) && static_cast<int64_t>(size) < max_nodes) {
      size *= 2;
    }
    keys_.resize(size);
  }
  bool Has(const Key& key) const { return keys_[Index(key)] == key; }
  void Add(const Key& key) { keys_[Index(key)] = key; }

 private:
  size_t Index(const Key& key) const { return key.a & (keys_.size() - 1); }

  std::vector<Key> keys_;
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_FAILED_RESTS_H_
