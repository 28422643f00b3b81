# Sourced by jobs, in the guest: the daemon, the air around it and a bare loop on the same device. A job runs in a folder
# of its own beside signal.raw, as root; what it leaves there is judged on the host.
set -e
export XDG_CONFIG_HOME=/tmp/config XDG_STATE_HOME=/tmp/state STATE_DIRECTORY=/tmp/state
export XDG_RUNTIME_DIR=/run RUNTIME_DIRECTORY=/run/auricle AURICLE_SOCKET=/run/auricle/control.sock
mkdir -p /tmp/config/auricle /tmp/state
signal=../signal.raw
# How often status is looked at, microseconds.
step=20000

# Ends the scenario as skipped, with its reason.
skip() { echo "$*" >skipped; exit 77; }

# A line of the scenario's facts: KEY and VALUE.
note() { echo "$*" >>facts; }

uptime_seconds() { cut -d ' ' -f 1 /proc/uptime; }

whole() { cut -d . -f 1 /proc/uptime; }

# The configuration: CAPTURE PLAYBACK RATE PERIOD PERIODS [further lines of [device]]. On snd-aloop, whose pointers move by 4 ms
# at a time, 48000 Hz and 64 × 8 are the shortest that a bare loop keeps.
configure() {
  cat >/tmp/config/auricle/auricle.toml <<TOML
[device]
capture = "$1"
playback = "$2"
rate = ${3:-48000}
period = ${4:-64}
periods = ${5:-8}
$6
[hearing]
audiogram = "/share/N3.json"
[safety]
ramp = "50 ms"
TOML
}

# snd-aloop with one stream each way: the world plays and records on device 0, the daemon on device 1; the other way round with air=1.
air=0
loopback() { modprobe snd-aloop pcm_substreams=1 "$@"; }

# Cards that are made up are used by their names alone, see DeviceDescription. As hardware until the job ends: the kernel's objects tell of
# another driver.
as_hardware() { # NUMBER of a card...
  mount -t tmpfs objects /sys/class/sound
  trap 'umount /sys/class/sound' EXIT
  for number; do
    mkdir -p "/sys/class/sound/card$number/device"
    ln -s /sys/bus/platform "/sys/class/sound/card$number/device/subsystem"
    ln -s /sys/bus/platform/drivers/hardware "/sys/class/sound/card$number/device/driver"
  done
}

world() { # RECORDING [CARD [FORMAT [RATE]]]: starts the air around the aid
  rm -f /tmp/world-runs
  tools world "hw:${2:-Loopback},$air,0" "${3:-S16_LE}" "${4:-48000}" $signal "$1" /tmp/world-runs 2>>world.log &
  world=$!
  until [ -e /tmp/world-runs ]; do
    kill -0 $world 2>/dev/null || { cat world.log; return 1; }
    usleep 5000
  done
  world_began=$(uptime_seconds)
  note world "$1 $world_began"
}

world_ends() {
  kill $world 2>/dev/null || true
  # Whatever its device does to it.
  (sleep 2; kill -KILL $world 2>/dev/null) &
  wait $world || true
}

daemon() { # [COMMAND before it...]: starts the daemon
  "$@" auricled >>daemon.log 2>&1 &
  daemon=$!
}

state() { tools state || true; }

await() { # STATE [SECONDS]: until the daemon is in the state
  awaited=$(($(whole) + ${2:-15}))
  until [ "$(state)" = "$1" ]; do
    [ "$(whole)" -le $awaited ] || { echo "not $1 within ${2:-15} s"; auricle status; tail daemon.log; return 1; }
    usleep $step
  done
}

# What a person reads, beside what a program reads.
words() { auricle status --color never >"$1.txt"; }

status() { auricle status --json >"$1.json"; }

seconds() { usleep "$(echo "$1" | awk '{ printf "%d", $1 * 1000000 }')"; }

# The driver is taken from its card while it is used: open files hold the call up until they are closed.
unbind() { # [CARD'S NUMBER]
  echo "snd_aloop.${1:-0}" >/sys/bus/platform/drivers/snd_aloop/unbind &
  unbinding=$!
}

rebind() {
  # Which may have been waited for.
  wait $unbinding || true
  echo "snd_aloop.${1:-0}" >/sys/bus/platform/drivers/snd_aloop/bind
  usable=$(uptime_seconds)
}

# The daemon ends as a service manager ends it. Until then sound is expected.
daemon_ends() {
  note ended "$(uptime_seconds)"
  kill $daemon 2>/dev/null || true
  wait $daemon || true
}

bare() { # NAME CAPTURE PLAYBACK FORMAT RATE PERIOD PERIODS SECONDS: the bare loop, its figures into NAME.json
  bare_name=$1
  shift
  tools bare "$@" >"$bare_name.json" 2>bare.log || { cat bare.log; return 1; }
}

# As the shipped units find the machine: users, sound cards of the group audio, the configuration in its place.
system() {
  systemd-sysusers
  chgrp -R audio /dev/snd
  chmod 660 /dev/snd/*
  configure hw:Loopback,1,0 hw:Loopback,1,0
  mkdir -p /etc/auricle
  cp /tmp/config/auricle/auricle.toml /etc/auricle/auricle.toml
  # A journal that is full of earlier scenarios tells nothing of this one.
  systemctl reset-failed
}
