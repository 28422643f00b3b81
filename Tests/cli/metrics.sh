# Figures for monitoring: whole with and without a daemon, in a file for everybody or not at all, and nothing of anybody's hearing.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n[hearing]\naudiogram = "Ada.json"\n' >"$configuration"
sed 's/"N3"/"Ada"/' "$REPOSITORY/Prescriptions/N3.json" >"$XDG_CONFIG_HOME/auricle/Ada.json"

# Every line is metadata or a sample that both OpenMetrics and node_exporter's older format read; the last one is the end.
whole() { # FILE
  [ "$(tail -1 "$1")" = '# EOF' ] || complain "$1: expected an end"
  ! grep -vE '^# (TYPE auricle_[a-z0-9_]+ (gauge|counter)|UNIT auricle_[a-z0-9_]+ (seconds|ratio|hertz)|HELP auricle_[a-z0-9_]+ [A-Z0-9].*\.|EOF)$|^auricle_[a-z0-9_]+(\{[a-z]+="[^"]*"\})? [0-9.e+-]+$' \
    "$1" || complain "$1: expected metrics alone"
}

# Without a daemon a timer has something to write, and no failure to count beside it.
expect 0 'auricle_up 0' "$auricle" metrics
whole output
[ "$(grep -c '^auricle_' output)" = 1 ]
expect 0 '"schema":100' "$auricle" metrics --json

# Where a service manager keeps the socket a connection would start the aid: none is made.
cat >kept.py <<'PYTHON'
import socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print("kept", flush=True)
while True:
    server.accept()
    print("asked", flush=True)
PYTHON
mkdir -p -m 700 "${socket%/*}"
python3 kept.py "$socket" >kept 2>&1 &
helpers+=("$!")
until_true grep -qx kept kept
expect 0 'auricle_up 0' "$auricle" metrics
whole output
# One that connects is seen there, after all that came before.
expect 69 '' "$auricle" status
until_true grep -qx asked kept
[ "$(grep -c asked kept)" = 1 ] || complain "expected one connection, found $(cat kept)"
rm "$socket"

# A file is for everybody, whatever the umask is, and is there whole or not at all.
mkdir place
(umask 077 && "$auricle" metrics --output place/auricle.prom)
[ "$(stat -c %a place/auricle.prom)" = 644 ]
whole place/auricle.prom
expect 73 'There is no folder' "$auricle" metrics --output nowhere/auricle.prom
cp place/auricle.prom former
mkdir small
cat >full.sh <<'FULL'
mount -t tmpfs -o size=4k none small || exit 99
cp former small/auricle.prom
found=0
"$1" metrics --output small/auricle.prom || found=$?
cp small/auricle.prom left
ls -A small >listed
exit $found
FULL
# Who is not root is root of a namespace, where that is allowed.
own=(unshare --mount)
"${own[@]}" true 2>/dev/null || own=(unshare --mount --map-root-user)
if "${own[@]}" true 2>/dev/null; then
  expect 74 'No space is left' "${own[@]}" bash full.sh "$auricle"
  cmp former left
  [ "$(cat listed)" = auricle.prom ]
else
  echo 'not tried: metrics on a full disk, no mounts of its own'
fi
expect 74 '/dev/full' "$auricle" metrics --output /dev/full
[ -c /dev/full ]

daemon
until_true state_is waiting-for-device
"$auricle" metrics --output place/auricle.prom >output 2>&1 || complain 'metrics: expected success'
[ ! -s output ]
whole place/auricle.prom
for line in 'auricle_up 1' 'auricle_state{state="waiting-for-device"} 1' 'auricle_state{state="running"} 0' 'auricle_muted 0' \
  'auricle_devices_open 0' 'auricle_xruns_total{direction="playback"} 0' 'auricle_crashes_total 0'; do
  grep -qxF "$line" place/auricle.prom || { cp place/auricle.prom output; complain "expected $line"; }
done
[ "$(ls -A place)" = auricle.prom ]
if grep -iE "Ada|nosuchdevice|$home|audiogram|fitt|gain|level|spl|calib|left|right" place/auricle.prom; then complain 'expected no such words'; fi
expect 0 'In place/auricle.prom.' "$auricle" metrics --output place/auricle.prom --json
daemon_end
