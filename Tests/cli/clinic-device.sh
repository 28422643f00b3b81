# A clinic's device: handed over by root, then every way round the prescription tried by the wearer's account, without root and
# outside audio. None sounds, each says why, each is in the audit trail. Then returned by a pass of that clinic, and by no other.
set -euo pipefail
source "$REPOSITORY/Tests/cli/system.bash"
own_mounts
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
source "$REPOSITORY/Tests/cli/activation.bash"
# Marks, rules and configuration lie in their usual places, of a copy of /etc; cards in a folder of their own.
cp -a /etc etc
rm -rf etc/auricle etc/udev
mount --bind etc /etc
people
# Two cards, as a seat's user finds them: by an access control list.
mkdir dev
mount -t tmpfs tmpfs dev
chmod 755 dev
for name in null zero full random urandom tty ptmx; do
  [ -e "/dev/$name" ] || continue
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
ln -s /proc/self/fd dev/fd
mkdir -m 1777 dev/shm
mkdir -m 755 dev/snd
for node in 'controlC0 0' 'pcmC0D0p 16' 'pcmC0D0c 24'; do
  read -r name minor <<<"$node"
  mknod -m 660 "dev/snd/$name" c 116 "$minor" 2>/dev/null || install -m 660 /dev/null "dev/snd/$name"
  chgrp audio "dev/snd/$name"
  python3 - "dev/snd/$name" <<'PYTHON'
