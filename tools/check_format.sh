#!/usr/bin/env bash
# Fails where clang-format (14, as in Debian 12) would change a file, and shows
# how. tools/check_format.sh --fix changes it.
set -euo pipefail

root=$(readlink -f "${BASH_SOURCE[0]}")
cd "${root%/tools/*}"

mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
find planner onnx_frontend runtime tools tests models \
  -name '*.cc' -print0 -o -name '*.h' -print0 -o -name '*.c' -print0 |
  xargs -0 clang-format --style=file "${mode[@]}"
