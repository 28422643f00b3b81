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
grep -qx "0 passed, 0 failed, 12 skipped" output
grep -q "^FittingTests .*skipped: " output
expect 69 "0 passed, 0 failed, 1 skipped" env PATH="$PWD/bin" "$run" FittingTests

# The tests of a target: each one that there is has passed, or is told as skipped with its reason.
mkdir -p clone/Tests/arm clone/.build-arm
cp "$REPOSITORY/Tests/arm/tests" clone/Tests/arm/
printf 'A.B/%s\n' 'one()' 'two(x:)' 'three()' 'four()' >clone/.build-arm/tests
printf '# comment\nA.B/four # no such call\nOther.B/one # of another\n' >clone/Tests/arm/not-emulated
printf '#!/bin/sh\necho "$@" >>calls\ncat said\nexit "$(cat status)"\n' >clone/Tests/arm/emulate
chmod +x clone/Tests/arm/emulate
echo 0 >status
cat >said <<'SAID'
◇ Test "first" started.
◇ Test two(x:) started.
◇ Test case passing 1 argument x → "1" to two(x:) started.
✔ Test case passing 1 argument x → "1" to two(x:) passed after 0.1 seconds.
✔ Test "first" passed after 0.1 seconds.
✔ Test two(x:) with 2 test cases passed after 0.1 seconds.
➜ Test three() skipped: "no card"
SAID
expect 0 "Tests: 2 passed, 0 failed, 2 skipped of 4" clone/Tests/arm/tests A
grep -qx -- '- Test B/four skipped: no such call' output
grep -qF -- '--filter ^A\.(B)/ --skip ^A\.B/four\(' calls
# One that did not run, one that failed, one that hung.
sed -i '/three/d' said
expect 1 "Tests: 2 passed, 0 failed, 1 skipped of 4" clone/Tests/arm/tests A
echo '✘ Test three() failed after 0.1 seconds with 1 issue.' >>said
expect 1 "Tests: 2 passed, 1 failed, 1 skipped of 4" clone/Tests/arm/tests A
sed -i '/three\|first" passed/d' said
echo 124 >status
expect 1 "B: ended with 124, and left undone:" clone/Tests/arm/tests A
grep -qx '"first"' output
# A reason for a test that is gone, and a target without tests.
echo 'A.B/five # gone' >>clone/Tests/arm/not-emulated
expect 1 "not-emulated names A.B/five, and there is no such test" clone/Tests/arm/tests A
expect 1 "Tests: 0 passed, 0 failed, 0 skipped of 0" clone/Tests/arm/tests C

# Renderings that differ by more than 100 dB below full scale fail, and so do silence and missing files.
compare=$REPOSITORY/Tests/arm/compare
wave() { # FILE AMPLITUDE CHANGE: 24 bits, of full scale
  python3 - "$@" <<'PYTHON'
import math, sys, wave
amplitude, change = float(sys.argv[2]), float(sys.argv[3])
with wave.open(sys.argv[1], "wb") as file:
    file.setparams((2, 3, 48000, 0, "NONE", ""))
    values = [amplitude * math.sin(n / 10) + (change if n == 500 else 0) for n in range(2000)]
    file.writeframes(b"".join(round(value * (2 ** 23 - 1)).to_bytes(3, "little", signed=True) for value in values))
PYTHON
}
mkdir one other
wave one/a.wav 0.5 0
wave other/a.wav 0.5 0
expect 0 "Largest difference: -inf dB FS, a (limit -100; 1 renderings)" "$compare" one other
wave other/a.wav 0.5 5e-6     # −106 dB
expect 0 "1 renderings, 0 of them the same" "$compare" one other
wave other/a.wav 0.5 2e-5     # −94 dB
expect 1 "Largest difference: -94.0 dB FS" "$compare" one other
wave other/b.wav 0.5 0
expect 1 "found other files" "$compare" one other
rm other/b.wav
wave one/a.wav 0.001 0
wave other/a.wav 0.001 0
expect 1 "nearly silent" "$compare" one other
