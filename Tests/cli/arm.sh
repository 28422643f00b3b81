# `make arm` without what it needs, and asked for what is not there: said, skipped and never passed.
set -euo pipefail
source "$REPOSITORY/Tests/expect.bash"
run=$REPOSITORY/Tests/arm/run
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
program=clone/.build-arm/build/aarch64-unknown-linux-gnu/release/sound-tests
tests=clone/Tests/arm/tests
mkdir -p clone/Tests/arm clone/.build-arm
cp "$REPOSITORY/Tests/arm/tests" clone/Tests/arm/
printf 'A.B/%s\n' 'one()' 'two(x:)' 'three()' 'four()' >clone/.build-arm/tests
printf '# comment\nA.B/four # no such call\nOther.B/one # of another\n' >clone/Tests/arm/not-emulated
expect 64 "found no target" "$tests"
expect 64 "found ARM_JOBS=0" env ARM_JOBS=0 "$tests" A
expect 1 "there is no " "$tests" A
mkdir -p "$(dirname "$program")"
# A suite's answer is in said.SUITE, and its end in end.SUITE.
cat >clone/Tests/arm/emulate <<'SH'
#!/bin/bash
echo "$@" >>calls
suite=$(sed -E 's/.*--filter [^ ]*\\\.([A-Z])\/.*/\1/' <<<"$*")
cat "said.$suite"
eval "$(cat "end.$suite")"
SH
chmod +x clone/Tests/arm/emulate
called() { # COUNT: by the last run
  local found
  found=$(wc -l <calls)
  [ "$found" -eq "$1" ] || { echo "expected $1 calls of the emulator, found $found and:"; cat calls output; exit 1; }
  : >calls
}
program_is() { mkdir -p "$(dirname "$program")"; echo "$1" >"$program"; } # TEXT
program_is first
echo exit >end.B
cat >said.B <<'SAID'
◇ Test "first" started.
◇ Test two(x:) started.
◇ Test case passing 1 argument x → "1" to two(x:) started.
✔ Test case passing 1 argument x → "1" to two(x:) passed after 0.1 seconds.
✔ Test "first" passed after 0.1 seconds.
✔ Test two(x:) with 2 test cases passed after 0.1 seconds.
➜ Test three() skipped: "no card"
SAID
expect 0 "Tests: 2 passed, 0 failed, 2 skipped of 4" "$tests" A
grep -qx -- '- Test B/four skipped: no such call' output
grep -qF -- '--filter ^A\.B/ --skip ^A\.B/four\(' calls
called 1
# What passed is kept for the program that it ran in, and counted again; another program begins anew.
expect 0 "Tests: 2 passed, 0 failed, 2 skipped of 4" "$tests" A
called 0
program_is second
expect 0 "Tests: 2 passed, 0 failed, 2 skipped of 4" "$tests" A
called 1
[ "$(find clone/.build-arm/passed -mindepth 1 -type d | wc -l)" -eq 1 ]
# So does another file that the tests read.
mkdir clone/Prescriptions
echo '{}' >clone/Prescriptions/N3.json
expect 0 "Tests: 2 passed, 0 failed, 2 skipped of 4" "$tests" A
called 1
# One that did not run, one that failed, one that hung: what did not pass is not kept.
cp said.B passing
program_is third
for _ in 1 2; do
  sed '/three/d' passing >said.B
  expect 1 "Tests: 2 passed, 0 failed, 1 skipped of 4" "$tests" A
  grep -q '^B: ended with 0, and of its 3 tests some were neither run nor skipped' output
  called 1
  echo '✘ Test three() failed after 0.1 seconds with 1 issue.' >>said.B
  echo exit 1 >end.B
  expect 1 "Tests: 2 passed, 1 failed, 1 skipped of 4" "$tests" A
  called 1
  sed -i '/three\|first" passed/d' said.B
  echo exit 124 >end.B
  expect 1 "B: ended with 124, and left undone:" "$tests" A
  grep -qx '"first"' output
  called 1
  echo exit >end.B
done
# Of two suites at a time one dies by a signal: the other is kept, and both are counted.
cp passing said.B
printf 'A.C/%s\n' 'five()' >>clone/.build-arm/tests
printf '◇ Test five() started.\n' >said.C
echo 'kill -SEGV $$' >end.C
expect 1 "Tests: 2 passed, 0 failed, 2 skipped of 5" "$tests" A
grep -q '^C: ended with 139, and left undone:' output
called 2
echo '✔ Test five() passed after 0.1 seconds.' >>said.C
echo exit >end.C
expect 0 "Tests: 3 passed, 0 failed, 2 skipped of 5" "$tests" A
called 1
# An exception of one suite drops its result, and that of no other.
echo 'A.C/five # no such call either' >>clone/Tests/arm/not-emulated
expect 0 "Tests: 2 passed, 0 failed, 3 skipped of 5" "$tests" A
called 0
sed -i '/five/d' clone/Tests/arm/not-emulated
# Some suites alone, and one that there is not.
expect 0 "Tests: 1 passed, 0 failed, 0 skipped of 1" "$tests" A C
expect 1 "Tests: 0 passed, 0 failed, 0 skipped of 0" "$tests" A D
expect 1 "Tests: 0 passed, 0 failed, 0 skipped of 0" "$tests" C
# A reason for a test that is gone.
echo 'A.B/six # gone' >>clone/Tests/arm/not-emulated
expect 1 "not-emulated names A.B/six, and there is no such test" "$tests" A
# A run that is stopped ends what it began.
program_is fourth
echo 'echo $$ >begun; exec sleep 1000' >end.C
"$tests" A C >output 2>&1 &
run_tests=$!
for _ in $(seq 300); do [ -s begun ] && break; sleep 0.1; done
[ -s begun ] || { echo "nothing began:"; cat output; exit 1; }
kill "$run_tests"
wait "$run_tests" && { echo "a stopped run ended with 0"; exit 1; }
for _ in $(seq 300); do kill -0 "$(cat begun)" 2>/dev/null || break; sleep 0.1; done
kill -0 "$(cat begun)" 2>/dev/null && { echo "what a stopped run began goes on"; exit 1; }

# So does the whole: a row that is under way ends with it, and its lock.
for stub in qemu-aarch64-static apt-get dpkg-deb; do printf '#!/bin/sh\n' >"bin/$stub"; chmod +x "bin/$stub"; done
cp "$run" clone/Tests/arm/run
printf '#!/bin/sh\n' >clone/Tests/arm/roots
printf '#!/bin/sh\necho $$ >row\nexec sleep 1000\n' >clone/Tests/arm/tests
chmod +x clone/Tests/arm/roots clone/Tests/arm/tests
PATH=$PWD/bin:$PATH clone/Tests/arm/run BaseTests >output 2>&1 &
whole=$!
for _ in $(seq 300); do [ -s row ] && break; sleep 0.1; done
[ -s row ] || { echo "no row began:"; cat output; exit 1; }
expect 75 "another run uses" env PATH="$PWD/bin:$PATH" clone/Tests/arm/run BaseTests
kill "$whole"
wait "$whole" && { echo "a stopped run ended with 0"; exit 1; }
for _ in $(seq 300); do kill -0 "$(cat row)" 2>/dev/null || break; sleep 0.1; done
kill -0 "$(cat row)" 2>/dev/null && { echo "a stopped run's row goes on"; exit 1; }
flock -n clone/.build-arm/lock true || { echo "a stopped run keeps its lock"; exit 1; }

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
