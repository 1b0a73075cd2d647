#!/usr/bin/env bash
# Installs the Debian packages that a task needs, and does nothing where they
# are there already:
#
#   tools/install_dependencies.sh build|test|ci
#
# MEMPLAN_SKIP_INSTALL=1 leaves it to whoever keeps the libraries elsewhere.
set -euo pipefail

build=(g++ cmake ninja-build libonnx-dev libprotobuf-dev protobuf-compiler
  libabsl-dev libcli11-dev nlohmann-json3-dev)
test=("${build[@]}" libgtest-dev libgmock-dev libbenchmark-dev)
ci=("${test[@]}" ccache clang-format)

say() { printf 'memplan: %s\n' "$*" >&2; }

case "${1:-}" in
  build) packages=("${build[@]}") ;;
  test) packages=("${test[@]}") ;;
  ci) packages=("${ci[@]}") ;;
  *)
    say "usage: tools/install_dependencies.sh build|test|ci"
    exit 2
    ;;
esac
[ -z "${MEMPLAN_SKIP_INSTALL:-}" ] || exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is not Debian or Ubuntu, so nothing can be installed here."
  say "Install the equivalents of: ${packages[*]}"
  say "then set MEMPLAN_SKIP_INSTALL=1."
  exit 1
fi

# One call of dpkg-query for all; what it does not know, it leaves out.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "these packages are missing: ${missing[*]}"
    say "To install them needs root, and there is no sudo. As root, run:"
    say "  apt-get install ${missing[*]}"
    exit 1
  fi
  # The environment is set behind sudo, which would drop it.
  as_root=(sudo env)
else
  as_root=(env)
fi

apt() {
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >&2 </dev/null
}

say "installing ${missing[*]}"
# The lists of a new machine are empty or old: fetch them, and go on with what
# is there if that fails.
apt update || say "apt-get update failed; trying with the package lists at hand"
if ! apt install -y --no-install-recommends "${missing[@]}"; then
  say "apt-get could not install: ${missing[*]}"
  say "Look at its message above; then run: apt-get install ${missing[*]}"
  exit 1
fi
