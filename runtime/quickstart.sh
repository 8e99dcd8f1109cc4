#!/usr/bin/env bash
# From a fresh clone to an inserted bolt: installs what is missing, builds the program, runs the first
# scene, shows it (a window where there is a display, else a picture), and says where picture and report are. May be run again; needs no network when nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source runtime/packages.sh

scene=content/scenes/bolt-in-plate.json
report=build/bolt-in-plate-report.md
picture=build/bolt-in-plate.png

usage() {
  cat <<'END'
Usage: bash runtime/quickstart.sh

Installs the packages Tenon is built with (those that are missing; needs root or sudo), builds it into
build/release, lets a scripted hand insert a bolt into a plate, writes a report into build/, and shows it: in a
window where there is a display, else in a picture in build/.
END
}

case "${1-}" in
  "") ;;
  -h | --help) usage; exit 0 ;;
  *) echo "quickstart.sh: unknown argument '$1'; it takes none" >&2; exit 2 ;;
esac

echo "== 1/4  Packages"
ensure_packages "${tenon_build_packages[@]}"
require_cmake

# Prints the progress of a build from Ninja's lines `@DONE TOTAL SECONDS …`: on a terminal one line that is updated,
# elsewhere a line for each tenth. Other lines are printed, and appended to build/build.log.
show_progress() {
  local line finished total seconds rest words tenth=0
  while IFS= read -r line; do
    if [[ $line != @* ]]; then
      printf '%s\n' "$line" | tee -a build/build.log
      continue
    fi
    read -r finished total seconds rest <<<"${line#@}"
    [ "$finished" -gt 0 ] && [ "$total" -ge 10 ] || continue  # few steps: CMake configures again
    words="compiling $finished of $total, about $(((${seconds%.*} * (total - finished) / finished + 30) / 60)) min left"
    if [ -t 1 ]; then
      printf '\r%s \033[K' "$words"
    elif [ $((10 * finished / total)) -gt $tenth ]; then
      tenth=$((10 * finished / total))
      echo "$words"
    fi
  done
  [ ! -t 1 ] || echo
}

echo "== 2/4  Build (the first takes a few minutes)"
mkdir -p build
options=()  # a build folder that is there keeps its own
[ -e build/release/CMakeCache.txt ] || options=(-DTENON_TESTS=OFF -DTENON_UNITY=ON)
# A unit takes up to 1.4 GiB to compile.
jobs=$(($(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo) / 1500000))
jobs=$((jobs < 1 ? 1 : jobs < $(nproc) ? jobs : $(nproc)))
cmake --preset release "${options[@]}" >build/configure.log 2>&1 </dev/null ||
  die "cannot configure: $(grep -m1 -A2 'CMake Error' build/configure.log | tr -s '\n ' ' '); all of it is in $PWD/build/configure.log"
: >build/build.log
NINJA_STATUS='@%f %t %e ' cmake --build --preset release --target tenon --parallel "$jobs" </dev/null 2>&1 | show_progress ||
  die "the build failed; its messages are above and in $PWD/build/build.log"

echo "== 3/4  Insert a bolt: tenon run $scene"
code=0
build/release/tenon run "$scene" --report "$report" --force </dev/null || code=$?
if [ "$code" -ne 0 ]; then
  echo "quickstart.sh: tenon run ended with $code; the bolt did not get in, or see the message above" >&2
  exit "$code"
fi

echo "== 4/4  Show it"
# True where a window is open; it stays open when this script has ended.
show_window() {
  [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] || return 1
  nohup build/release/tenon preview "$scene" --play </dev/null >build/preview.log 2>&1 &
  local window=$!
  sleep 3
  kill -0 "$window" 2>/dev/null && return
  echo "No window: $(tail -n 1 build/preview.log)"
  return 1
}
if show_window; then
  echo "A window shows it: tenon preview $scene. Press P and pull the screw yourself; F1 lists all keys."
elif build/release/tenon render "$scene" --time 2.5 --section y=0 --forces --out "$picture" --force </dev/null; then
  echo "The picture is in $PWD/$picture"
else
  echo "No picture, see the message above; all else works without."
fi
echo
echo "The report is in $PWD/$report"
echo "Try: build/release/tenon run content/scenes/four-bolts.json   or   build/release/tenon --help"
echo "Done: the bolt is inserted."
