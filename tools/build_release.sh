#!/usr/bin/env bash
# Installs what is missing, configures and builds build/release:
#
#   tools/build_release.sh program   the command alone; needs no test libraries
#   tools/build_release.sh all       everything
#
# All that it has to say goes to stderr. Calls wait for each other.
set -euo pipefail
exec >&2 </dev/null

root=$(readlink -f "${BASH_SOURCE[0]}")
root=${root%/tools/*}
dir=$root/build/release

case "${1:-}" in
  program) needs=build targets=(--target memplan) wants=(-DMEMPLAN_BUILD_TESTS=OFF -DMEMPLAN_BUILD_BENCHMARK=OFF) ;;
  all) needs=test targets=() wants=(-DMEMPLAN_BUILD_TESTS=ON -DMEMPLAN_BUILD_BENCHMARK=ON) ;;
  *)
    echo "usage: tools/build_release.sh program|all"
    exit 2
    ;;
esac

"$root/tools/install_dependencies.sh" "$needs"

mkdir -p "$dir"
exec 9>"$root/build/lock"
flock 9

cache() { sed -n "s/^$1:[A-Z]*=//p" "$dir/CMakeCache.txt" 2>/dev/null; }

# A folder that was copied here with its build, or a configuration that broke
# off half-way, starts afresh.
fresh=()
if [ ! -e "$dir/build.ninja" ] || [ "$(cache CMAKE_HOME_DIRECTORY)" != "$root" ]; then
  fresh=(--fresh)
elif [ "$1" = program ] || [ "$(cache MEMPLAN_BUILD_TESTS)" = ON ]; then
  wants=()  # Ninja configures again by itself where it must.
fi
if [ "${#wants[@]}" -gt 0 ]; then
  (cd "$root" && cmake --preset release "${fresh[@]}" "${wants[@]}")
fi
cmake --build "$dir" "${targets[@]}" 9>&-
