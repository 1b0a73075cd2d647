// memplan_bench: every solver side by side, as a Markdown table.
//
//   memplan_bench [--million] [--effort N] [--threads N] [PROBLEM.csv or
//                 folder]...
//
// For each problem and solver: arena / lower bound ("=" where it is proved that
// no plan is lower), time, and the most memory that the solver held. Without
// problems, only the generated ones are run.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "planner/bounds.h"
#include "planner/problem_csv.h"
#include "planner/solve.h"

namespace {

// What is allocated now, and the most since it was reset. The program's own
// operator new and delete keep count; there is no other way to see them all.
std::atomic<int64_t> held_bytes = 0;
std::atomic<int64_t> most_held_bytes = 0;

constexpr size_t kHeader = 16;

void* CountedNew(size_t size) {
  char* const block = static_cast<char*>(std::malloc(size + kHeader));
  if (block == nullptr) throw std::bad_alloc();
  std::memcpy(block, &size, sizeof(size));
  const int64_t held = held_bytes += static_cast<int64_t>(size);
  int64_t most = most_held_bytes;
  while (held > most && !most_held_bytes.compare_exchange_weak(most, held)) {
  }
  return block + kHeader;
}

void CountedDelete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  char* const block = static_cast<char*>(pointer) - kHeader;
  size_t size = 0;
  std::memcpy(&size, block, sizeof(size));
  held_bytes -= static_cast<int64_t>(size);
  std::free(block);
}

}  // namespace

void* operator new(size_t size) { return CountedNew(size); }
void operator delete(void* pointer) noexcept { CountedDelete(pointer); }
void operator delete(void* pointer, size_t) noexcept { CountedDelete(pointer); }

namespace memplan {
namespace {

struct NamedProblem {
  std::string name;
  Problem problem;
};

// Lifespans from one step to a thousandth of all, begins anywhere; sizes from
// one byte to a megabyte, as many in each decade.
Problem RandomProblem(int64_t n) {
  std::mt19937_64 random(1);
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  Problem problem;
  for (int64_t i = 0; i < n; ++i) {
    int64_t decade = 1;
    for (int64_t k = below(6); k > 0; --k) decade *= 10;
    const int64_t begin = below(n);
    const int64_t longest = std::max<int64_t>(n / 1000, 10);
    problem.buffers.push_back(
        {decade * (1 + below(9)), {begin, begin + 1 + below(longest)}});
  }
  return problem;
}

// Lifespans from anywhere to anywhere, so that a third and more of all buffers
// live at once; sizes as above.
Problem LongLivedProblem(int64_t n) {
  std::mt19937_64 random(3);
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  Problem problem = RandomProblem(n);
  for (Buffer& buffer : problem.buffers) {
    const auto [begin, last] = std::minmax({below(n), below(n)});
    buffer.lifespan = {begin, last + 1};
  }
  return problem;
}

// A chain of layers whose maps shrink from stage to stage; one output in four
// is read again some layers later, one in fifty much later.
Problem NetworkProblem(int64_t n) {
  std::mt19937_64 random(2);
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  Problem problem;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t stage = i % 500 / 100;
    const int64_t size = (int64_t{802816} >> stage) * (1 + below(4));
    int64_t duration = 2;
    if (below(4) == 0) duration += below(8);
    if (below(50) == 0) duration += below(200);
    problem.buffers.push_back({size, {i, i + duration}, 64});
  }
  return problem;
}

std::vector<NamedProblem> GeneratedProblems(bool with_million) {
  std::vector<NamedProblem> problems;
  for (const int64_t n : {1'000, 10'000, 100'000, 1'000'000}) {
    if (n == 1'000'000 && !with_million) break;
    const std::string suffix = " " + std::to_string(n);
    problems.push_back({"random" + suffix, RandomProblem(n)});
    problems.push_back({"long-lived" + suffix, LongLivedProblem(n)});
    problems.push_back({"network" + suffix, NetworkProblem(n)});
  }
  return problems;
}

bool ReadProblem(const std::filesystem::path& path,
                 std::vector<NamedProblem>& problems) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const auto problem = ReadProblemCsv(text.str());
  if (!file || !problem.ok()) {
    std::fprintf(
        stderr, "memplan_bench: %s: %s\n", path.c_str(),
        problem.ok() ? "cannot be read" : problem.status().ToString().c_str());
    return false;
  }
  problems.push_back(
      {path.parent_path().filename().string() + "/" + path.stem().string(),
       problem->problem});
  return true;
}

bool ReadProblems(const std::filesystem::path& path,
                  std::vector<NamedProblem>& problems) {
  if (!std::filesystem::is_directory(path)) return ReadProblem(path, problems);
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return std::all_of(files.begin(), files.end(), [&](const auto& file) {
    return ReadProblem(file, problems);
  });
}

void PrintHeader() {
  std::string first = "| problem | buffers | lower bound |";
  std::string second = "|---|---:|---:|";
  for (const std::string& name : SolverNames()) {
    first += " " + name + " | s | MB |";
    second += "---:|---:|---:|";
  }
  std::printf("%s\n%s\n", first.c_str(), second.c_str());
}

void PrintRow(const NamedProblem& problem, SolveOptions options) {
  const int64_t bound = LowerBound(problem.problem);
  std::printf("| %s | %zu | %lld |", problem.name.c_str(),
              problem.problem.buffers.size(), static_cast<long long>(bound));
  for (const std::string& name : SolverNames()) {
    options.solver = name;
    const int64_t held_before = held_bytes;
    most_held_bytes = held_before;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = Solve(problem.problem, options);
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    if (!result.ok()) {
      std::printf(" %s | | |", result.status().ToString().c_str());
      continue;
    }
    const double ratio =
        bound == 0 ? 1.0
                   : static_cast<double>(result->solution.arena_size) /
                         static_cast<double>(bound);
    std::printf(" %.4f%s | %.4f | %.1f |", ratio, result->optimal ? " =" : "",
                seconds.count(),
                static_cast<double>(most_held_bytes - held_before) / 1e6);
    std::fflush(stdout);
  }
  std::printf("\n");
}

int Run(int argc, char** argv) {
  SolveOptions options;
  bool with_million = false;
  std::vector<NamedProblem> problems;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--million") {
      with_million = true;
    } else if (argument == "--effort" && has_value) {
      options.effort = std::atoll(argv[++i]);
    } else if (argument == "--threads" && has_value) {
      options.threads = std::atoi(argv[++i]);
    } else if (argument.rfind("--", 0) == 0) {
      std::fprintf(stderr,
                   "usage: memplan_bench [--million] [--effort N] "
                   "[--threads N] [PROBLEM.csv or folder]...\n");
      return 2;
    } else if (!ReadProblems(argument, problems)) {
      return 7;
    }
  }
  PrintHeader();
  for (const NamedProblem& problem : problems) PrintRow(problem, options);
  for (const NamedProblem& problem : GeneratedProblems(with_million)) {
    PrintRow(problem, options);
  }
  return 0;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) { return memplan::Run(argc, argv); }
