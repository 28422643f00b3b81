# A role on the system's daemon, the whole way: challenge, proof by PAM, the role on the connection that asked, its end. Daemon,
# program and three people in a world of their own, where everything lies in its usual place.
set -euo pipefail
if [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; then
  echo 'not root, or no mounts of its own: not tried'
  exit 0
fi
if [ -z "${ROLE_PATH:-}" ]; then
  ROLE_PATH=1 exec unshare --mount --propagation private bash "$0"
fi
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"

# Ada may become audiologist, Wes hears by the aid, Eve is nobody to it.
for file in passwd group; do cp "/etc/$file" "$file"; done
printf '%s:x:%s:%s::/nonexistent:/bin/sh\n' auricle 64000 64000 ada 64001 64001 wes 64002 64002 eve 64003 64003 >>passwd
printf '%s:x:%s:%s\n' auricle 64000 wes ada 64001 '' wes 64002 '' eve 64003 '' auricle-audiologist 64004 ada,eve >>group
for file in passwd group; do mount --bind "$file" "/etc/$file"; done
printf 'ada:four words:auricle\neve:five words:auricle\nwes:six words:auricle\n' >passwords
mount -t tmpfs tmpfs /run
chmod 755 /run
mkdir -m 755 /run/auricle-auth /run/programs
mkdir -m 1777 /run/exchange
install -d -o auricle -g auricle -m 750 /run/auricle
install -d -o auricle -g auricle -m 700 /run/state
cp "$auricled" "$auricle" "$auth" client.py /run/programs
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n[control]\nowner = "clinic"\n' >/run/auricle.toml
chmod 644 /run/auricle.toml

person=(env -u AURICLE_SOCKET -u RUNTIME_DIRECTORY -u XDG_RUNTIME_DIR -u STATE_DIRECTORY -u LD_PRELOAD -C /
  setpriv --init-groups)
as() { "${person[@]}" --reuid "$1" --regid "$1" "${@:2}"; } # USER COMMAND...
"${person[@]}" --reuid auricle --regid auricle env RUNTIME_DIRECTORY=/run/auricle STATE_DIRECTORY=/run/state \
  /run/programs/auricled --config /run/auricle.toml >daemon.log 2>&1 </dev/null &
daemon=$!
waits() { as wes /run/programs/auricle status --json | jq -e '.state.name == "waiting-for-device"'; }
until_true waits

service "auth required $matrix" "account required $matrix"
serve /run/auricle-auth/auth.sock -- /run/programs/auricle-auth
serve /run/auricle-auth/hurried.sock -- /run/programs/auricle-auth --limit 3
chmod 666 /run/auricle-auth/*.sock

# One connection to the daemon and a step for each word:
#   watch                  calls a method that is the audiologist's
#   begin                  asks for the role
#   prove[:ANSWER[:NAME]]  proves it with the latest challenge, at NAME.sock
#   claim                  tells the daemon itself that it is proved
#   hold:FILE              writes the challenge there, and waits until FILE is gone
#   end                    gives the role back
cat >/run/programs/path.py <<'PYTHON'
import json, os, socket, sys, time
def connect(path):
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    return server, server.makefile()
daemon, answers = connect("/run/auricle/control.sock")
def call(method, **parameters):
    daemon.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
    while "id" not in (answer := json.loads(answers.readline())):
        pass
    if "error" in answer:
        print(method, answer["error"]["code"], answer["error"]["message"], flush=True)
    else:
        print(method, "ok", flush=True)
        return answer["result"]
challenge = ""
for word in sys.argv[1:]:
    step, *rest = word.split(":")
    if step == "watch":
        call("spectrum.watch")
        call("unsubscribe")
    elif step == "begin":
        challenge = (call("role.begin", role="audiologist") or {}).get("challenge", "")
    elif step == "prove":
        server, lines = connect(f"/run/auricle-auth/{(rest[1:] or ['auth'])[0]}.sock")
        server.sendall(json.dumps({"challenge": challenge, "role": "audiologist"}).encode() + b"\n")
        for line in lines:
            if "prompt" in json.loads(line):
                server.sendall(json.dumps({"text": rest[0]}).encode() + b"\n")
            else:
                print(line, end="", flush=True)
    elif step == "claim":
        call("role.prove", challenge=challenge, user_id=os.getuid(), means="PAM")
    elif step == "hold":
        with open(rest[0] + ".new", "w") as file:
            file.write(challenge)
        os.rename(rest[0] + ".new", rest[0])
        while os.path.exists(rest[0]):
            time.sleep(0.02)
    elif step == "end":
        call("role.end")
PYTHON
path() { # USER STEP... -> output
  as "$1" /usr/bin/python3 /run/programs/path.py "${@:2}" >output 2>&1 || complain "$*: expected success"
}
said() { # WORDS...: lines of the output, in order
  local pattern=
  for word in "$@"; do pattern+="$word.*"; done
  tr '\n' ' ' <output | grep -qE -- "$pattern" || complain "expected '$*', found other words"
}
late='a challenge that user [0-9]+ was not given, or that is over'

# The whole way; the role ends with `role.end`, and with its connection.
path ada watch begin 'prove:four words' watch end watch
said '^spectrum.watch -32001' 'role.begin ok' '"result":"proved","until_unix_seconds":[0-9.]+' 'spectrum.watch ok' 'role.end ok' \
  'spectrum.watch -32001'
grep -qF 'is audiologist for 600 s, proved by PAM' daemon.log
path ada begin 'prove:four words' watch
said 'spectrum.watch ok'
path ada watch
said '^spectrum.watch -32001'

# A challenge serves once, whether the proof was right or wrong.
path ada begin 'prove:four words' 'prove:four words'
said '"proved"' '"refused"' "$late"
path ada begin 'prove:wrong' 'prove:four words' watch
said 'PAM did not accept the proof' "$late" 'spectrum.watch -32001'
grep -qE 'role audiologist \(PAM did not accept the proof.*refused to user 64001' daemon.log
# A new one takes the place of the former.
path ada begin begin 'prove:four words' watch
said 'role.begin ok' 'role.begin ok' '"proved"' 'spectrum.watch ok'

# Whoever is not in the group is given no challenge; a client proves nothing by itself.
path wes begin
said 'role.begin -32[0-9]+ .*not in group auricle-audiologist'
path ada begin claim watch
said 'role.prove -32[0-9]+' 'spectrum.watch -32001'

# Another's challenge: Eve's own password proves that she is Eve, and Ada's challenge stays hers.
as ada /usr/bin/python3 /run/programs/path.py begin hold:/run/exchange/challenge 'prove:four words' watch >output 2>&1 &
ada=$!
until_true test -e /run/exchange/challenge
as eve /usr/bin/python3 /run/programs/client.py /run/auricle-auth/auth.sock \
  "{\"challenge\":\"$(cat /run/exchange/challenge)\",\"role\":\"audiologist\"}" 'five words' >eve
grep -qE "\"refused\".*$late" eve
rm /run/exchange/challenge
wait "$ada"
said '"proved"' 'spectrum.watch ok'

# PAM hangs: Ada learns why; meanwhile the daemon answers others and does as they say.
service 'auth required pam_exec.so /bin/sleep 86398' 'account required pam_permit.so'
as ada /usr/bin/python3 /run/programs/path.py begin prove::hurried watch >hung 2>&1 &
ada=$!
sleeping() { pgrep -f '^/bin/sleep 86398$'; }
until_true sleeping
helpers+=("$(sleeping)")
waits >/dev/null
as wes /run/programs/auricle mute >/dev/null
as wes /run/programs/auricle status --json | jq -e .state.muted >/dev/null
kill -0 "$ada"
wait "$ada"
mv hung output
said 'PAM did not come to an end within 3 s' 'spectrum.watch -32001'
kill "$(sleeping)"

# The daemon ends between challenge and proof.
service "auth required $matrix" "account required $matrix"
as ada /usr/bin/python3 /run/programs/path.py begin hold:/run/exchange/challenge 'prove:four words' >output 2>&1 &
ada=$!
until_true test -e /run/exchange/challenge
daemon_end
rm /run/exchange/challenge
wait "$ada"
said '"refused"' 'control socket /run/auricle/control.sock: found no daemon there, expected a running auricled'
! grep -i words ./*.log || complain 'expected no password in a log'
