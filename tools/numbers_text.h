#ifndef MEMPLAN_TOOLS_NUMBERS_TEXT_H_
#define MEMPLAN_TOOLS_NUMBERS_TEXT_H_

#include "planner/numbers_text.h"  // reports of the planner need it, too

#endif  // MEMPLAN_TOOLS_NUMBERS_TEXT_H_
