# `make arm` without what it needs, and asked for what is not there: said, skipped and never passed.
set -euo pipefail
run=$REPOSITORY/Tests/arm/run
expect() { # STATUS TEXT COMMAND...
  local status=$1 text=$2 found=0
  shift 2
  "$@" >output 2>&1 || found=$?
  [ "$found" = "$status" ] && grep -qF "$text" output || { echo "$*: expected status $status and '$text', found $found and:"; cat output; exit 1; }
}
expect 64 "there is no row 'Nonsense'" "$run" Nonsense
expect 64 "there is no row 'Nonsense'" env ONLY=FittingTests,Nonsense "$run"
expect 64 "found ARM_TIMEOUT=soon" env ARM_TIMEOUT=soon "$run"
expect 64 "found ARM_JOBS=0" env ARM_JOBS=0 "$run"

# Without an emulator all is skipped, which is no success.
mkdir bin
for program in bash env dirname mkdir flock cat sed uname; do ln -s "$(command -v $program)" bin/; done
expect 69 "qemu-aarch64-static is missing" env PATH="$PWD/bin" "$run"
grep -qx "0 passed, 0 failed, 11 skipped" output
grep -q "^FittingTests .*skipped: " output
expect 69 "0 passed, 0 failed, 1 skipped" env PATH="$PWD/bin" "$run" FittingTests
