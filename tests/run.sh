#!/usr/bin/env bash
# All of continuous integration in one local command. Installs what is missing, then checks format,
# rules and both compilers, and runs every test in Release and under sanitizers.
# Goes on after failures; the last line is `N passed, N failed, N skipped`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 4
source runtime/packages.sh
source tests/harness/stages.sh
export PYTHONDONTWRITEBYTECODE=1

usage() {
  cat <<'END'
Usage: bash tests/run.sh [--quick | --all]

  --quick   only the Release build and its tests
  --all     every stage, also where it passed before with the same inputs

Works in build/; logs are in build/tests/. Needs no network when every package is installed. Without --all some stages
are not run again for inputs with which they passed before: their counts are in ~/.cache/tenon/verdicts (or
TENON_VERDICTS), and the inputs of the other builds are in tests/harness/other_builds.sha256.
END
}

quick=no
all=no
for argument in "$@"; do
  case "$argument" in
    --quick) quick=yes ;;
    --all) all=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run.sh: unknown argument '$argument'; see --help" >&2; exit 2 ;;
  esac
done

jobs=$(nproc)
clang=clang++-14
# Runs that touch on everything: scene, simulated seconds, rate.
hashed_runs=("bolt-in-plate 4.2 200" "four-bolts 3.2 200" "stack 0.3 1000" "insertion-benchmark 1 200"
             "free-fall 1 1000" "press-fit 1 200" "factory-peg-8mm 1.5 200")

# configure DIR PRESET CMAKE-ARGUMENT…
configure() {
  local dir=$1 preset=$2
  shift 2
  check "configure $dir" cmake --preset "$preset" -B "$dir" -DTENON_WERROR=ON "$@"
}

rooms=(physics content xr runtime)
sanitizers_name="Address and undefined-behaviour sanitizers (Clang)"
# Each build here is from nothing. That each file includes what it uses is a rule of the tree, and seen where other_builds
# compiles file by file, with --all.
united=-DTENON_UNITY=ON

# Of all on which a kept stage depends.
hash_of_inputs() {
  hash_of CMakeLists.txt CMakePresets.json .clang-tidy "${rooms[@]}" tests
}

# Files of the rooms and tests, by name pattern.
sources() {
  find "${rooms[@]}" tests -name "$1" -type f | sort
}

format() {
  stage "Format"
  check "clang-format" sh -c 'clang-format-14 --dry-run -Werror "$@"' - $(sources '*.h') $(sources '*.cpp')
}

rules() {
  local rule
  stage "Rules of the tree"
  check "rules find their violations" python3 tests/architecture/check_tree_test.py
  check "results are counted" python3 tests/harness/count_results_test.py
  check "stages are counted" bash tests/harness/stages_test.sh
  for rule in $(python3 tests/architecture/check_tree.py --list); do
    check "rule: $rule" python3 tests/architecture/check_tree.py "$rule"
  done
}

# The first command of a user, with warnings as errors. The Release build of the tests reuses its objects.
quickstart() {
  stage "Quickstart"
  configure build/release release -DTENON_TESTS=OFF $united || return
  check "quickstart" env -u DISPLAY -u WAYLAND_DISPLAY bash runtime/quickstart.sh
}

release() {
  stage "Release build and tests (GCC)"
  configure build/release release -DTENON_TESTS=ON -DTENON_BENCHMARKS=ON $united || return
  build "build: release" build/release all
  [ $quick = yes ] || is_kept "$sanitizers_name" "$(hash_of_inputs)" || begin_sanitized
  suite "release" build/release
}

docs() {
  stage "Pages of the public headers"
  build "docs: every public member has a comment" build/release docs
}

# What glTF viewers get, before Khronos' validator.
gltf() {
  local files=$logs/glb
  stage "glTF files are valid"
  command -v npm >/dev/null || { skip "glTF validator" "there is no npm"; return; }
  rm -rf "$files" && mkdir -p "$files"
  check "a part as GLB" build/release/tenon parts make iso4762 M8x30 --out "$files/m8.glb" || return
  check "a recorded session" build/release/tenon run content/scenes/four-bolts.json --record "$files/s.tenon" || return
  check "its animation as GLB" build/release/tenon export "$files/s.tenon" --format glb --out "$files/s.glb" || return
  check "glTF validator" tests/harness/check_glb.sh build/tests/npm "$files/m8.glb" "$files/s.glb"
}

# reaches_depth PROGRAM: true if the example prints the depth of an inserted peg.
reaches_depth() {
  local output
  output=$("$1") && echo "$output" && grep -q 'the peg is 15.00 mm deep' <<<"$output"
}

