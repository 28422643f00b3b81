# PAM hangs in four proofs at once while sound flows: no period is missed that the laboratory was not late for, and another client's
# commands are carried out. Prints their times. In the environment: STRETCH_SECONDS (10).
set -euo pipefail
source "$REPOSITORY/Tests/cli/system.bash"
own_mounts
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
seconds=${STRETCH_SECONDS:-10}
people
jack_start 44100 64
jack_fitted >"$configuration"
daemon
until_true state_is running
cycles=$(jack_xruns)
sleep 1

# Asks as fast as it is answered, each time as a command does, on a connection of its own: mute, status, unmute, status.
cat >asking.py <<'PYTHON'
import json, socket, statistics, sys, time
def ask(method):
    start = time.monotonic()
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(sys.argv[1])
        server.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode() + b"\n")
        answer = json.loads(server.makefile().readline())["result"]
    times.setdefault(method, []).append((time.monotonic() - start) * 1000)
    return answer["state"]["muted"]
times, end = {}, time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    for method, muted in ("mute", True), ("status", True), ("unmute", False), ("status", False):
        assert ask(method) == muted, f"{method} was not carried out"
    time.sleep(0.05)
for method, values in times.items():
    print(f"  {method}: {len(values)} times, median {statistics.median(values):.2f} ms, worst {max(values):.2f} ms")
assert len(times["mute"]) >= 10
PYTHON
ask() { python3 asking.py "$socket" "$seconds"; }

# Who runs the daemon is in the group that may prove it, asks for the role, and goes to PAM.
service 'auth required pam_exec.so /bin/sleep 86395' 'account required pam_permit.so'
serve /run/auricle-auth/auth.sock -- "$auth" --control "$socket"
ln -s "${socket%/*}" /run/auricle
# Another clone's have another root or PAM of their own.
sleeping() { pgrep --ns $$ --nslist mnt -f '^/bin/sleep 86395$'; }
all_sleep() { [ "$(sleeping | wc -l)" = "$1" ] || { tail -n 3 proof.* auth.log; return 1; }; }
proving=()
for number in 1 2 3 4; do
  setpriv --groups auricle-audiologist python3 steps.py begin prove >"proof.$number" 2>&1 &
  proving+=("$!")
done
until_true all_sleep 4
# shellcheck disable=SC2207
helpers+=("${proving[@]}" $(sleeping))
for attempt in 1 2 3 4 5; do
  jack_missed 'with four proofs in which PAM hangs' ask
  if jack_counts "$attempt"; then break; fi
done
all_sleep 4
kill -0 "${proving[@]}"

# Four proofs hung from beginning to end, and none was given.
kill $(sleeping)
wait "${proving[@]}"
for number in 1 2 3 4; do
  tr '\n' ' ' <"proof.$number" | grep -q '^role.begin ok .*"result":"refused"' || { cat "proof.$number"; exit 1; }
done
until_true jack_regained
state_is running
# Beside the stretches as within them.
[ "$(reopened_so_far)" -eq 0 ] || [ "$(jack_xruns)" -gt "$cycles" ] || { echo "the devices were opened anew, and the laboratory was not late"; exit 1; }
daemon_end
