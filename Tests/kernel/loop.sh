# Sourced by jobs: the daemon ($daemon) between both ends of a loop. The world plays signal.raw into its microphone and
# records its earphones; finish kills it and hands out what was recorded.
export XDG_CONFIG_HOME=/tmp/config XDG_STATE_HOME=/tmp/state STATE_DIRECTORY=/tmp/state
export XDG_RUNTIME_DIR=/run RUNTIME_DIRECTORY=/run/auricle AURICLE_SOCKET=/run/auricle/control.sock
mkdir -p /tmp/config/auricle
# The shortest that a bare loop keeps on this driver, whose pointers move by 4 ms at a time.
cat >/tmp/config/auricle/auricle.toml <<TOML
[device]
capture = "hw:Loopback,1,0"
playback = "hw:Loopback,1,0"
rate = 48000
period = 64
periods = 8
[safety]
ramp = "50 ms"
TOML
# The world's buffers are so long that what halts the whole machine does not end them.
format="-q -D hw:Loopback,0,0 -t raw -f S16_LE -c 2 -r 48000 --period-size=4800 --buffer-size=144000"
aplay $format signal.raw &
world=$!
arecord $format /tmp/recorded.raw &
recorder=$!
auricled >/tmp/daemon.log 2>&1 &
daemon=$!
tries=0
until auricle status --json 2>/dev/null | grep -q '"name":"running"'; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] || { cat /tmp/daemon.log; auricle status; exit 1; }
  usleep 50000
done
usleep 500000
auricle status --json >before.json
: >stops

finish() {
  auricle status --json >after.json
  kill -KILL $daemon
  usleep 300000
  kill $world $recorder
  wait $recorder || true
  cp /tmp/recorded.raw recorded.raw
  cp /tmp/daemon.log daemon.log
}
