# auricle-auth proves who asks for a role: by PAM services of the script's own, started as systemd starts it.
# A password is right, wrong, too long; modules hang, talk, lie; clients leave; the daemon refuses.
set -euo pipefail
if [ -z "${OWN_SERVICES:-}" ]; then
  mounts=(unshare --mount --propagation private)
  [ "$(id -u)" = 0 ] || mounts=(unshare --user --map-current-user --keep-caps --mount)
  "${mounts[@]}" mount --bind "$PWD" /etc/pam.d 2>/dev/null || { echo 'not tried: role-proof, no mounts of its own'; exit 0; }
  OWN_SERVICES=1 exec "${mounts[@]}" bash "$0"
fi
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
me=$(id -un)
challenge=$(printf '0f%.0s' {1..32})
request="{\"challenge\":\"$challenge\",\"role\":\"audiologist\"}"

expect 64 'auricle-auth is started by systemd' "$auth"
for limit in 0 61; do expect 64 "--limit: found $limit, expected 1 to 60" "$auth" --limit "$limit"; done

# A daemon that notes what it is told, and refuses proofs of the challenge that begins with ee; with a second word a clinic's, to which
# its user proves nothing.
cat >daemon.py <<'PYTHON'
import json, os, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
listening.listen(16)
while True:
    client = listening.accept()[0]
    for line in client.makefile():
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"], "protocol": {"major": 1, "minor": 6}}
        if request["method"] == "device.show":
            # A program that is not root's asks this before it asks for a password.
            answer["result"] = {"wearer_is_operator": len(sys.argv) == 2}
            client.sendall(json.dumps(answer).encode() + b"\n")
            continue
        print(request["method"], json.dumps(request["params"], sort_keys=True), flush=True)
        if request["method"] == "role.deny":
            answer["result"] = {}
        elif request["params"]["challenge"].startswith("ee"):
            answer["error"] = {"code": -32001, "message": "The challenge has expired."}
        else:
            answer["result"] = {"role": "audiologist", "until_unix_seconds": 2000000600}
        client.sendall(json.dumps(answer).encode() + b"\n")
PYTHON
python3 daemon.py control.sock >told 2>daemon.err &
helpers+=("$!")
until_true listens control.sock
python3 daemon.py clinics.sock clinic >clinics.told 2>&1 &
helpers+=("$!")
until_true listens clinics.sock

prove=(python3 client.py)

# The lines that the daemon was told since the last time.
seen=0
told_is() {
  local wanted="$1"
  news() {
    printf 'expected: %s\nfound: ' "$wanted"
    tail -n "+$((seen + 1))" told
    [ "$(tail -n "+$((seen + 1))" told)" = "$wanted" ]
  }
  until_true news
  seen=$(wc -l <told)
}
denied_like() {
  news() { tail -n "+$((seen + 1))" told | grep -q "^role.deny.*$1"; }
  until_true news "$1"
  seen=$(wc -l <told)
}
proved="role.prove {\"challenge\": \"$challenge\", \"means\": \"PAM\", \"role\": \"audiologist\", \"user_id\": $(id -u)}"
denied() { printf 'role.deny {"challenge": "%s", "reason": "%s", "user_id": %s}' "$challenge" "$1" "${2:-$(id -u)}"; }

serve "$PWD/places/auth.sock" -- "$auth" --control "$PWD/control.sock"
at=places/auth.sock
printf '%s:four words:auricle\nnobody:five words:auricle\n' "$me" >passwords
service "auth required $matrix" "account required $matrix"

# A password, right and wrong.
expect 0 '{"prompt":"Password: ","echo":false} {"result":"proved","until_unix_seconds":2000000600}' "${prove[@]}" "$at" "$request" 'four words'
told_is "$proved"
expect 0 '{"result":"refused","reason":"PAM did not accept the proof (Authentication failure).","remedy":"Try again' \
  "${prove[@]}" "$at" "$request" 'fore words'
absent proved
told_is "$(denied 'PAM did not accept the proof (Authentication failure)')"
# One that is right in part only, and one that ends where C would end it.
expect 0 refused "${prove[@]}" "$at" "$request" 'four words '
told_is "$(denied 'PAM did not accept the proof (Authentication failure)')"
expect 0 refused "${prove[@]}" "$at" "$request" 'raw:{"text":"four words\u0000"}'
denied_like 'The answer to a prompt was not'

