# A lane fails when its command fails, runs no test or does not end; and says which of these.
set -euo pipefail
# What is made to fail here is no failure of the lane that this is a part of.
unset LANE_FAILURES
lane=$REPOSITORY/.ci/lane

expect() { # STATUS TEXT COMMAND...: the lane's status is STATUS, its last line holds TEXT
  local status=$1 text=$2 found=0
  shift 2
  "$lane" example "$@" >output 2>&1 || found=$?
  if [ "$found" -ne "$status" ] || ! tail -n 1 output | grep -qF "$text"; then
    echo "expected status $status and '$text', found status $found and:"
    cat output
    exit 1
  fi
}

expect 0 'passed: 61 in' echo '✔ Test run with 61 tests in 12 suites passed after 1.150 seconds.'
expect 0 'passed: 1 in' echo '✔ Test run with 1 test in 1 suite passed after 0.001 seconds.'
expect 0 'passed: 3 in' echo 'Ran 3 scripts'
expect 1 'it ran no test' echo '✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.'
expect 1 'it ran no test' echo 'Ran 0 scripts'
expect 1 'it ran no test' echo 'warning: No matching test cases were run'
expect 1 'exit 3' bash -c 'echo "Test run with 5 tests in 1 suite failed"; exit 3'
LANE_FAILURES=$PWD/failures expect 1 'exit 1' bash -c 'echo "✔ Test a passed"; echo "✘ Test b failed"; exit 1'
[ "$(cat failures)" = 'example: ✘ Test b failed' ]
# What was not tried is told at the end, also of a lane that passed: in the words of scripts, Swift Testing and the kernel laboratory.
LANE_FAILURES=$PWD/skips expect 0 'passed: 3 in' printf '%s\n' '➜ Test "a" skipped: "no card"' '✔ Test "b" passed after 0.001 seconds.' \
  'not tried: c, not root' 'held    skipped: no emulator' 'nothing of d is skipped here' '✔ Test run with 3 tests in 1 suite passed after 1.150 seconds.'
diff skips - <<'SKIPS'
example: ➜ Test "a" skipped: "no card"
example: not tried: c, not root
example: held    skipped: no emulator
SKIPS
# The command's children end too, and with the lane; one that outlives it keeps nobody waiting.
gone() { if pgrep -fx "sleep 60.$$$1"; then exit 1; fi; }
LANE_TIMEOUT=1 expect 1 'not done after' bash -c "sleep 60.$$1; :"
gone 1
"$lane" example bash -c "sleep 60.$$2; :" >output 2>&1 &
until pgrep -fx "sleep 60.$$2" >/dev/null; do sleep 0.1; done
kill -TERM "$!"
if wait "$!"; then exit 1; fi
gone 2
expect 0 'passed: 1 in' bash -c "setsid sleep 60.$$3 & echo 'Ran 1 scripts'"
pkill -fx "sleep 60.$$3"

# Scripts: all run though one fails, and an empty folder is not a success.
scripts=$REPOSITORY/.ci/scripts
mkdir good bad none
echo 'test -d "$REPOSITORY" && test "$(ls | wc -l)" = 0' >good/a.sh
cp good/a.sh bad/b.sh
echo 'exit 7' >bad/a.sh
"$scripts" "$PWD/good" | tail -n 1 | grep -qx 'Ran 1 scripts'
AT_ONCE=2 "$scripts" "$PWD/good" | tail -n 1 | grep -qx 'Ran 1 scripts'
if "$scripts" "$PWD/bad" >output; then exit 1; fi
grep -qF "bad/a.sh (7)" output
tail -n 1 output | grep -qx 'Ran 2 scripts'
if AT_ONCE=2 "$scripts" "$PWD/bad" >output; then exit 1; fi
grep -qF "bad/a.sh (7)" output
# One whose runner is killed, and those that are not begun therefore.
mkdir killed
echo 'kill -KILL $PPID' >killed/a.sh
for name in b c d e; do echo 'sleep 0.3' >killed/$name.sh; done
if AT_ONCE=2 "$scripts" "$PWD/killed" >output 2>&1; then exit 1; fi
grep -qF 'killed/a.sh (not run)' output
if "$lane" none "$scripts" "$PWD/none" >/dev/null; then exit 1; fi

# Lanes together: named ones and the default ones pass where each is noted as passed, and one that fails fails all.
tests=$REPOSITORY/.ci/test
printf '#!/bin/sh\nfor lane; do :; done\necho "made $lane"\n[ "$lane" != bad ]\n' >make
chmod +x make
lanes() { # STATUS TEXT [LANE...]: what .ci/test ends with, and a line that it says
  local found=0
  MAKE=$PWD/make "$tests" "${@:3}" >output 2>&1 || found=$?
  if [ "$found" -ne "$1" ] || ! grep -q -- "$2" output; then
    echo "test ${*:3}: expected status $1 and '$2', found status $found and:"
    cat output
    exit 1
  fi
}
lanes 0 '^good  *passed' good other
lanes 1 '^bad  *FAILED' good bad
grep -qx 'test: 1 of 2 lanes passed' output
lanes 0 '^test-companion  *passed'
[ "$(grep -cE '^[a-z-]+ +passed ' output)" = "$(grep -c '^made ' output)" ]
# Where nothing can be noted nothing has passed: without a folder for it, and on a disk that is full.
TMPDIR=$PWD/nowhere lanes 1 'nowhere' good
mkdir full
cat >full.sh <<'FULL'
mount -t tmpfs -o size=8k none full || exit 99
head -c 16384 /dev/zero >full/filled 2>/dev/null
TMPDIR=$PWD/full exec "$@"
FULL
own=(unshare --mount)
"${own[@]}" true 2>/dev/null || own=(unshare --mount --map-root-user)
if "${own[@]}" true 2>/dev/null; then
  for names in 'good bad' ''; do
    found=0
    # Fails when a lane does, and where not one is noted.
    MAKE=$PWD/make "${own[@]}" bash full.sh "$tests" $names >output 2>&1 || found=$?
    if [ "$found" -ne 1 ] || ! grep -qE '^test: (0|none) of [0-9]+ lanes passed$' output; then
      echo "test $names on a full disk: expected status 1 and that no lane passed, found status $found and:"
      cat output
      exit 1
    fi
  done
else
  echo 'not tried: lanes on a full disk, no mounts of its own'
fi
