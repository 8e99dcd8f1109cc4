#!/usr/bin/env bash
# The counting of stages.sh: a failure is counted, named, does not stop the run, and fails it.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir -p build/tests tests && ln -s "$here" tests/harness

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

exit "$wrong"
