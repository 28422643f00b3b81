# Every method by everybody, on the socket of the system's daemon, against the table that `auricle roles` prints: on a clinic's device
# and on the wearer's own; roles proved by PAM and by a clinic's pass, refused by PAM, waited for while PAM hangs, and over. What the
# table does not allow must be refused by role (-32001), everything else must not.
set -euo pipefail
source "$REPOSITORY/Tests/cli/system.bash"
own_mounts
# A device each, at once: what ends by itself takes a minute.
if [ -z "${OWNER:-}" ]; then
  numbers=()
  for OWNER in clinic wearer; do
    mkdir "$OWNER"
    (cd "$OWNER" && OWNER=$OWNER exec unshare --mount --propagation private bash "$0" >printed 2>&1) &
    numbers+=("$!")
  done
  status=0
  for number in "${numbers[@]}"; do wait "$number" || status=1; done
  cat clinic/printed wearer/printed
  exit "$status"
fi
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
people

# The table, and parameters that every method takes: of wrong ones a role is not told. What they name is not there. The daemon's
# end comes last, and before it nothing that changes the connection's role.
"$auricle" roles --json >table.json
frequencies='[100, 200]' levels='[-30, -30]'
ear="{\"measured_unix_seconds\": 1, \"capture\": \"a\", \"playback\": \"a\", \"rate_hz\": 44100, \"level_db_spl\": 55, \"response\": [],
  \"frequencies_hz\": $frequencies, \"levels_db\": $levels, \"noise_db\": $levels}"
cat >parameters.json <<JSON
{"prescription.look": {"card": "a"}, "prescription.load": {"card": "a"}, "prescription.use": {"wanted": "999"},
  "prescription.try": {"wanted": "999", "seconds": 60}, "trust.add": {"card": "a", "fingerprint": "0000"},
  "trust.revoke": {"fingerprint": "0000"}, "audit.show": {"count": 1},
  "book.backup": {"path": "/run/nowhere/backup", "passphrase": "four words are enough"}, "program.use": {"program": "music"},
  "program.volume": {"change_db": -1}, "program.tone": {"change_db": -1}, "stream.set": {"on": false}, "feedback.keep": {"paths": {"schema": 100, "left": $ear}},
  "debug.set": {"name": "attack", "value": 0.01}, "debug.stage": {"name": "expansion", "on": false},
  "procedure.start": {"resume": "none"}, "procedure.answer": {"key": "heard"}, "procedure.show": {"record": "none"},
  "recording.allow": {"seconds": 1}, "device.return": {"card": "a"}, "device.note": {"attempt": "daemon"}, "earphones.tell": {"connection": "usb"}, "role.begin": {"role": "developer"},
  "role.prove": {"challenge": "0f", "user_id": 64001, "means": "PAM", "role": "developer"},
  "role.deny": {"challenge": "0f", "user_id": 64001, "reason": "a"}}
