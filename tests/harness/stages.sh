# Runs the stages of tests/run.sh and counts them: nothing stops at a failure, nothing goes uncounted.
# shellcheck shell=bash

passed=0
failed=0
skipped=0
failures=()
logs=build/tests
verdicts=${TENON_VERDICTS:-${XDG_CACHE_HOME:-$HOME/.cache}/tenon/verdicts}
left_out=no  # yes: part of a stage could not run
started=$SECONDS
stage_name=
stage_times=()  # of the stages that ended, as text

# Sets `cpu`: seconds of processor time of everything that ran so far.
measure_cpu() {
  times >"$logs/times"
  cpu=$(awk -F'[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$logs/times")
}

# Notes what the stage that ends here took, and prints it.
end_stage() {
  local line
  [ -n "$stage_name" ] || return 0
  measure_cpu
  printf -v line '%5d s, %5d s of CPU: %s' $((SECONDS - stage_began)) $((cpu - stage_cpu)) "$stage_name"
  stage_times+=("$line")
  echo "took $line"
}

# A heading; the stage before it ends.
stage() {
  end_stage
  stage_name=$1
  stage_began=$SECONDS
  measure_cpu
  stage_cpu=$cpu
  echo
  echo "== $1"
}

# Adds to the totals: passed, failed, skipped.
add_counts() {
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
}

# On a terminal, what a person is waiting for; the result overwrites it.
announce() {
  [ ! -t 1 ] || printf 'running: %s …\r' "$1"
}

# What to show of a log: a compiler's errors where there are any, else its end.
excerpt() {
  local errors='error:|undefined reference|multiple definition|CMake Error'
  if grep -qE "$errors" "$1"; then
    grep -E -m 15 -A 3 "$errors" "$1"
  else
    tail -n 60 "$1"
  fi | sed 's/\x1b\[[0-9;]*m//g' | cut -c -200 | sed 's/^/  | /'
}

# check NAME COMMAND…: one test, passed when the command succeeds. Its output goes to a log, of which
# an excerpt is shown when it fails. Returns the command's success.
check() {
  local name=$1 began=$SECONDS log
  shift
  log=$logs/$(tr -cs 'A-Za-z0-9\n' '-' <<<"$name").log
  announce "$name"
  if "$@" >"$log" 2>&1 </dev/null; then
    add_counts 1 0 0
    echo "passed: $name ($((SECONDS - began)) s)"
  else
    add_counts 0 1 0
    failures+=("$name")
    echo "FAILED: $name ($((SECONDS - began)) s); from $log:"
    excerpt "$log"
    return 1
  fi
}

# skip NAME REASON: one test that cannot run here.
skip() {
  add_counts 0 0 1
  left_out=yes
  echo "skipped: $1: $2"
}

# hash_of_files FILE-OR-FOLDER…: prints a hash of these files without *.md.
hash_of_files() {
  find "$@" -type f ! -name '*.md' ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum |
    sha256sum | cut -c -32
}

# hash_of FILE-OR-FOLDER…: prints a hash of these files, of the installed packages, of the processor, and of the
# environment variables that compilers and tests read.
hash_of() {
  {
    hash_of_files "$@"
    dpkg-query -W
    grep -m 1 'model name' /proc/cpuinfo
    env | grep -E '^(CC|CXX|[A-Z_]*FLAGS|CMAKE_[A-Z_]*|VK_[A-Z_]*|XR_[A-Z_]*|TENON_[A-Z_]*)=' | grep -v '^TENON_VERDICTS=' | sort
  } | sha256sum | cut -c -32
}

# verdict_file NAME HASH: prints where the counts of this stage are, if it has passed with inputs of this hash.
verdict_file() {
  echo "$verdicts/$(tr -cs 'A-Za-z0-9\n' '-' <<<"$1")-$2"
}

# is_kept NAME HASH: true if kept_stage skips this stage.
is_kept() {
  [ "${all:-no}" = no ] && [ -s "$(verdict_file "$1" "$2")" ]
}

# kept_stage NAME HASH COMMAND…: a stage that is skipped, and counted as before, if it has passed with inputs of this
# hash and `all` is not yes. The counts are stored in $verdicts, which all checkouts share.
kept_stage() {
  local name=$1 file before=("$passed" "$failed" "$skipped") counts
  file=$(verdict_file "$1" "$2")
  stage "$name"
  if is_kept "$1" "$2" && read -r -a counts 2>/dev/null <"$file" && [ "${#counts[@]}" -eq 2 ]; then
    add_counts "${counts[0]}" 0 "${counts[1]}"
    echo "passed before for these sources: ${counts[0]} passed, ${counts[1]} skipped"
    return
  fi
  shift 2
  left_out=no
  "$@"
  if [ "$failed" -eq "${before[1]}" ] && [ "$passed" -gt "${before[0]}" ] && [ $left_out = no ]; then
    mkdir -p "$verdicts" && echo "$((passed - before[0])) $((skipped - before[2]))" >"$file.$$" && mv "$file.$$" "$file"
  fi
}

# build NAME DIR TARGET…: one test. Goes on after errors, to name them all.
build() {
  local name=$1 dir=$2
  shift 2
  check "$name" cmake --build "$dir" --target "$@" -- -k 0
}

# suite NAME DIR CTEST-ARGUMENT…: counts every test of CTest in DIR.
suite() {
  local name=$1 dir=$2 began=$SECONDS results log counts report
  shift 2
  log=$logs/$(tr -cs 'A-Za-z0-9\n' '-' <<<"$name").log
  results=$PWD/${log%.log}.xml
  rm -f "$results"
  announce "$name"
  ctest --test-dir "$dir" -j "$jobs" --no-tests=error --output-on-failure --output-junit "$results" "$@" \
    >"$log" 2>&1 </dev/null
  if ! report=$(python3 tests/harness/count_results.py "$results" tests/harness/allowed_skips.txt 2>&1); then
    add_counts 0 1 0
    failures+=("$name: CTest gave no results")
    echo "FAILED: $name: CTest gave no results: $report; the end of $log:"
    tail -n 20 "$log" | sed 's/^/  | /'
    return 1
  fi
  counts=$(head -n 1 <<<"$report")
  # shellcheck disable=SC2086  # three numbers
  add_counts $counts
  mapfile -t -O ${#failures[@]} failures < <(sed -n "s/^  failed: \([^:]*\):.*/$name: \1/p" <<<"$report")
  echo "$name: $(awk '{print $1 " passed, " $2 " failed, " $3 " skipped"}' <<<"$counts") ($((SECONDS - began)) s)"
  tail -n +2 <<<"$report"
}

# The end: what failed, and the totals as the last line.
finish() {
  end_stage
  echo
  printf '%s\n' "${stage_times[@]}"
  echo
  if [ "$failed" -gt 0 ]; then
    echo "Failed:"
    printf '  %s\n' "${failures[@]}"
  fi
  echo "Took $((SECONDS - started)) s."
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}
