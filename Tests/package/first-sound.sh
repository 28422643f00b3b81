# From the installed package in a fresh Debian to fitted sound within five minutes, by `auricle setup` alone: a person with an account
# of their own, a sound card made of software and a clinic's card, who takes three seconds for an answer.
. "$REPOSITORY/Tests/package/package.bash"
. "$REPOSITORY/Tests/package/root.bash"
set -euo pipefail
fresh_root
mkdir now
tested_package "$PWD/now"
cp now/*.deb "$root/now.deb"

# MARK: - A machine with a sound card, and a person

inside_install jackd2 libasound2-plugins
mount -t tmpfs -o mode=1777 none "$root/dev/shm"
inside useradd --create-home --uid 4711 ada
inside install -d -m 700 -o ada /run/user/4711
cat >"$root/etc/asound.conf" <<'CONF'
pcm.headset {
  type jack
  capture_ports { 0 system:capture_1 1 system:capture_2 }
  playback_ports { 0 system:playback_1 1 system:playback_2 }
}
CONF
# A desktop's sound server has a real-time permission that a changed root cannot give: what plays goes before what computes.
person=(nice -n -10 chroot "$root" setpriv --reuid ada --regid ada --init-groups env -i -C /home/ada PATH=/usr/bin:/bin HOME=/home/ada LC_ALL=C.UTF-8
  XDG_RUNTIME_DIR=/run/user/4711 JACK_NO_START_SERVER=1 TERM=linux)
"${person[@]}" jackd -r -d dummy -r 44100 -p 256 >jackd.log 2>&1 </dev/null &
trap '"${person[@]}" timeout 5 auricle stop --daemon >/dev/null 2>&1 || true; kill $(jobs -p) 2>/dev/null || true' EXIT
"${person[@]}" jack_wait --wait --timeout 20 >/dev/null || { cat jackd.log; complain "JACK's dummy server does not start"; }

# MARK: - Installed, and a clinic's card

inside_install /now.deb
printf 'four words are enough\n' >"$root/root/pass"
chmod 600 "$root/root/pass"
inside sh -c 'cd /root
  auricle clinic init --name "City Hearing Clinic" --passphrase-file pass
  auricle clinic card clinic.png
  auricle rx make --audiogram /usr/share/doc/auricle/examples/N3.json --given Ada --family Example --born 1950-02-03 \
    --prescriber "Dr. B. Ear" --passphrase-file pass --yes -o card.png' >clinic.log 2>&1 || { cat clinic.log; complain "no card"; }
install -m 644 "$root"/root/{clinic,card}.png "$root/home/ada/"

# MARK: - Setup

# As in lab/11-setup, the tone may begin anew.
answers=('Press Enter to begin.=' 'It begins=@26' 'Find the loudness once more?=<2' 'first sound=left' 'second sound=right'
  'calibration of the earphones=' 'Picture or PDF=clinic.png' 'exactly this fingerprint=y' 'Picture or PDF=card.png' '[y/N]=y' 'Measure now=n' 'Start it now=')
begin=$SECONDS
python3 "$REPOSITORY/Tests/lab/person.py" 3 "${answers[@]}" -- "${person[@]}" \
  auricle setup --input headset --output headset >setup.txt 2>&1 || { cat setup.txt; complain "setup: expected fitted sound"; }
tail -n 1 setup.txt
[ $((SECONDS - begin)) -le 300 ] || complain "expected five minutes at most, found $((SECONDS - begin)) s"
[ "$(printf '%s\n' "${answers[@]}" | grep -vc '=<')" -le 12 ]
"${person[@]}" auricle status --json >status.json
jq -e '.state.name == "running" and .fitting.fitted and .prescription.serial != null' status.json >/dev/null ||
  { "${person[@]}" auricle status; complain "expected fitted sound"; }
"${person[@]}" auricle stop --daemon
