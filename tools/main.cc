#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/interrupt.h"
#include "tools/model_options.h"

namespace memplan {
namespace {

void AddCommands(CLI::App& program, ExitCode& exit_code) {
  AddPlanCommand(program, exit_code);
  AddInspectCommand(program, exit_code);
  AddEmbedCommand(program, exit_code);
  AddStripCommand(program, exit_code);
  AddCheckCommand(program, exit_code);
  AddExportCommand(program, exit_code);
  AddSolveCommand(program, exit_code);
}

ExitCode RunProgram(std::vector<std::string> arguments) {
  CLI::App program(
      "Plans the memory of ONNX models: every tensor's place in one arena.",
      "memplan");
  program.set_version_flag("--version", "memplan " MEMPLAN_VERSION);
  program.require_subcommand(1);
  program.get_formatter()->column_width(34);
  ExitCode exit_code = ExitCode::kDone;
  AddCommands(program, exit_code);
  arguments = NormalizeArguments(arguments);
  // CLI11 takes the arguments from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    program.parse(reversed);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" of code 0, and go to stdout.
    return program.exit(error) == 0 ? ExitCode::kDone : ExitCode::kUsage;
  }
  return exit_code;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) {
  memplan::EndWhereAFileIsCut();
  try {
    return static_cast<int>(memplan::RunProgram({argv + 1, argv + argc}));
  } catch (const std::bad_alloc&) {
    std::cerr << "memplan: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "memplan: " << error.what() << "\n";
  }
  return static_cast<int>(memplan::ExitCode::kOwnFault);
}