library() {
  local installed=$PWD/build/tests/installed example=build/tests/hello_peg
  stage "The library in a program outside"
  rm -rf "$installed" "$example"
  check "install the library" cmake --install build/release --component library --prefix "$installed" || return
  check "configure hello_peg" cmake -G Ninja -S tests/examples/hello_peg -B "$example" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$installed" || return
  check "build hello_peg" cmake --build "$example" || return
  check "hello_peg inserts its peg" reaches_depth "$example/hello_peg"
}

# finds_files PROGRAM: true if the installed program finds its STEP reader and runs its scene, in another folder and
# without environment variables.
finds_files() {
  (
    cd / || exit
    env -i "$1" doctor --json | python3 -c '
import json, sys
found = {check["name"]: check["status"] for check in json.load(sys.stdin)["checks"]}
sys.exit(found["STEP files"] != "ok")' && env -i "$1" run "$(dirname "$1")/../share/tenon/scenes/bolt-in-plate.json"
  )
}

# imports_tenon FOLDER SCENES: true if Debian's Python imports the module from the folder, and it inserts the bolt.
imports_tenon() {
  (cd / && env -i PYTHONPATH="$1" /usr/bin/python3 -B -c '
import sys, tenon
assert tenon.__file__.startswith(sys.argv[1]), tenon.__file__
result = tenon.run(sys.argv[2] + "/bolt-in-plate.json", rate=200)
print(result)
sys.exit(not result.reached)' "$1" "$2")
}

installed() {
  local prefix=$PWD/build/tests/prefix package=$PWD/build/tests/package
  stage "Installed, and as a Debian package"
  rm -rf "$prefix" "$package"
  check "install the program" cmake --install build/release --component program --prefix "$prefix" || return
  check "the installed program finds its files" finds_files "$prefix/bin/tenon"
  check "the installed Python module inserts the bolt" imports_tenon "$prefix/lib/python3/dist-packages" \
    "$prefix/share/tenon/scenes"
  check "make a Debian package" cpack --config build/release/CPackConfig.cmake -B "$package" || return
  check "unpack it" dpkg-deb -x "$package"/tenon_*.deb "$package/root" || return
  check "the unpacked program finds its files" finds_files "$package/root/usr/bin/tenon"
  check "the unpacked Python module inserts the bolt" imports_tenon "$package/root/usr/lib/python3/dist-packages" \
    "$package/root/usr/share/tenon/scenes"
}

# as_user COMMAND…: runs it as an ordinary user, in the only folder where this user may write.
as_user() {
  local home=$PWD/build/tests/home user=()
  [ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  (cd "$home" && env -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u XDG_RUNTIME_DIR HOME="$home" TMPDIR="$home" \
    "${user[@]}" "$@")
}

# passes_as_user TEST: runs one test of tests/runtime/ as an ordinary user.
passes_as_user() {
  as_user "$PWD/build/release/tests/runtime_test" --gtest_filter="$1" | tee /dev/stderr | grep -q 'PASSED.* 1 test\.'
}

ordinary_user() {
  local tenon=$PWD/build/release/tenon scenes=$PWD/content/scenes home=$PWD/build/tests/home
  stage "As an ordinary user"
  rm -rf "$home" && mkdir -p "$home"
  [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$home"
  as_user test -r "$scenes" || { skip "ordinary user" "may not read $PWD"; return; }
  check "user: run" as_user "$tenon" run "$scenes/bolt-in-plate.json" --record s.tenon --report r.md
  check "user: check" as_user "$tenon" check "$scenes/four-bolts.json"
  check "user: render" as_user "$tenon" render "$scenes/flange.json" --time 1 --out p.png
  check "user: replay" as_user "$tenon" replay s.tenon --verify
  check "user: export" as_user "$tenon" export s.tenon --format html --out s.html
  check "user: doctor" as_user "$tenon" doctor
  check "user: a folder that may not be written" passes_as_user RecordCrash.AFolderThatMayNotBeWrittenIsRefused
}

# lacks_components PROGRAM: true if the program reports STEP, sound, Python and the service as missing, and runs a scene.
lacks_components() {
  "$1" doctor --json | python3 -c '
import json, sys
found = {check["name"]: check["status"] for check in json.load(sys.stdin)["checks"]}
sys.exit([found["STEP files"], found["sound"], found["Python module"], found["service"]] != ["missing"] * 4)' && "$1" run content/scenes/bolt-in-plate.json
}

# Other builds: without optional components (with --all file by file), and the library without the program's packages.
# Unoptimized, because the errors that this stage finds are compile errors. It depends on the files that say how to
# build, and hardly on the sources, for which there is the rule `includes`: it is run with --all, and where those files
# are not the ones recorded with it.
other_builds() {
  local recorded=tests/harness/other_builds.sha256 inputs failed_before=$failed
  # shellcheck disable=SC2046  # files of ours, none of which has a space
  inputs=$(hash_of_files $(find CMakeLists.txt CMakePresets.json "${rooms[@]}" -name 'CMake*' -o -name '*.cmake' \
    -o -name '*.in' -o -name packages.sh))
  stage "What else users build"
  if [ $all = no ] && [ "$inputs" = "$(cat $recorded)" ]; then
    add_counts 1 0 0
    echo "passed: with these CMake files, recorded in $recorded; --all builds again"
    return
  fi
  build_otherwise
  [ "$failed" -gt "$failed_before" ] || [ "$inputs" = "$(cat $recorded)" ] ||
    echo "To record this: echo $inputs >$recorded"
}

build_otherwise() {
  local units=$united
  [ $all = no ] || units=-DTENON_UNITY=OFF
  configure build/plain debug "$units" -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DTENON_TESTS=OFF -DTENON_STEP=OFF -DTENON_SOUND=OFF \
    -DTENON_PYTHON=OFF -DTENON_SERVICE=OFF || return
  build "build: without optional components" build/plain tenon || return
  check "tenon without optional components" lacks_components build/plain/tenon
  configure build/library release -DTENON_BUILD_APP=OFF -DCMAKE_DISABLE_FIND_PACKAGE_{nlohmann_json,fmt,CLI11}=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_{Vulkan,SQLiteCpp,glfw3,PNG,OpenCASCADE,GTest}=ON || return
}

# Makes build/tidy/clang-tidy: with a plugin that leaves out what system headers declare.
make_tidy() {
  local plugin=$PWD/build/tidy/own_declarations.so
  $clang -std=c++20 -fno-rtti -fPIC -shared -O1 -isystem /usr/lib/llvm-14/include tests/harness/own_declarations.cpp -o "$plugin" &&
    printf '#!/bin/sh\nexec clang-tidy-14 --load "%s" "$@"\n' "$plugin" >build/tidy/clang-tidy &&
    chmod +x build/tidy/clang-tidy
}

# finds_mistakes: true if clang-tidy finds the three mistakes of a unit: in a header, in a template, and in what a
# macro of a system header declares, as TEST() does.
finds_mistakes() {
  local folder=build/tidy/mistakes found
  mkdir -p $folder/system
  echo '#define DECLARED(name) int name(std::string text)' >$folder/system/macro.h
  cat >$folder/header.h <<'END'
#include <macro.h>
#include <string>
#include <utility>
inline std::string twice(std::string text) { std::string first = std::move(text); return first + text; }
template <class T> T same(T value) { T moved = std::move(value); return value; }
DECLARED(sizeOf) { std::string moved = std::move(text); return static_cast<int>(text.size()); }
END
  cat >$folder/unit.cpp <<'END'
#include "header.h"
std::string use(std::string text) { return same(std::move(text)); }
END
  found=$(build/tidy/clang-tidy --quiet --config-file=.clang-tidy --header-filter='.*' $folder/unit.cpp -- -std=c++20 \
    -isystem $folder/system 2>&1)
  echo "$found"
  [ "$(grep -c 'error: .*bugprone-use-after-move' <<<"$found")" -eq 3 ]
}

# Configured, and of it only shaders and messages generated: clang's own command lines, without GCC's precompiled
# headers. In units of whole folders: most of the time goes into their headers. Tests have checks of their own.
tidy() {
  local options=(-clang-tidy-binary "$PWD/build/tidy/clang-tidy" -quiet -j "$jobs" -p build/tidy)
  configure build/tidy debug -DTENON_TESTS=ON $united -DTENON_UNITY_FILES=100 -DCMAKE_CXX_COMPILER=$clang \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON || return
  build "build: shaders and messages" build/tidy tenon_shaders tenon_protos || return
  check "clang-tidy without system headers" make_tidy || return
  check "clang-tidy finds mistakes" finds_mistakes || return
  check "clang-tidy" run-clang-tidy-14 "${options[@]}" "^$PWD/(build/tidy/)?(?!build|tests).*\.c(pp|xx)\$"
  check "clang-tidy: tests" run-clang-tidy-14 "${options[@]}" -config="$(cat tests/.clang-tidy)" \
    "^$PWD/(build/tidy/)?tests/.*\.c(pp|xx)\$"
}

# state_hash PROGRAM SCENE ARGUMENT…: of a run; the goals need not be reached in part of it.
state_hash() {
  local program=$1 scene=$2 output
  shift 2
  output=$("$program" run "content/scenes/$scene.json" --json "$@") || [ $? -eq 1 ] || return
  python3 -c 'import json, sys; print(json.load(sys.stdin)["state_hash"])' <<<"$output"
}

# same_bytes SOLVER SCENE SECONDS RATE: Release once, again, with two threads, and by the other compiler, less optimised,
# with asserts and sanitizers.
same_bytes() {
  local arguments=("$2" --solver "$1" --duration "$3" --rate "$4") first other hash
  first=$(state_hash build/release/tenon "${arguments[@]}") || return
  for other in "build/release/tenon 1" "build/release/tenon 2" "build/asan-clang/tenon 1"; do
    hash=$(state_hash "${other% *}" "${arguments[@]}" --threads "${other#* }") || return
    echo "$1, $other threads: $hash"
    [ "$hash" = "$first" ] || { echo "differs from $first"; return 1; }
  done
}

# same_bytes_of SOLVER SOLVER SCENE SECONDS RATE: both at once, on a core each.
same_bytes_of() {
  local one=$1 two=$2 other result=0
  shift 2
  same_bytes "$one" "$@" &
  other=$!
  same_bytes "$two" "$@" || result=1
  wait "$other" && return "$result"
}

determinism() {
  local run
  build_sanitized || { skip "same bytes" "there is no build with sanitizers of these sources"; return; }
  for run in "${hashed_runs[@]}"; do
    # shellcheck disable=SC2086  # scene, seconds, rate
    check "same bytes: ${run%% *}" same_bytes_of fischer-newton lemke-fixpoint $run
  done
  check "same bytes: bilateral-newton, gauss-seidel" \
    same_bytes_of bilateral-newton gauss-seidel insertion-benchmark 1 200
  check "same bytes: baraff" same_bytes baraff stack 0.3 1000
}

# The second compiler, with address and undefined-behaviour sanitizers and the fuzzer's counters. Whole
# scenes, brute force and minutes of simulated time take too long there and run in Release alone, and so do pictures:
# Vulkan drivers leak, in libraries that are gone by the time a suppression would name them.
long_tests='RenderCommand|RemotePreview|RemoteVr|PreviewCommand|PreviewFailure|PreviewWithoutDisplay|ReplayCommand|VrCommand|VrComfort|VrHands|VrSession|VrFaults|VrTable|VrView|VrAssembly|SectionCaps|ReportTitle|PreviewRecord|ViewSettings.AWindow|LostDisplay|StudyPictures|HtmlReport|ForeignText.IsNoMarkup|GoalScenes.ADowel|OutputFiles.AreNot|DamageRendering|LiveShadows|Multiview|Movies|ParametersWindow|ThumbnailsTest|ViewTools|VrFoveated|VrModels|ExportedSession|RecordCrash|ChangedFilesAreRead|FileAboveTheLimits|BruteForce|HundredThousand|AMinute|PegInFacetedHole|BlockPairs|SceneFloor.ChangesNoOutcome|GoalScenes.AScrewThatAHandLeans|Export.PassedParts|VrControllers|PlanOfScene|PlanRandom|PlanCommand.laysOut|RealThreads|PlanCommand.blames|CarryOut|PlanSimulation|SweptVolume|SweptDistance|SweepCommand|HandScript|Tutorial\.|GalleryPictures|ContactFrame.WhatRests|Screwdriving|ClampedScrew|TiltedScrew|BoundarySolid.OfEveryTwo|Step.SurfacesWithAPole|ArrangeWindow|ImportedThreads.(Sizes|Scans|Gears)'
# Of these, what shows most of the code that draws, runs windows and talks to a headset: without looking for leaks.
driver_tests='RenderCommand.HingeAtTheStart|PreviewCommand.MouseInsertsTheScrew|ReplayCommand.AClickOnTheTimeLine|VrHands.ScrewGoes|RemotePreview|RemoteVr|LostDisplay|LiveShadowsTest.Ground|Multiview|ThumbnailsTest.AreMade|ViewTools.TheSection|VrModels.ModelWithMoving|StudyPictures|ArrangeWindow.AnEditReplaces'
configure_sanitized() {
  cmake --preset asan -B build/asan-clang -DTENON_WERROR=ON -DTENON_TESTS=ON -DTENON_FUZZ=ON $united \
    -DCMAKE_CXX_COMPILER=$clang
}

begun=
# Begins to build the programs that three stages use, on processors that have nothing else to do: tests of windows and
# headsets wait for these. Its errors are those that build_sanitized reports.
begin_sanitized() {
  configure_sanitized >"$logs/begun-asan.txt" 2>&1 </dev/null || return
  chrt --idle 0 ninja -C build/asan-clang -j "$jobs" -k 0 >>"$logs/begun-asan.txt" 2>&1 </dev/null &
  begun=$!
  trap end_begun EXIT
}

# Ends it: what is left is built at full speed.
end_begun() {
  [ -n "$begun" ] || return 0
  kill "$begun" 2>/dev/null
  wait "$begun"
  begun=
}

sanitized=
# Builds these programs, or what is left to build, when the first of the three stages runs.
build_sanitized() {
  if [ -z "$sanitized" ]; then
    sanitized=no
    end_begun
    check "configure build/asan-clang" configure_sanitized && build "build: asan" build/asan-clang all && sanitized=yes
  fi
  [ $sanitized = yes ]
}

sanitizers() {
  build_sanitized || return
  suite "asan" build/asan-clang -E "$long_tests"
  ASAN_OPTIONS=detect_leaks=0 suite "asan, with drivers" build/asan-clang -R "$driver_tests"
}

# run_fuzzer NAME RUNS: a fixed number of inputs from a fixed seed, so that the same sources give the same result.
run_fuzzer() {
  local name=$1 corpus=build/tests/corpus-$1
  rm -rf "$corpus" && mkdir -p "$corpus" || return
  # Not pile.json: inputs made of it place hundreds of parts, and take seconds each.
  find content/scenes tests/data -name '*.json' ! -name pile.json -exec cp {} "$corpus" \;
  "$(find build/asan-clang -name "$name" -type f)" -seed=1 -runs="$2" -max_len=20000 -timeout=60 -rss_limit_mb=2048 \
    -artifact_prefix="$logs/" -print_final_stats=1 "$corpus"
}

# ended PID LOG: waits for a command in the background; prints its log, and returns its status.
ended() {
  local status
  wait "$1"
  status=$?
  cat "$2"
  return "$status"
}

# Of CAD models, which take longest, with as many inputs as the other readers need time for.
fuzz() {
  local target name cad=$logs/fuzz-cad.txt
  build_sanitized || { skip "fuzz" "there is no build with sanitizers of these sources"; return; }
  run_fuzzer step_fuzz 4000 >"$cad" 2>&1 </dev/null &
  for target in tests/fuzz/*_fuzz.cpp; do
    name=$(basename "$target" .cpp)
    [ "$name" = step_fuzz ] || check "fuzz: $name" run_fuzzer "$name" 10000
  done
  check "fuzz: step_fuzz, beside the others" ended $! "$cad"
}

# Part of a scene: its goals need not be reached (1), but the sanitizer must not complain (66).
without_races() {
  build/tsan-clang/tenon run "$1" --duration 0.4 --rate 200 --threads 2 --record "$logs/tsan.tenon" --force ||
    [ $? -eq 1 ]
}

threads() {
  # Without the service: gRPC synchronizes in libraries that the sanitizer does not see.
  configure build/tsan-clang tsan -DTENON_TESTS=ON -DTENON_SERVICE=OFF $united -DCMAKE_CXX_COMPILER=$clang || return
  build "build: tsan" build/tsan-clang all
  suite "tsan" build/tsan-clang
  check "tsan: four bolts on two threads, recorded" without_races content/scenes/four-bolts.json
}

echo "Packages"
mkdir -p "$logs"
ensure_packages "${tenon_build_packages[@]}" "${tenon_test_packages[@]}"
require_cmake

if [ $quick = no ]; then
  format
  rules
fi
quickstart
release
if [ $quick = no ]; then
  docs
  gltf
  library
  installed
  ordinary_user
  all_inputs=$(hash_of_inputs)
  other_builds
  kept_stage "clang-tidy" "$all_inputs" tidy
  kept_stage "$sanitizers_name" "$all_inputs" sanitizers
  kept_stage "Clang's build with asserts gives the bytes of GCC's without" "$all_inputs" determinism
  kept_stage "Fuzzing of every reader" "$all_inputs" fuzz
  kept_stage "Thread sanitizer (Clang)" "$all_inputs" threads
fi
finish
