# The examination finds what a killed daemon and careless permissions leave, and repairs what is safe; what is heard it leaves alone.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
chmod 600 "$configuration"
examine() { "$auricle" doctor --json "$@" >report.json || [ $? -eq 1 ]; }
told() { # FILTER: of findings
  jq -e "[.findings[] | select($1)] | length > 0" report.json >/dev/null || { cp report.json output; complain "expected $1"; }
}

# In order: with a daemon, and after it has ended by itself.
daemon
until_true state_is waiting-for-device
examine
told '.subject == "files" and .verdict == "good"'
jq -e '[.findings[] | select(.subject == "configuration")] | length == 1' report.json >/dev/null || { cp report.json output; complain 'expected one configuration'; }
# Of a daemon with another file it is said, and how to examine that one.
: >other.toml
examine --config other.toml
told ".subject == \"configuration\" and .found == \"the daemon has another one, $configuration\""
told ".remedy != null and (.remedy | endswith(\"auricle doctor --config $configuration\"))"
daemon_end
examine --fix
told '.subject == "files" and .verdict == "good" and .fix == null'
told '.subject == "prescription" and .fix.outcome == "left"'
jq -e '.schema == 102 and ([.findings[] | select(.verdict != "good") | .remedy] | all)
  and ([.findings[].fix.outcome? // empty] | index("repaired") | not)' report.json >/dev/null || { cp report.json output; complain 'expected nothing to repair'; }

# Muted and killed: the socket goes, the mute stays.
daemon
until_true state_is waiting-for-device
"$auricle" mute >/dev/null
examine
told '.subject == "daemon" and .verdict == "warning" and (.remedy | contains("auricle unmute"))'
kill -KILL "$daemon"
wait "$daemon" || true
daemon=
chmod 644 "$STATE_DIRECTORY"/book/book.* 2>/dev/null || true
chmod 755 "$STATE_DIRECTORY"
printf half >"$STATE_DIRECTORY/.programs.json.a1b2c3"
touch -d '1 hour ago' "$STATE_DIRECTORY/.programs.json.a1b2c3"
examine
told ".found | startswith(\"$socket, the socket of a daemon\")"
told '.found | contains(".programs.json.a1b2c3")'
told ".found | startswith(\"$socket.muted\")"
told ".found | startswith(\"others may read $STATE_DIRECTORY\")"
test -S "$socket"
expect 1 'repaired: removed' "$auricle" doctor --fix
grep -qF "set mode 700 on $STATE_DIRECTORY" output
grep -q 'left: it changes what is heard, which doctor never does' output
grep -qE '^[1-9] repaired, 0 not repaired, [0-9]+ left to you\.$' output
test ! -e "$socket"
test ! -e "$socket.lock"
test ! -e "$STATE_DIRECTORY/.programs.json.a1b2c3"
test "$(stat -c %a "$STATE_DIRECTORY")" = 700
test -e "$socket.muted"
examine
told ".found | startswith(\"$socket.muted\")"
if grep -q 'the socket of a daemon' report.json; then complain 'expected no socket'; fi
daemon
until_true state_is waiting-for-device
"$auricle" status --json | jq -e '.state.muted' >/dev/null

# What others may change is left to somebody who looks at it.
chmod 777 "$STATE_DIRECTORY"
expect 1 'others could have changed it, so look at it first' "$auricle" doctor --fix
test "$(stat -c %a "$STATE_DIRECTORY")" = 777
chmod 700 "$STATE_DIRECTORY"
daemon_end

# A Bluetooth microphone is refused by everything that reads or writes the configuration; Bluetooth earphones are not.
expect 64 'telephone quality' "$auricle" config set device.capture=bluealsa:PROFILE=sco
grep -q 'capture = "nosuchdevice"' "$configuration"
printf '[device]\ncapture = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco"\n' >"$configuration"
expect 78 'Choose a wired or USB microphone: auricle devices' "$auricle" check
expect 78 "$configuration:2: found device.capture" "$auricled"
expect 1 'telephone quality' "$auricle" doctor
printf '[device]\ncapture = "nosuchdevice"\nplayback = "bluealsa:DEV=00:11:22:33:44:55,CODEC=aac"\n' >"$configuration"
expect 0 'good' "$auricle" check

# Where the configuration names no device, the calibration's is judged, which the daemon would open.
printf '[calibration.%s]\nfull-scale-level = 111\nsource = "sheet"\nstatus = "provisional"\ndevice = "hw:CARD=Nope,DEV=0 (x)"\n' \
  microphone earphone >"$configuration"
expect 1 'no sound device is called hw:CARD=Nope,DEV=0' "$auricle" doctor
examine
told ".subject == \"earphones' device\" and .verdict == \"bad\" and (.remedy | startswith(\"The calibration was made with it\"))"

# A configuration of ALSA's that is broken hides every sound card: that is told, and not that there is none.
mkdir -p home
printf 'pcm.aid { type null\n' >home/.asoundrc
expect 78 "ALSA's configuration cannot be read (invalid argument). Correct /etc/asound.conf or ~/.asoundrc" \
  env HOME="$PWD/home" "$auricle" devices
expect 1 "ALSA's configuration cannot be read" env HOME="$PWD/home" "$auricle" doctor
