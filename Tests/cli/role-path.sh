# A role on the system's daemon, the whole way: challenge, proof by PAM, the role on the connection that asked, its end. Daemon,
# program and people in mounts of their own, where everything lies in its usual place.
set -euo pipefail
source "$REPOSITORY/Tests/cli/system.bash"
own_mounts
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
people
# ALSA's null device never lets the aid's thread wait, which at a real-time priority would keep a processor from everybody.
ulimit -r 0
system_daemon '[control]' 'owner = "clinic"'
service "auth required $matrix" "account required $matrix"
serve /run/auricle-auth/auth.sock -- /run/programs/auricle-auth
serve /run/auricle-auth/hurried.sock -- /run/programs/auricle-auth --limit 30
chmod 666 /run/auricle-auth/*.sock

path() { # USER STEP... -> output
  steps "$@" >output 2>&1 || complain "$*: expected success"
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
# The daemon notes what was tried for none, and nothing of its being told.
grep -qF 'role (proved by PAM, no challenge) refused to user 64001' daemon.log || complain 'expected the proof without a challenge in the log'
if grep -q 'role.prove by' daemon.log; then complain 'expected no line for each proof'; fi
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

# A former member whose session still has the group is given a challenge, and no role: wes has a password, and is in no list of the group.
"${person[@]/--init-groups/--groups=64004}" --reuid wes --regid wes /usr/bin/python3 /run/programs/steps.py begin 'prove:six words' watch >output 2>&1
said 'role.begin ok' 'User wes is not in group auricle-audiologist' 'spectrum.watch -32001'
grep -qE 'role audiologist \(User wes is not in group auricle-audiologist\) refused to user 64002' daemon.log

# Another's challenge: Eve's own password proves that she is Eve, and Ada's challenge stays hers.
steps ada begin hold:/run/exchange/challenge 'prove:four words' watch >output 2>&1 &
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
steps ada begin prove::hurried watch >hung 2>&1 &
ada=$!
# Another clone's have another root or PAM of their own.
sleeping() { pgrep --ns $$ --nslist mnt -f '^/bin/sleep 86398$'; }
until_true sleeping
helpers+=("$(sleeping)")
waits >/dev/null
as wes /run/programs/auricle mute >/dev/null
as wes /run/programs/auricle status --json | jq -e .state.muted >/dev/null
kill -0 "$ada"
wait "$ada"
mv hung output
said 'PAM did not come to an end within 30 s' 'spectrum.watch -32001'
kill "$(sleeping)"

# The README's commands, at a terminal: a trial that the clinic makes final, and debug mode, for which sound has to flow.
service "auth required $matrix" "account required $matrix"
printf 'four words are enough\n' >pass
chmod 600 pass
export XDG_DATA_HOME=$home/data
{
  "$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass
  "$auricle" clinic card clinic.txt
  "$auricle" rx make --audiogram N3 --given Wes --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --trial 1h --passphrase-file pass --yes -o card.txt
} >/dev/null 2>&1
install -m 644 clinic.txt card.txt /run/exchange
clinic=("${person[@]}" --reuid auricle --regid auricle env -C /run/exchange /run/programs/auricle)
expect 0 'is trusted' "${clinic[@]}" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json 2>/dev/null | jq -r .fingerprint)"
expect 0 'On trial until' "${clinic[@]}" rx scan --yes card.txt
sed -i 's/nosuchdevice/null/' /run/auricle.toml
as root /run/programs/auricle reload >/dev/null
as wes /run/programs/auricle unmute >/dev/null
sounds() { as wes /run/programs/auricle status --json | jq -e '.state.name == "running"'; }
until_true sounds
cp "$REPOSITORY/Tests/lab/pseudoterminal.py" /run/programs
cat >/run/programs/readme.py <<'PYTHON'
import sys
from pseudoterminal import Program
lines = [line.encode() + b"\n" for line in sys.argv[2:]]
program = Program(["/run/programs/auricle", *sys.argv[1].split(" ")])
program.until(b"Password")
program.until_hidden()
program.type(b"four words\n")
for line in lines:
    program.until(b"debug> ")
    program.type(line)
status = program.end()
print(program.text)
sys.exit(status)
PYTHON
ada=("${person[@]}" --reuid ada --regid ada env TERM=xterm PYTHONPATH=/run/programs)
at_terminal() { expect 0 "$1" "${ada[@]}" /usr/bin/python3 /run/programs/readme.py "${@:2}"; }
at_terminal 'Kept: number 1, for quiet' 'rx accept --as audiologist'
at_terminal 'without noise reduction' 'debug --as audiologist' 'stage noise-reduction off' compare end
as wes /run/programs/auricle stop >/dev/null

# The daemon ends between challenge and proof.
steps ada begin hold:/run/exchange/challenge 'prove:four words' >output 2>&1 &
ada=$!
until_true test -e /run/exchange/challenge
daemon_end
rm /run/exchange/challenge
wait "$ada"
said '"refused"' 'control socket /run/auricle/control.sock: found no daemon there, expected a running auricled'
! grep -i words ./*.log || complain 'expected no password in a log'
