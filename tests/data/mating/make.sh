#!/usr/bin/env bash
# Makes the STEP files of parts.txt beside copies of the scenes: bash make.sh MAKE_STEP DIR, where MAKE_STEP is the
# program of tests/support/step, build/release/tests/support/step/make_step.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: bash make.sh MAKE_STEP DIR" >&2; exit 2; }
here=$(dirname "${BASH_SOURCE[0]}")
mkdir -p "$2"
cp "$here"/*.json "$2"
while read -r file kind sizes; do
  # shellcheck disable=SC2086  # numbers
  [[ -z $file || $file == \#* ]] || "$1" "$kind" "$2/$file.step" MM $sizes >/dev/null
done <"$here/parts.txt"
