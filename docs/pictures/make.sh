#!/usr/bin/env bash
# Makes the README's picture and its recording of a terminal anew, with the programs that are built: setup.svg is what `auricle setup`
# and `auricle status` show on a sound card made of software, aided.png what `auricle demo` draws.
# Usage: docs/pictures/make.sh     after make build; needs what the laboratory needs (jackd2, libasound2-plugins, python3)
set -euo pipefail
REPOSITORY=$(cd "$(dirname "$0")/../.." && pwd)
export REPOSITORY PROGRAMS=${PROGRAMS:-$REPOSITORY/.build/release} LC_ALL=C.UTF-8
pictures=$REPOSITORY/docs/pictures
folder=$(mktemp -d)
cd "$folder"

"$PROGRAMS/auricle" demo >demo.txt
cp aided.png "$pictures/aided.png"

source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
trap 'jack_stop; rm -rf "$folder"' EXIT
jack_start 44100 64
# A headset in a quiet room.
cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.headset {
  type jack
  capture_ports { 0 system:capture_1 1 system:capture_2 }
  playback_ports { 0 system:playback_1 1 system:playback_2 }
}
CONF
# What a person sees has a person's paths, those that the service of the login reads too.
export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home/.config
configuration=$XDG_CONFIG_HOME/auricle/auricle.toml
mkdir -p "$XDG_CONFIG_HOME/auricle"
: >"$configuration"
export AURICLE_CONFIG=$configuration
echo 'four words are enough' >pass
chmod 600 pass
XDG_CONFIG_HOME=$PWD/clinic "$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
XDG_CONFIG_HOME=$PWD/clinic "$auricle" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
  --passphrase-file pass --yes -o card.png >/dev/null 2>&1
XDG_CONFIG_HOME=$PWD/clinic "$auricle" clinic card clinic.png >/dev/null 2>&1

python3 "$REPOSITORY/Tests/lab/person.py" --record session.cast 1.5 'Press Enter to begin.=' 'It begins=@26' 'first sound=left' \
  'second sound=right' 'calibration of the earphones=' 'Picture or PDF=clinic.png' 'exactly this fingerprint=y' 'Picture or PDF=card.png' \
  '[y/N]=y' 'Measure now=n' 'Start it now=' -- "$auricle" setup --input headset --output headset --config "$configuration" >/dev/null
sleep 2
python3 "$REPOSITORY/Tests/lab/person.py" --record status.cast 1 -- "$auricle" status >/dev/null
"$auricle" stop --daemon >/dev/null
python3 "$pictures/animate.py" 'auricle setup=session.cast' 'auricle status=status.cast' "$configuration=~/.config/auricle/auricle.toml" \
  >"$pictures/setup.svg"
echo "docs/pictures: aided.png, setup.svg"
