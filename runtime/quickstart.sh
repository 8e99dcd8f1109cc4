#!/usr/bin/env bash
# From a fresh clone to an inserted bolt: installs what is missing, builds the program, runs the first
# scene and says where its report is. May be run again; needs no network when nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source runtime/packages.sh

scene=content/scenes/bolt-in-plate.json
report=build/bolt-in-plate-report.md

usage() {
  cat <<'END'
Usage: bash runtime/quickstart.sh

Installs the packages Tenon is built with (those that are missing; needs root or sudo), builds it into
build/release, lets a scripted hand insert a bolt into a plate, and writes a report into build/.
END
}

case "${1-}" in
  "") ;;
  -h | --help) usage; exit 0 ;;
  *) echo "quickstart.sh: unknown argument '$1'; it takes none" >&2; exit 2 ;;
esac

echo "== 1/3  Packages"
ensure_packages "${tenon_build_packages[@]}"
require_cmake

echo "== 2/3  Build (the first takes a few minutes)"
mkdir -p build
cmake --preset release -DTENON_TESTS=OFF >build/configure.log 2>&1 </dev/null ||
  die "cannot configure: $(grep -m1 -A2 'CMake Error' build/configure.log | tr -s '\n ' ' '); all of it is in $PWD/build/configure.log"
cmake --build --preset release --target tenon </dev/null || die "the build failed; see the messages above"

echo "== 3/3  Insert a bolt: tenon run $scene"
code=0
build/release/tenon run "$scene" --report "$report" </dev/null || code=$?
if [ "$code" -ne 0 ]; then
  echo "quickstart.sh: tenon run ended with $code; the bolt did not get in, or see the message above" >&2
  exit "$code"
fi
echo
echo "The report is in $PWD/$report"
echo "Try: build/release/tenon run content/scenes/four-bolts.json   or   build/release/tenon --help"
echo "Done: the bolt is inserted."