JSON
calls() { # JQ-CONDITION on the method's name
  jq -r --slurpfile parameters parameters.json "[.methods[].method]
    | map(select(IN(\"shutdown\", \"role.begin\", \"role.end\") | not)) + [\"shutdown\", \"role.begin\", \"role.end\"]
    | .[] | select($1) | \"\\(.) \\(\$parameters[0][.] // {})\"" table.json
}
calls true >/run/programs/every
calls '. != "shutdown"' >/run/programs/lasting
calls '. == "shutdown"' >/run/programs/shutdown
[ "$(wc -l </run/programs/every)" = "$(jq '.methods | length' table.json)" ]

printf 'owner: %-27s allowed  refused\n' "$OWNER" >counts
# Compares what a peer was told with the table.
#   told FILE PEER [ROLE...]    roles: wearer, own (of a device of their own), audiologist, developer, operator
told() {
  jq -r --arg roles "${*:3}" '.methods[] | [{wearer: (.wearer == "yes"), own: (.wearer != "no"), audiologist, developer, operator}
      [$roles / " " | .[]] // false] as $row
    | "\(.method) \(if .any or ($row | any) then "allowed" else "refused" end)"' table.json >wanted
  awk -v peer="$2" '
    NR == FNR { wanted[$1] = $2; next }
    $1 == "called" { found[$2] = $3 == "-32001" ? "refused" : $3 == "ok" || $3 == "-32000" ? "allowed" : "an answer of another kind, " $3 }
    END {
      for (method in wanted) {
        # The end of the daemon, by who may, is tried by itself.
        if (method == "shutdown" && wanted[method] == "allowed" && !(method in found)) continue
        if (!(method in found)) found[method] = "no call"
        ++count[found[method]]
        if (found[method] != wanted[method]) {
          printf "%s by %s: expected it %s, found %s\n", method, peer, wanted[method], found[method] >"/dev/stderr"
          status = 1
        }
      }
      printf "%-34s %7d  %7d\n", peer, count["allowed"], count["refused"]
      exit status
    }' wanted "$1" >>counts || differs=1
}
differs=

# A clinic's pass for a minute, which is the shortest, as is the time of a role.
printf 'four words are enough\n' >pass
chmod 600 pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
"$auricle" clinic pass developer --holder 'A. Dev' --for 1m -o pass.txt --passphrase-file pass >/dev/null
fingerprint=$("$auricle" rx show clinic.txt --json | jq -r '.fingerprint | gsub(" "; "")')
install -m 644 clinic.txt pass.txt /run/exchange

system_daemon '[control]' "owner = \"$OWNER\"" 'role-time = "60s"'
serve /run/auricle-auth/auth.sock -- /run/programs/auricle-auth
chmod 666 /run/auricle-auth/auth.sock

# The daemon has the methods of the table, and no other.
echo 'none {}' >/run/programs/none
steps wes all:/run/programs/none | sed -E 's/.*, expected //; s/\.( Did.*)?$//; s/,? or |, /\n/g' | sort >methods
jq -r '.methods[].method' table.json | sort | diff methods - || { echo 'expected the methods of the table'; exit 1; }

ask() { steps "$1" "${@:2}" all:/run/programs/every >answers; }

# Both roles by PAM, before a pass lets developers in without it. A connection of each waits until its role is over.
seconds=$([ "$OWNER" = clinic ] && echo 86397 || echo 86396)
# Another clone's have another root or PAM of their own.
sleeping() { pgrep --ns $$ --nslist mnt -f "^/bin/sleep $seconds\$"; }
ending=()
for pair in 'ada audiologist four' 'dan developer seven'; do
  read -r user role word <<<"$pair"
  service "auth required $matrix" "account required $matrix"
  steps "$user" "begin:$role" "prove:$word words" watch "hold:/run/exchange/$role" all:/run/programs/every >"$role.over" &
  ending+=("$!")
  ask "$user" "begin:$role" "prove:$word words"
  grep -q '"result":"proved"' answers
  told answers "$role, proved by PAM" "$role"
  ask "$user" "begin:$role"
  told answers "$role, not proved"
  ask "$user" "begin:$role" 'prove:wrong'
  grep -q '"result":"refused"' answers
  told answers "$role, refused by PAM"

  # PAM hangs for as long as the calls take.
  until_true test -e "/run/exchange/$role"
  service "auth required pam_exec.so /bin/sleep $seconds" 'account required pam_permit.so'
  ask "$user" "begin:$role" hold:/run/exchange/hanging &
  asking=$!
  until_true test -e /run/exchange/hanging
  as "$user" /usr/bin/python3 /run/programs/client.py /run/auricle-auth/auth.sock \
    "{\"challenge\":\"$(cat /run/exchange/hanging)\",\"role\":\"$role\"}" >hung &
  hung=$!
  until_true sleeping
  helpers+=("$(sleeping)")
  rm /run/exchange/hanging
  wait "$asking"
  kill -0 "$hung" "$(sleeping)"
  [ ! -s hung ] || { echo 'expected PAM to hang, found:'; cat hung; exit 1; }
  told answers "$role, while PAM hangs"
  kill "$(sleeping)"
  wait "$hung"
  grep -q '"result":"refused"' hung
done

# A developer by a clinic's pass.
for command in "trust add clinic.txt --fingerprint $fingerprint" 'rx scan --yes pass.txt'; do
  # shellcheck disable=SC2086
  as auricle env -C /run/exchange /run/programs/auricle $command >output 2>&1 || complain "expected success of $command"
done
steps dan begin:developer watch hold:/run/exchange/pass all:/run/programs/every begin:developer watch >pass.over &
ending+=("$!")
until_true test -e /run/exchange/pass
end=$((SECONDS + 61))
ask dan begin:developer
told answers 'developer, by a pass' developer

# Wearer and root; who may end the daemon does it below.
case $OWNER in
  clinic)
    ask wes
    told answers wearer wearer
    steps root all:/run/programs/lasting >answers
    told answers root operator
    ending_users=(root)
    ;;
  wearer)
    for user in wes root; do
      steps "$user" all:/run/programs/lasting >answers
      told answers "${user/wes/wearer}" wearer own operator
    done
    ending_users=(wes root)
    ;;
esac
# In no group of the aid's, in audio: the socket lets them not even connect.
for user in ida ned; do
  if steps "$user" watch >answers 2>&1 || ! grep -q PermissionError answers; then
    echo "$user: expected no connection, found:"
    cat answers
    exit 1
  fi
done

# Roles that are over. Without a pass a developer is asked for a proof again.
until [ "$SECONDS" -gt "$end" ]; do sleep 0.1; done
rm /run/exchange/{audiologist,developer,pass}
for number in "${ending[@]}"; do wait "$number"; done
for over in audiologist developer pass; do
  grep -q '^spectrum.watch ok$' "$over.over" || { cat "$over.over"; exit 1; }
done
told audiologist.over 'audiologist, proof over'
told developer.over 'developer, proof over'
told pass.over 'developer, pass over'
tail -n 3 pass.over | tr '\n' ' ' | grep -q '^role.begin ok spectrum.watch -32001'

# The end of the daemon, by all who may.
for user in "${ending_users[@]}"; do
  [ -n "$daemon" ] || system_daemon '[control]' "owner = \"$OWNER\""
  steps "$user" all:/run/programs/shutdown >answers
  grep -q '^called shutdown ok$' answers || { echo "$user: expected the end of the daemon"; cat answers; exit 1; }
  wait "$daemon"
  daemon=
done
cat counts
[ -z "$differs" ]
