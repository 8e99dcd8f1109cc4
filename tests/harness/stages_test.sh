#!/usr/bin/env bash
# The counting of stages.sh: a failure is counted, named, does not stop the run, and fails it.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir -p build/tests tests && ln -s "$here" tests/harness
export TENON_VERDICTS=$scratch/verdicts

# expect NAME WANTED GOT
expect() {
  [ "$2" = "$3" ] && return
  echo "$1: expected '$2', got '$3'"
  wrong=1
}
wrong=0

# A run of three stages and a ctest that leaves the given results; prints all, ends as finish does.
run_stages() {
  (
    jobs=1
    source "$here/stages.sh"
    check "good one" true
    $1 check "bad one" sh -c 'echo what went wrong; exit 7'
    skip "absent one" "no device"
    ctest() {
      while [ "$1" != --output-junit ]; do shift; done
      [ -z "$results_text" ] || echo "$results_text" >"$2"
    }
    suite "unit" build
    finish
  )
}

case_passed='<testcase name="a" status="run"/>'
case_failed='<testcase name="b.C" status="fail"><failure message="x"/></testcase>'

results_text="<testsuite>$case_passed$case_passed</testsuite>"
output=$(run_stages :)
expect "code of a good run" 0 $?
expect "last line of a good run" "3 passed, 0 failed, 1 skipped" "$(tail -n 1 <<<"$output")"

output=$(run_stages "")
expect "code of a failed check" 1 $?
expect "last line after a failed check" "3 passed, 1 failed, 1 skipped" "$(tail -n 1 <<<"$output")"
expect "output of a failed check" 1 "$(grep -c '| what went wrong' <<<"$output")"

results_text="<testsuite>$case_passed$case_failed</testsuite>"
output=$(run_stages :)
expect "code of a failed test" 1 $?
expect "last line after a failed test" "2 passed, 1 failed, 1 skipped" "$(tail -n 1 <<<"$output")"
expect "name of a failed test" 1 "$(grep -c '^  unit: b.C$' <<<"$output")"

results_text=
output=$(run_stages :)
expect "code of a suite without results" 1 $?
expect "last line of a suite without results" "1 passed, 1 failed, 1 skipped" "$(tail -n 1 <<<"$output")"

# kept_run HASH COMMAND…: of a stage in which `one` runs; prints how often it ran so far, and the totals.
kept_run() {
  (
    jobs=1
    source "$here/stages.sh"
    one() {
      echo ran >>"$scratch/ran"
      check "one" "${@:-true}"
    }
    kept_stage "Kept" "$@"
    finish
  ) >"$scratch/output"
  echo "$(wc -l <"$scratch/ran") $(tail -n 1 "$scratch/output")"
}
expect "a new stage" "1 1 passed, 0 failed, 0 skipped" "$(kept_run a one)"
expect "what passed before" "1 1 passed, 0 failed, 0 skipped" "$(kept_run a one)"
expect "its words" 1 "$(grep -c '^passed before for these sources' "$scratch/output")"
expect "what passed before, with --all" "2 1 passed, 0 failed, 0 skipped" "$(all=yes kept_run a one)"
expect "other inputs" "3 1 passed, 0 failed, 0 skipped" "$(kept_run b one)"
expect "what fails" "4 0 passed, 1 failed, 0 skipped" "$(kept_run c one false)"
expect "what failed before" "5 1 passed, 0 failed, 0 skipped" "$(kept_run c one)"
incomplete() {
  one
  skip "another" "no device"
}
expect "what is incomplete" "6 1 passed, 0 failed, 1 skipped" "$(kept_run d incomplete)"
expect "what was incomplete before" "7 1 passed, 0 failed, 1 skipped" "$(kept_run d incomplete)"

# hash_here: of the folder `inputs`.
hash_here() {
  (
    source "$here/stages.sh"
    hash_of inputs
  )
}
mkdir inputs && echo 1 >inputs/a.cpp && echo 1 >inputs/README.md
first=$(hash_here)
echo 2 >inputs/README.md
expect "hash with another README" "$first" "$(hash_here)"
expect "hash with other flags" no "$([ "$(CXXFLAGS=-O0 hash_here)" = "$first" ] && echo yes || echo no)"
mv inputs/a.cpp inputs/b.cpp
expect "hash with another name" no "$([ "$(hash_here)" = "$first" ] && echo yes || echo no)"
mv inputs/b.cpp inputs/a.cpp
expect "hash as before" "$first" "$(hash_here)"

exit "$wrong"
