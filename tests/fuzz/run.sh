#!/usr/bin/env bash
# Fuzzes every file reader for some minutes, and stores the corpus for the next run.
#
# Usage: tests/fuzz/run.sh MINUTES [READER…]      such as: tests/fuzz/run.sh 10 obj gltf
#
# Exit code 0: no crash, hang or excessive memory. Failing inputs are in build/fuzz/, named after the failure; reproduce
# one with build/asan-clang/tests/fuzz/READER_fuzz FILE.
set -u
cd "$(dirname "$0")/../.." || exit 3
minutes=${1:-}
if ! [[ $minutes =~ ^[1-9][0-9]*$ ]]; then
  echo "run.sh: give a whole number of minutes for each reader, such as: tests/fuzz/run.sh 10" >&2
  exit 2
fi
shift
clang=$(command -v clang++-14 || command -v clang++) ||
  { echo "run.sh: clang++ is missing; bash tests/run.sh installs it" >&2; exit 3; }
readers=("$@")
if [ ${#readers[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    name=$(basename "$source" _fuzz.cpp)
    readers+=("$name")
  done
fi
for reader in "${readers[@]}"; do
  [ -e "tests/fuzz/${reader}_fuzz.cpp" ] || { echo "run.sh: there is no reader \"$reader\" in tests/fuzz" >&2; exit 2; }
done

echo "Building ${readers[*]} with sanitizers"
{ cmake --preset asan -B build/asan-clang -DTENON_TESTS=ON -DTENON_FUZZ=ON -DCMAKE_CXX_COMPILER="$clang" >/dev/null &&
    cmake --build build/asan-clang --target "${readers[@]/%/_fuzz}"; } || exit 1

result=0
for reader in "${readers[@]}"; do
  corpus=build/fuzz/corpus-$reader
  mkdir -p "$corpus"
  echo "Fuzzing $reader for $minutes min"
  build/asan-clang/tests/fuzz/"${reader}_fuzz" -max_total_time=$((60 * minutes)) -max_len=20000 -timeout=60 \
    -rss_limit_mb=2048 -artifact_prefix=build/fuzz/ -print_final_stats=1 "$corpus" \
    content/scenes tests/data 2>"build/fuzz/$reader.log"
  code=$?
  tail -n 6 "build/fuzz/$reader.log"
  [ $code -eq 0 ] || { echo "$reader: FAILED, see build/fuzz/$reader.log"; result=1; }
done
exit $result