# An account that may not be used proves nothing, however right the password.
service "auth required $matrix" 'account required pam_deny.so'
expect 0 '"result":"refused"' "${prove[@]}" "$at" "$request" 'four words'
told_is "$(denied 'PAM did not accept the proof (Authentication failure)')"
# No question, no answer; a service that denies; messages of modules.
service 'auth required pam_permit.so' 'account required pam_permit.so'
expect 0 '{"result":"proved"' "${prove[@]}" "$at" "$request"
told_is "$proved"
service 'auth required pam_deny.so' 'account required pam_permit.so'
expect 0 '{"result":"refused"' "${prove[@]}" "$at" "$request"
told_is "$(denied 'PAM did not accept the proof (Authentication failure)')"
service "auth required $modules/pam_chatty.so num_lines=2 info error" "auth required $matrix echo verbose" 'account required pam_permit.so'
expect 0 '"echo":true' "${prove[@]}" "$at" "$request" 'four words'
[ "$(grep -c '^{"message"' output)" = 3 ] && [ "$(grep -c '^{"error_message"' output)" = 3 ] || complain 'expected the messages'
told_is "$proved"

# A service that is not there, or has a module that is not there.
rm services/auricle
expect 0 'The PAM service auricle does not work' "${prove[@]}" "$at" "$request"
grep -qF '/etc/pam.d/auricle' output
denied_like 'The PAM service auricle does not work'
service 'auth required pam_nowhere.so'
expect 0 'The PAM service auricle does not work' "${prove[@]}" "$at" "$request"
denied_like 'The PAM service auricle does not work'

# A module that puts somebody else in this person's place.
service "auth required $modules/pam_set_items.so" 'account required pam_permit.so'
serve "$PWD/places/other.sock" PAM_USER=nobody -- "$auth" --control "$PWD/control.sock"
expect 0 'PAM proved another user than the one who asks.' "${prove[@]}" places/other.sock "$request"
told_is "$(denied 'PAM proved another user than the one who asks')"

# A module that hangs: its client learns why, its process ends, others are not kept waiting. What pam_exec has started is in a
# session of its own, and ends with systemd's unit.
serve "$PWD/places/hurried.sock" -- "$auth" --control "$PWD/control.sock" --limit 30
service 'auth required pam_exec.so /bin/sleep 86399' 'account required pam_permit.so'
# A client that asks nothing waits beside it.
socat -u UNIX:places/hurried.sock,ignoreeof - </dev/null >silent 2>&1 &
helpers+=("$!")
"${prove[@]}" places/hurried.sock "$request" >hanging &
hanging=$!
# Another clone's have another root or PAM of their own.
sleeping() { pgrep --ns $$ --nslist mnt -f '^/bin/sleep 86399$'; }
until_true sleeping
helpers+=("$(sleeping)")
conversation=$(ps -o ppid= -p "$(sleeping)" | tr -d ' ')
kill -0 "$conversation"
service 'auth required pam_permit.so' 'account required pam_permit.so'
expect 0 '{"result":"proved"' "${prove[@]}" places/hurried.sock "$request"
kill -0 "$conversation"
told_is "$proved"
wait "$hanging"
grep -qF '"reason":"PAM did not come to an end within 30 s."' hanging
told_is "$(denied 'PAM did not come to an end within 30 s')"
until_true bash -c "! kill -0 $conversation 2>/dev/null"
kill "$(sleeping)"

# A client that answers nothing is asked no longer than that either; one that leaves ends the proof.
service "auth required $matrix" "account required $matrix"
until_true grep -qF '"reason":"No request came in time."' silent
"${prove[@]}" "$at" "$request" leave >output
told_is "$(denied 'The client left before the proof ended')"
# One that sends all at once, and closes its half, is answered.
printf '%s\n{"text":"four words"}\n' "$request" | socat -t 20 - "UNIX:$at" >output
grep -qF '"result":"proved"' output || complain 'expected a proof'
told_is "$proved"

