# What the scripts of this folder share that speak to a daemon: a home of their own, and checks. Sourced.
#
#   expect, complain                of ../expect.bash
#   absent TEXT                     the output of the last `expect` does not hold TEXT
#   until_true COMMAND...           waits until the command succeeds; fails after as long
#   daemon [OPTION...]              starts auricled in the background; its number is $daemon, its log daemon.log
#   ordinary_daemon [OPTION...]     the same without a real-time priority, for ALSA's null device: that never lets the aid's thread wait, and at such a
#                                   priority it would keep a processor from everybody
#   daemon_end                      ends it
#
# Nothing of the user's is read or written: home, sockets and state lie in the caller's folder. Python finds Tests/lab/pseudoterminal.py, a program
# at a terminal.
source "$REPOSITORY/Tests/expect.bash"

home=$PWD
mkdir -p "$home/run" "$home/config/auricle"
chmod 700 "$home/run"
export HOME=$home XDG_RUNTIME_DIR=$home/run XDG_CONFIG_HOME=$home/config XDG_STATE_HOME=$home/state
export STATE_DIRECTORY=$home/state RUNTIME_DIRECTORY=$home/run/auricle AURICLE_SOCKET=$home/run/auricle/control.sock
export PYTHONPATH=$REPOSITORY/Tests/lab
unset AURICLE_CONFIG NOTIFY_SOCKET WATCHDOG_USEC JOURNAL_STREAM CLICOLOR_FORCE
auricle=$PROGRAMS/auricle
auricled=$PROGRAMS/auricled
socket=$AURICLE_SOCKET
configuration=$XDG_CONFIG_HOME/auricle/auricle.toml
daemon=
# Further processes to end with the script.
helpers=()

absent() {
  if grep -qF -- "$1" output; then complain "expected nothing like '$1', found it"; fi
}

until_true() {
  # Names that no command of a script's own reads: it would find these instead.
  local until_true_end=$((SECONDS + 180)) until_true_pause=20 until_true_seconds
  until "$@" >output 2>&1; do
    [ "$SECONDS" -lt "$until_true_end" ] || complain "$*: expected success in time, found none"
    # Most commands are programs that start, which takes more of the processor than the wait: the longer it takes, the less often.
    printf -v until_true_seconds '0.%03d' "$until_true_pause"
    sleep "$until_true_seconds"
    [ "$until_true_pause" -ge 200 ] || until_true_pause=$((until_true_pause + 10))
  done
}

# A socket's file is there before its server listens, and whoever connects in between is refused. PATH as the server was told it.
# (A server of before whose file is gone is listed until it has ended.)
listens() { test -S "$1" && awk -v path="$1" '$4 == "00010000" && $8 == path { found = 1 } END { exit !found }' /proc/net/unix; }

daemon() {
  # Here, not by the program in the background: what the last one wrote is no sign of this one.
  : >daemon.log
  "$auricled" "$@" >daemon.log 2>&1 </dev/null &
  daemon=$!
}

ordinary=(prlimit --rtprio=0)
ordinary_root=(setpriv --bounding-set -sys_nice --inh-caps -sys_nice)
if [ "$(id -u)" = 0 ] && "${ordinary_root[@]}" true 2>/dev/null; then ordinary+=("${ordinary_root[@]}"); fi
ordinary_daemon() {
  : >daemon.log
  "${ordinary[@]}" "$auricled" "$@" >daemon.log 2>&1 </dev/null &
  daemon=$!
}

# Its exit status is that of the function.
daemon_end() {
  local number=$daemon
  daemon=
  kill -TERM "$number"
  wait "$number"
}

end_children() { # PROCESS
  local child
  for child in $(pgrep -P "$1"); do
    end_children "$child"
    kill -KILL "$child" 2>/dev/null || true
  done
}
# Where lines are counted (Tests/coverage) a daemon writes what it ran at its own end, which it has some seconds for.
kill_daemon() { # PROCESS
  if [ -n "${LLVM_PROFILE_FILE:-}" ]; then { kill -TERM "$1" && timeout 5 tail --pid="$1" -f /dev/null; } 2>/dev/null || true; fi
  kill -KILL "$1" 2>/dev/null || true
}
clean_up() {
  local number
  [ -z "$daemon" ] || kill_daemon "$daemon"
  # A daemon that `auricle start` left in the background says who it is in its lock file; last, so that it is killed first,
  # stands who would start it again.
  for number in $(tac "$socket.lock" 2>/dev/null); do
    ! grep -qs auricled "/proc/$number/cmdline" || kill_daemon "$number"
  done
  # With all that they have started: a recording of a server that is gone would keep whoever reads this script's output waiting.
  for number in "${helpers[@]}"; do
    end_children "$number"
    kill "$number" 2>/dev/null || true
  done
  if declare -F jack_stop >/dev/null; then jack_stop; fi
}
trap clean_up EXIT
# A check that fails without words of its own says where it stands.
trap 'echo "${BASH_SOURCE[0]##*/}:$LINENO: $BASH_COMMAND" >&2' ERR

state_is() { [ "$("$auricle" status --json | jq -r .state.name)" = "$1" ]; }
