#include "tools/capacity.h"

#include <iostream>

#include "absl/strings/str_cat.h"
#include "planner/numbers_text.h"

namespace memplan {

ExitCode FailForCapacity(int64_t capacity, const SolveResult& solved) {
  const int64_t arena = solved.solution.arena_size;
  const std::string best =
      absl::StrCat("the best plan needs ", Grouped(arena), " bytes, ",
                   Grouped(arena - capacity), " too many; the lower bound is ",
                   Grouped(solved.lower_bound));
  if (solved.feasible == false) {
    std::cerr << "memplan: proved: no plan fits the capacity of "
              << Grouped(capacity) << " bytes; " << best << "\n";
    return ExitCode::kInfeasible;
  }
  std::cerr << "memplan: found no plan within the capacity of "
            << Grouped(capacity) << " bytes, nor a proof that there is none; "
            << best << "; more --effort may find one\n";
  return ExitCode::kCheckFailed;
}

}  // namespace memplan
