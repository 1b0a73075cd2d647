#!/usr/bin/env bash
# Runs the tests of one build folder: tests/run_ctest.sh BUILD_DIR [CTEST_ARGS]
# ctest lists skipped tests and failures behind its summary; here the summary
# comes last, whatever happened.
set -uo pipefail

dir=$1
shift
ctest --test-dir "$dir" --output-on-failure --no-tests=error --progress \
  -j "$(nproc)" "$@" </dev/null 2>&1 | tee "$dir/ctest.log"
status=${PIPESTATUS[0]}
echo
grep -E '^[0-9]+% tests passed' "$dir/ctest.log" || echo "no tests ran"
exit "$status"