# Lines that are none, before and within the conversation.
long=$(printf 'x%.0s' {1..5000})
for rubbish in '' rubbish '{}' '[[[' "$long" "{\"challenge\":\"$long\"}" '{"challenge":"0f","role":"audiologist"}' \
  "{\"challenge\":\"$challenge\",\"role\":\"audiologist\",\"daemon\":\"$PWD/control.sock\"}"; do
  expect 0 '"result":"refused"' "${prove[@]}" "$at" "$rubbish"
done
told_is ''
expect 0 'A line of more than 4096 bytes came.' "${prove[@]}" "$at" "$request" "raw:{\"text\":\"$long\"}"
told_is "$(denied 'A line of more than 4096 bytes came')"
expect 0 'The answer to a prompt was not' "${prove[@]}" "$at" "$request" 'raw:"four words"'
denied_like 'The answer to a prompt was not'

# A daemon that refuses, and none.
late=${challenge/0f/ee}
expect 0 '"reason":"auricled: The challenge has expired."' "${prove[@]}" "$at" "${request/$challenge/$late}" 'four words'
absent proved
told_is "${proved/$challenge/$late}"
serve "$PWD/places/lonely.sock" -- "$auth" --control "$PWD/nowhere.sock"
expect 0 'found no daemon there, expected a running auricled.' "${prove[@]}" places/lonely.sock "$request" 'four words'
# Nobody is asked for a password in vain.
absent prompt
# Nor where a clinic's aid takes proofs from root alone.
unserved='a clinic'"'"'s, and takes no proof from a program of user [0-9]+\.","remedy":"Use the system'"'"'s auricle-auth'
serve "$PWD/places/clinics.sock" -- "$auth" --control "$PWD/clinics.sock"
if [ "$(id -u)" != 0 ]; then
  "${prove[@]}" places/clinics.sock "$request" 'four words' >output
  grep -qE "$unserved" output || complain 'expected a refusal'
  absent prompt
else
  expect 0 '"result":"proved"' "${prove[@]}" places/clinics.sock "$request" 'four words'
fi

# Whoever connects is that user, nobody else, and a member of the role's group or refused before any password (proofs of members are
# role-path's): only root can try it here.
if [ "$(id -u)" = 0 ]; then
  common=$(mktemp -d)
  chmod 755 "$common"
  cp "$auth" client.py "$common"
  chmod 711 "$home"
  chmod 755 places
  chmod 666 places/*.sock
  as_nobody=(setpriv --reuid nobody --clear-groups)
  expect 0 'User nobody is not in group auricle-audiologist' \
    "${as_nobody[@]}" /usr/bin/python3 "$common/client.py" "$home/$at" "$request" 'five words'
  told_is "$(denied 'User nobody is not in group auricle-audiologist' "$(id -u nobody)")"
  # A session's own proves its user alone.
  serve "$PWD/places/nobodys.sock" -- "${as_nobody[@]}" "$common/auricle-auth" --control "$PWD/control.sock"
  expect 0 "This auricle-auth proves who user $(id -u nobody) is, not user 0." "${prove[@]}" places/nobodys.sock "$request" 'four words'
  told_is ''
  # To a clinic's aid not even that.
  : >clinics.told
  serve "$PWD/places/unserved.sock" -- "${as_nobody[@]}" "$common/auricle-auth" --control "$PWD/clinics.sock"
  chmod 666 places/unserved.sock
  "${as_nobody[@]}" /usr/bin/python3 "$common/client.py" "$home/places/unserved.sock" "$request" 'five words' >output
  grep -qE "$unserved" output || complain 'expected a refusal'
  absent prompt
  [ ! -s clinics.told ] || complain 'expected that the daemon is told nothing'
  rm -r "$common"
else
  echo 'not tried: proofs of several users, not root'
fi

# No password is in a log; proofs and refusals are, with who and what for.
! grep -i 'words' ./*.log || complain 'expected no password in a log'
grep -qE "notice: proved user $(id -u) \($me\) as audiologist by PAM$" auth.log
grep -qE "notice: refused user $(id -u) \($me\) as audiologist: The client left before the proof ended\.$" auth.log
