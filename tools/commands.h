#ifndef MEMPLAN_TOOLS_COMMANDS_H_
#define MEMPLAN_TOOLS_COMMANDS_H_

#include "tools/exit_code.h"

namespace CLI {
class App;
}

namespace memplan {

// Each adds one subcommand, with its options, to the program. Where the user
// names it, it runs while the command line is parsed, and sets `exit_code`.
void AddPlanCommand(CLI::App& program, ExitCode& exit_code);
void AddInspectCommand(CLI::App& program, ExitCode& exit_code);
void AddEmbedCommand(CLI::App& program, ExitCode& exit_code);
void AddStripCommand(CLI::App& program, ExitCode& exit_code);
void AddCheckCommand(CLI::App& program, ExitCode& exit_code);
void AddExportCommand(CLI::App& program, ExitCode& exit_code);
void AddSolveCommand(CLI::App& program, ExitCode& exit_code);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_COMMANDS_H_