import os, struct, sys
nobody = 2 ** 32 - 1
entries = [(1, 6, nobody), (2, 6, 64002), (4, 6, nobody), (16, 6, nobody), (32, 0, nobody)]
os.setxattr(sys.argv[1], "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries))
PYTHON
done
mount --rbind dev /dev
device=(/run/programs/auricle device)
wes=("${person[@]}" --reuid wes --regid wes)
root=(env -u AURICLE_SOCKET -u RUNTIME_DIRECTORY -u STATE_DIRECTORY -u XDG_RUNTIME_DIR -u XDG_CONFIG_HOME -u XDG_STATE_HOME -u LD_PRELOAD -C /)

# The clinic with its cards and passes, and the wearer's own clinic under the same name.
printf 'four words are enough\n' >pass
chmod 600 pass
clinic() { # FOLDER COMMAND...
  "$auricle" "${@:2}" --clinic "$1"
}
for folder in city own; do
  clinic "$folder" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
  clinic "$folder" clinic card "$folder.txt" >/dev/null
  clinic "$folder" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --yes \
    --passphrase-file pass -o "$folder-card.txt" >/dev/null
done
fingerprint() { "$auricle" rx show "$1" --json | jq -r '.fingerprint | gsub(" "; "")'; }
city=$(fingerprint city.txt) own=$(fingerprint own.txt)
install -m 644 city.txt own.txt city-card.txt own-card.txt /run/exchange
cp "$REPOSITORY/Prescriptions/N4.json" /run/exchange/N4.json
chmod 644 /run/exchange/N4.json

# The system's daemon, on a device that does not exist: nothing sounds, and what it would play is in its status.
mkdir -p /etc/auricle
printf '%s\n' '[device]' 'capture = "nosuchdevice"' 'playback = "nosuchdevice"' >/etc/auricle/auricle.toml
chmod 644 /etc/auricle/auricle.toml
start_daemon() {
  install -d -o auricle -g auricle -m 750 /run/auricle
  install -d -o auricle -g auricle -m 700 /run/state
  "${person[@]}" --reuid auricle --regid auricle env RUNTIME_DIRECTORY=/run/auricle STATE_DIRECTORY=/run/state \
    /run/programs/auricled --config /etc/auricle/auricle.toml >>daemon.log 2>&1 </dev/null &
  daemon=$!
  until_true waits
}
start_daemon
trail() { "${root[@]}" /run/programs/auricle audit show --last 1000 --json; }
# True when the trail has an action with this in its subject.
noted() { trail | jq -e --arg action "$1" --arg detail "$2" 'any(.lines[]; .action == $action and (.subject | contains($detail)))' >/dev/null; }
tells() { { "${wes[@]}" "${device[@]}" --json || true; } | jq -e "$1" >/dev/null; }

# MARK: - Before: the wearer's own, and who may hand it over

tells '.clinic == null and .protections == []' || complain "expected an owner's device"
expect 77 'found user 64002, expected root' "${wes[@]}" "${device[@]}" hand-over 'City Hearing Clinic' --yes
expect 64 'expected a trusted clinic; there is none' "${root[@]}" "${device[@]}" hand-over 'City Hearing Clinic' --yes
# Trusted by its wearer, as is the wearer's own, whose card is in force.
"${wes[@]}" /run/programs/auricle trust add /run/exchange/own.txt --fingerprint "$own" >/dev/null
"${wes[@]}" /run/programs/auricle trust add /run/exchange/city.txt --fingerprint "$city" >/dev/null
"${wes[@]}" /run/programs/auricle rx scan --yes /run/exchange/own-card.txt >/dev/null
"${wes[@]}" /run/programs/auricle status --json | jq -e '.fitting.fitted' >/dev/null
# Two of one name are told by their keys; without a terminal and a yes nothing happens.
expect 64 'found 2 of that name or key' "${root[@]}" "${device[@]}" hand-over 'City Hearing Clinic' --yes
expect 64 'There is no terminal to ask on' "${root[@]}" "${device[@]}" hand-over "$city"
[ ! -e /etc/auricle/device.json ]
[ ! -e /etc/udev ]
# Whoever sits at the machine may open its cards: no such device is what the kernel says here, for there is none.
"${wes[@]}" sh -c ': <>/dev/snd/pcmC0D0p' 2>output || ! grep -qi 'permission denied' output || complain 'expected the card open to the seat'

# So may a program that is of the group audio by a bit of its file, or a session that began when its user was one.
former=(setpriv --reuid "$(id -u wes)" --regid audio --clear-groups)
"${former[@]}" sh -c ': <>/dev/snd/pcmC0D0p' 2>output || ! grep -qi 'permission denied' output || complain 'expected the card open to audio'

# MARK: - Handed over

# Two protections need a real machine: the service, and here nobody is in audio but ned, who is to be seen.
expect 1 'This device belongs to City Hearing Clinic from now on' "${root[@]}" "${device[@]}" hand-over "$city" --yes
grep -q 'ned in the group audio' output || complain 'expected ned to be told of'
[ "$(stat -c '%a %U' /etc/auricle/device.json /etc/udev/rules.d/72-auricle-clinic.rules | sort -u)" = '644 root' ]
grep -q '^owner = "clinic"' /etc/auricle/auricle.toml
grep -qF 'TAG-="uaccess"' /etc/udev/rules.d/72-auricle-clinic.rules
number=$(jq -r .device /etc/auricle/device.json)
noted handed-over "device $number" || complain 'expected the hand-over in the trail'
tells '.clinic == "City Hearing Clinic" and ([.protections[] | select(.holds | not) | .name] == ["system'"'"'s service", "accounts"])' ||
  { "${wes[@]}" "${device[@]}"; exit 1; }
# Once more for the same clinic: the same hand-over. Another clinic gets nothing.
expect 1 "$number" "${root[@]}" "${device[@]}" hand-over "$city" --yes
[ "$(jq -r .device /etc/auricle/device.json)" = "$number" ]
expect 64 'found none of that name' "${root[@]}" "${device[@]}" hand-over "$own" --yes
# The card of the wearer's own clinic is in force no longer, and nothing else is.
"${wes[@]}" /run/programs/auricle status --json | jq -e '.fitting.fitted | not' >/dev/null

# MARK: - Every way round, as the wearer

# Nothing is fitted, and no daemon but the system's plays.
silent() {
  "${wes[@]}" /run/programs/auricle status --json | jq -e '(.fitting.fitted | not) and .state.name == "waiting-for-device"' >/dev/null ||
    complain "$1: expected nothing fitted"
  if pgrep -x -u "$(id -u wes)" auricled; then complain "$1: expected no daemon of the wearer's own"; fi
}
# Refused with the clinic's name, silent, and one more line in the trail.
#   way NAME DETAIL COMMAND...
refusals() { trail | jq --arg detail "$1" '[.lines[] | select(.action == "call-refused" and (.subject | startswith($detail)))] | length'; }
way() {
  local name=$1 detail=$2 status=0 before
  shift 2
  before=$(refusals "$detail")
  timeout 20 "$@" >output 2>&1 </dev/null || status=$?
  [ "$status" = 77 ] || complain "$name: expected exit 77, found $status"
  grep -qF 'elongs to City Hearing Clinic' output || complain "$name: expected whose device it is"
  silent "$name"
  [ "$(refusals "$detail")" = $((before + 1)) ] || complain "$name: expected one more line of it in the trail"
  ways=$((ways + 1))
}
ways=0
# Of many refusals a few are noted: five at once of a user by the daemon, twenty in ten minutes by the book.
again() {
  daemon_end
  start_daemon
}
# A book that root has removed is begun anew, and is the clinic's from its first row.
another_book() {
  daemon_end
  rm -rf /run/state
  start_daemon
}
mkdir -m 755 /run/wes
printf '%s\n' '[device]' 'capture = "null"' 'playback = "null"' '[hearing]' 'audiogram = "/run/exchange/N4.json"' '[calibration.earphone]' \
  'full-scale-level = 90' '[control]' 'owner = "wearer"' >/run/wes/own.toml
mkdir -p /run/wes/config/auricle /run/wes/state /run/wes/run
cp /run/wes/own.toml /run/wes/config/auricle/auricle.toml
chmod 700 /run/wes/run
chown -R wes: /run/wes
"$auricle" check /run/wes/own.toml >/dev/null
home=(env HOME=/run/wes XDG_RUNTIME_DIR=/run/wes/run XDG_CONFIG_HOME=/run/wes/config XDG_STATE_HOME=/run/wes/state)

# A daemon of one's own: by option, by each variable that leads elsewhere, as the system's, in the background, by another name.
way 'own configuration' 'own daemon' "${wes[@]}" "${home[@]}" /run/programs/auricled --config /run/wes/own.toml
way 'AURICLE_CONFIG' 'own daemon' "${wes[@]}" "${home[@]}" AURICLE_CONFIG=/run/wes/own.toml AURICLE_SOCKET=/run/wes/run/control.sock /run/programs/auricled
way 'XDG_CONFIG_HOME and XDG_STATE_HOME' 'own daemon' "${wes[@]}" "${home[@]}" XDG_CONFIG_HOME=/run/wes/config XDG_STATE_HOME=/run/wes/state \
  /run/programs/auricled
way 'as the system' 'own daemon' "${wes[@]}" "${home[@]}" RUNTIME_DIRECTORY=/run/auricle STATE_DIRECTORY=/run/wes/state \
  CONFIGURATION_DIRECTORY=/run/wes/config /run/programs/auricled --socket /run/wes/run/control.sock
again
way 'auricle run' 'own daemon' "${wes[@]}" "${home[@]}" /run/programs/auricle run --config /run/wes/own.toml --socket /run/wes/run/control.sock
way 'auricle start' 'own daemon' "${wes[@]}" "${home[@]}" /run/programs/auricle start --config /run/wes/own.toml \
  --socket /run/wes/run/control.sock
way 'ALSA_CONFIG_PATH' 'own daemon' "${wes[@]}" "${home[@]}" ALSA_CONFIG_PATH=/run/wes/own.toml /run/programs/auricled \
  --config /run/wes/own.toml
# Sound of a command's own.
again
way 'feedback test' 'own sound' "${wes[@]}" "${home[@]}" AURICLE_SOCKET=/run/wes/none.sock /run/programs/auricle fit feedback \
  --config /run/wes/own.toml
# A configuration, a clinic, a prescription and a backup of one's own.
way 'typed calibration' 'own configuration' "${wes[@]}" "${home[@]}" /run/programs/auricle config set calibration.earphone.full-scale-level=90
again
way 'higher limit' 'own configuration' "${wes[@]}" "${home[@]}" /run/programs/auricle config set safety.maximum-output=130
way 'own clinic, own book' 'own book' "${wes[@]}" "${home[@]}" AURICLE_SOCKET=/run/wes/none.sock /run/programs/auricle trust add \
  /run/exchange/own.txt --fingerprint "$own"
again
way 'own card, own book' 'own book' "${wes[@]}" "${home[@]}" AURICLE_SOCKET=/run/wes/none.sock /run/programs/auricle rx scan --yes \
  /run/exchange/own-card.txt
touch /run/wes/backup
way 'own backup' 'own book' "${wes[@]}" "${home[@]}" /run/programs/auricle book restore /run/wes/backup
# The system's daemon: whatever the wearer of their own device may, beyond hearing and turning.
again
way 'own key' 'trust.add' "${wes[@]}" /run/programs/auricle trust add /run/exchange/own.txt --fingerprint "$own"
way 'the clinic away' 'trust.revoke' "${wes[@]}" /run/programs/auricle trust revoke "$city"
way 'reload' 'reload' "${wes[@]}" /run/programs/auricle reload
way 'the clock' 'book.clock' "${wes[@]}" /run/programs/auricle book correct-clock
again
way 'other devices' 'route.try' "${wes[@]}" /run/programs/auricle route use --output null --keep
way 'the end of the daemon' 'shutdown' "${wes[@]}" /run/programs/auricle stop --daemon
way 'the trail as it is' 'audit.accept' "${wes[@]}" /run/programs/auricle audit accept --yes

# What a command does not ask, on the socket.
another_book
cat >/run/exchange/calls <<'JSON'
route.back {}
route.keep {}
device.follow {}
device.return {"card": "a"}
role.prove {"challenge": "0f", "user_id": 64002, "means": "PAM", "role": "audiologist"}
JSON
before=$(refusals '')
steps wes all:/run/exchange/calls >output
[ "$(grep -c ' -32001 .*This device belongs to City Hearing Clinic' output)" = 5 ] || complain 'expected five refusals'
[ "$(refusals '')" = $((before + 5)) ] || complain 'expected five more lines in the trail'
noted handed-over "device $number" || complain 'expected the hand-over in a book that was begun anew'
silent 'the socket'
again
# A role that the wearer's account cannot prove.
steps wes begin:audiologist begin:developer >output
[ "$(grep -c 'who is not in group' output)" = 2 ] || complain 'expected no role'
[ "$(refusals role.begin)" = 2 ] || complain 'expected two more lines in the trail'
# A library in front of the client's own, and a socket of somebody else: the client is told less, the daemon nothing.
cat >/run/exchange/root.c <<'C'
unsigned geteuid(void) { return 0; }
unsigned getuid(void) { return 0; }
C
if command -v cc >/dev/null && cc -shared -fPIC -o /run/exchange/root.so /run/exchange/root.c 2>/dev/null; then
  chmod 755 /run/exchange/root.so
  way 'LD_PRELOAD' 'reload' "${wes[@]}" env LD_PRELOAD=/run/exchange/root.so /run/programs/auricle reload
  "${wes[@]}" env LD_PRELOAD=/run/exchange/root.so /run/programs/auricled --config /run/wes/own.toml >output 2>&1 && exit 1
  grep -q 'elongs to City Hearing Clinic' output || complain 'expected a refusal to who says to be root'
else
  echo 'not tried: a library that says to be root, there is no C compiler'
fi
# Cards: a stranger's is refused as on every device, and in the trail.
before=$(trail | jq '[.lines[] | select(.action == "refused")] | length')
expect 65 'unknown clinic' "${wes[@]}" /run/programs/auricle rx scan --yes /run/exchange/own-card.txt
[ "$(trail | jq '[.lines[] | select(.action == "refused")] | length')" -gt "$before" ] || complain 'expected it in the trail'
silent 'own card'
# The files themselves.
for file in /etc/auricle/device.json /etc/auricle/auricle.toml /etc/udev/rules.d/72-auricle-clinic.rules; do
  "${wes[@]}" sh -c "! true >>$file && ! rm -f $file && ! mv $file /run/exchange" 2>/dev/null
  [ -s "$file" ]
done
# The card.
for node in /dev/snd/*; do
  "${wes[@]}" sh -c ": <>$node" 2>output && exit 1
  grep -qi 'permission denied' output || complain "$node: expected it closed"
  "${former[@]}" sh -c ": <>$node" 2>output && exit 1
  grep -qi 'permission denied' output || complain "$node: expected it closed to the group audio too"
done

# A configuration that root makes the wearer's again: the mark is the stricter, and it is said.
sed -i 's/^owner = "clinic"/owner = "wearer"/' /etc/auricle/auricle.toml
again
grep -q 'this device belongs to City Hearing Clinic, although control.owner is "wearer"' daemon.log
way 'the configuration back' 'reload' "${wes[@]}" /run/programs/auricle reload
tells 'any(.protections[]; .name == "configuration" and (.holds | not) and (.found | contains("the mark counts")))' ||
  complain 'expected the contradiction'
expect 1 'belongs to' "${root[@]}" "${device[@]}" hand-over "$city" --yes
# An audiogram in root's configuration prescribes nothing.
printf '[hearing]\naudiogram = "/run/exchange/N4.json"\n' >>/etc/auricle/auricle.toml
again
silent "the configuration's audiogram"
# Nor does one's own in a command that plays nothing.
"${wes[@]}" "${home[@]}" /run/programs/auricle verify >output 2>&1 </dev/null || true
grep -q 'no prescription in force' output || complain 'expected a command to follow the audiogram of no configuration'

# MARK: - As it is meant

"${wes[@]}" /run/programs/auricle rx scan --yes /run/exchange/city-card.txt >/dev/null
"${wes[@]}" /run/programs/auricle status --json | jq -e '.fitting.fitted and .prescription.clinic == "City Hearing Clinic"' >/dev/null
expect 0 'olume' "${wes[@]}" /run/programs/auricle volume -1
expect 0 '' "${wes[@]}" /run/programs/auricle mute

# MARK: - The return

signs() { # FOLDER FILE OPTION...
  clinic "$1" clinic pass return "${@:3}" --passphrase-file pass -o "$2" >/dev/null
  install -m 644 "$2" /run/exchange
}
signs city pass.txt --device "$number"
signs city other.txt --device 0F7A-22C1-0003-E512
signs own foreign.txt --device "$number"
expect 77 'expected root' "${wes[@]}" "${device[@]}" return /run/exchange/pass.txt
expect 64 "auricle clinic pass return --device $number" "${root[@]}" "${device[@]}" return
expect 77 "This pass is for device 0F7A-22C1-0003-E512, and this is $number" "${root[@]}" "${device[@]}" return /run/exchange/other.txt
expect 65 '' "${root[@]}" "${device[@]}" return /run/exchange/foreign.txt
sed 's/..$/00/' pass.txt >forged.txt
expect 65 '' "${root[@]}" "${device[@]}" return "$PWD/forged.txt"
expect 65 'expected a return pass' "${root[@]}" "${device[@]}" return "$PWD/city-card.txt"
for reason in 'return pass of another device' 'card: '; do noted refused "$reason" || complain "expected $reason in the trail"; done
[ -e /etc/auricle/device.json ]
expect 0 'belongs to City Hearing Clinic no longer' "${root[@]}" "${device[@]}" return /run/exchange/pass.txt
[ ! -e /etc/auricle/device.json ]
[ ! -e /etc/udev/rules.d/72-auricle-clinic.rules ]
if grep -q '^owner' /etc/auricle/auricle.toml; then complain 'expected no such words'; fi
noted returned "pass" || complain 'expected the return in the trail'
tells '.clinic == null' || complain "expected an owner's device"
expect 64 'belongs to no clinic' "${root[@]}" "${device[@]}" return /run/exchange/pass.txt
expect 64 'belongs to no clinic: there is nothing to return' "${root[@]}" "${device[@]}" return
expect 0 '' "${wes[@]}" /run/programs/auricle reload
# Handed over again it has another number, for which that pass is none.
expect 1 'belongs to City Hearing Clinic from now on' "${root[@]}" "${device[@]}" hand-over "$city" --yes
[ "$(jq -r .device /etc/auricle/device.json)" != "$number" ]
expect 77 'This pass is for device' "${root[@]}" "${device[@]}" return /run/exchange/pass.txt

# MARK: - A mark that is damaged

# It was cut off, as by a restored backup, or has a number that the daemon's user had before, whose the cards are then: the system's daemon
# starts all the same and says so, nobody else's does, root's neither, and root hands the machine over again, by the number that the clinic has.
number=$(jq -r .device /etc/auricle/device.json)
cp /etc/auricle/device.json whole.json
for damage in 'cut off' 'another number'; do
  case $damage in
    'cut off')
      wrong='found a damaged file, expected the mark'
      head -c 40 whole.json >/etc/auricle/device.json
      ;;
    *)
      wrong='found user 64999, to whom alone the sound cards are open, expected user 64000'
      jq -c '.daemon_user = 64999' whole.json >/etc/auricle/device.json
      sed -i 's/OWNER:="64000"/OWNER:="64999"/' /etc/udev/rules.d/72-auricle-clinic.rules
      chown 64999 /dev/snd/*
      ;;
  esac
  again
  expect 77 "no daemon but the system's plays on it" "${wes[@]}" "${home[@]}" /run/programs/auricled --config /run/wes/own.toml
  grep -qF "$wrong" output || complain "$damage: expected what is wrong with the mark"
  grep -qF "$wrong" daemon.log || complain "$damage: expected what is wrong with the mark in the log"
  expect 77 "no daemon but the system's plays on it" "${root[@]}" /run/programs/auricled --config /etc/auricle/auricle.toml
  expect 1 'belongs to City Hearing Clinic from now on' "${root[@]}" "${device[@]}" hand-over "$city" --yes
  jq -e --arg number "$number" '.device == $number and .daemon_user == 64000' /etc/auricle/device.json >/dev/null ||
    complain "$damage: expected the same hand-over for the daemon's user"
  [ "$(stat -c '%u %a' /dev/snd/* | sort -u)" = '64000 600' ] || complain "$damage: expected the cards to be the daemon's"
  grep -qF 'OWNER:="64000"' /etc/udev/rules.d/72-auricle-clinic.rules || complain "$damage: expected the rule for the daemon's user"
done
# Of a socket that systemd has made, root listens until the first client has begun the daemon: here root's own command.
daemon_end
head -c 40 whole.json >/etc/auricle/device.json
env -u AURICLE_SOCKET -u XDG_RUNTIME_DIR -u LD_PRELOAD -C / PLACE=/run/auricle/control.sock AS=auricle AWAIT=1 RUNTIME_DIRECTORY=/run/auricle \
  STATE_DIRECTORY=/run/state /usr/bin/python3 "$PWD/pass.py" system /run/programs/auricled --config /etc/auricle/auricle.toml >>daemon.log 2>&1 </dev/null &
daemon=$!
until_true listens /run/auricle/control.sock
expect 1 'belongs to City Hearing Clinic from now on' "${root[@]}" "${device[@]}" hand-over "$city" --yes
jq -e --arg number "$number" '.device == $number and .daemon_user == 64000' /etc/auricle/device.json >/dev/null ||
  complain "expected the hand-over for the daemon's user, begun by it"
tells '[.protections[] | select(.name == "system'"'"'s daemon" or .name == "sound cards") | .holds] == [true, true]' ||
  complain 'expected the daemon and its cards'
echo "$ways ways round the prescription, each refused, silent and noted"
