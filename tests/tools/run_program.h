#ifndef MEMPLAN_TESTS_TOOLS_RUN_PROGRAM_H_
#define MEMPLAN_TESTS_TOOLS_RUN_PROGRAM_H_

#include <string>
#include <vector>

namespace memplan {

struct ProgramResult {
  int exit_code = -1;  // -1: it ended by a signal
  std::string out;
  std::string err;
};

// Runs the command `memplan` that this build made. `input` is its stdin.
ProgramResult RunMemplan(const std::vector<std::string>& arguments,
                         const std::string& input = "");

// The same, but with Ctrl-C once the program has made itself ready for it.
ProgramResult InterruptMemplan(const std::vector<std::string>& arguments,
                               const std::string& input = "");

// "<source folder>/models/<name>".
std::string ExampleModel(const std::string& name);

// All of a file; "" where there is none.
std::string FileContent(const std::string& path);

}  // namespace memplan

#endif  // MEMPLAN_TESTS_TOOLS_RUN_PROGRAM_H_
