# Who may do what: the table, a person's own device, and one that a clinic has handed out, on real sockets.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"

# The table, in words and for programs.
expect 0 'method' "$auricle" roles
grep -qE '^trust.add +- +- +yes +- +yes$' output || complain 'expected trust.add for audiologist and operator'
grep -qE '^spectrum.watch +- +own +yes +yes +-$' output || complain 'expected spectrum.watch of an own device'
grep -qE '^status +yes' output || complain 'expected status for everybody'
expect 0 'schema' "$auricle" roles --json
jq -e '[.methods[] | select(.method == "mute") | .wearer == "yes" and .audiologist and .operator and (.developer | not)]
  == [true]' output >/dev/null || complain 'expected mute for all but the developer'
expect 64 'as' "$auricle" status --as wearer

# A role that this user cannot prove is refused by its group's name.
printf '[device]\ncapture = "nosuchdevice"\n' >"$configuration"
daemon
until_true "$auricle" status
expect 77 'auricle-audiologist' "$auricle" rx list --as audiologist
expect 77 'auricle-developer' "$auricle" status --as developer
# On a person's own device everything is theirs.
expect 0 'No clinic' "$auricle" trust list
expect 0 '' "$auricle" reload
daemon_end

# A proof that cannot be made says nothing about whether a daemon runs: this one asks for it and goes on.
cat >asking.py <<'PYTHON'
import json, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen(16)
while True:
    client = listening.accept()[0]
    for line in client.makefile():
        request = json.loads(line)
        print(request["method"], flush=True)
        answer = {"jsonrpc": "2.0", "id": request["id"], "protocol": {"major": 1, "minor": 6},
                  "result": {"challenge": "0f" * 32, "expires_in_seconds": 60}}
        client.sendall(json.dumps(answer).encode() + b"\n")
PYTHON
python3 asking.py asking.sock >asked 2>&1 &
helpers+=("$!")
until_true listens asking.sock
for verb in stop start status metrics; do
  expect 69 'auricle-auth.socket is not active' env AURICLE_SOCKET="$PWD/asking.sock" AURICLE_AUTH_SOCKET="$PWD/none.sock" \
    "$auricle" $verb --as audiologist
  grep -q 'no daemon runs\|auricle_up' output && complain "auricle $verb: expected no word of an absent daemon"
done
[ "$(sort -u asked)" = role.begin ] || complain "expected nothing but role.begin: $(sort -u asked)"
# A role that is refused is asked for once, and nothing is measured or examined without it.
times=$(wc -l <asked)
expect 69 'auricle-auth.socket is not active' env AURICLE_SOCKET="$PWD/asking.sock" AURICLE_AUTH_SOCKET="$PWD/none.sock" \
  "$auricle" doctor --loop --as audiologist
[ "$(wc -l <asked)" -eq $((times + 1)) ] || complain 'expected one request for the role'

# On a clinic's the wearer hears and turns, and runs nothing. Needs another user, which root alone can be.
if [ "$(id -u)" -ne 0 ]; then
  echo "not tried: a wearer on a clinic's device, not root"
  exit 0
fi
printf '[device]\ncapture = "nosuchdevice"\n[control]\nowner = "clinic"\n' >"$configuration"
wearer=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 .
chown -R 65534 run state config
"${wearer[@]}" "$auricled" >daemon.log 2>&1 </dev/null &
daemon=$!
until_true "${wearer[@]}" "$auricle" status
expect 0 'olume' "${wearer[@]}" "$auricle" volume -1
expect 0 '' "${wearer[@]}" "$auricle" mute
expect 77 'expected audiologist or operator' "${wearer[@]}" "$auricle" trust revoke ABCD
expect 77 'expected operator' "${wearer[@]}" "$auricle" reload
expect 77 'expected audiologist, developer or wearer of their own device' "${wearer[@]}" "$auricle" spectrum --for 1s
# Root runs the machine, and is nobody's ears. Its command would not speak to a socket in another user's folder.
call() { echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" | socat -t 180 - "UNIX:$socket"; }
call reload '{}' | jq -e '.result.applied' >/dev/null
call program.volume '{"change_db":-1}' | jq -e '.error.code == -32001 and (.error.message | contains("wearer or audiologist"))' >/dev/null
grep -q 'trust.revoke refused to user 65534' daemon.log || complain 'expected the refusal in the log'
# A refused attempt of many is noted now and then, and nothing of it is lost.
for _ in 1 2 3 4 5 6 7 8 9 10; do "${wearer[@]}" "$auricle" reload >/dev/null 2>&1 || true; done
[ "$(grep -c 'refused to user 65534' daemon.log)" -le 6 ] || complain 'expected few lines of many refusals'
# It says nothing about whoever tries, and the sound is as it was.
expect 0 '"muted":true' "${wearer[@]}" "$auricle" status --json
