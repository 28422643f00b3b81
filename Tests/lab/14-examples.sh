# Every example of the README, of the manual's EXAMPLES and of `--help` does what it says, in their order, on a sound card made of
# software. What needs a package manager, systemd or a password is run by the scripts that `elsewhere` names.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
# A headset in a quiet room.
cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.headset {
  type jack
  capture_ports { 0 system:capture_1 1 system:capture_2 }
  playback_ports { 0 system:playback_1 1 system:playback_2 }
}
# Earpieces from which some sound comes back to the microphones: playback begins after capture, and connects itself to it.
pcm.inserted {
  type asym
  capture.pcm { type jack name microphones capture_ports { 0 system:capture_1 1 system:capture_2 } }
  playback.pcm { type jack name earphones playback_ports { 0 microphones:in_000 1 microphones:in_001 } }
}
pcm.tune {
  type jack
  capture_ports { 0 system:capture_1 1 system:capture_2 }
}
CONF
export PATH=$PROGRAMS:$PATH

# What the text says to write into the file, and an aid that is calibrated.
prepare() {
  command auricle config set device.capture=headset device.playback=headset device.stream=tune \
    hearing.audiogram="$HOME/my-audiogram.json" calibration.earphone.full-scale-level=111 calibration.earphone.source=sheet \
    calibration.earphone.status=provisional calibration.microphone.full-scale-level=120 calibration.microphone.source=sheet \
    calibration.microphone.status=provisional >/dev/null
}

# MARK: - Questions are answered as a person would

on_terminal() { # QUESTION=ANSWER... -- COMMAND...
  python3 "$REPOSITORY/Tests/lab/person.py" 0.3 "$@"
}
# A server that another program keeps from its turn drops blocks, which reads as a noisy room (lab/05-feedback).
fit_feedback() {
  command auricle stop --daemon
  command auricle config set device.capture=inserted device.playback=inserted
  timeout 180 auricle fit feedback || timeout 180 auricle fit feedback || timeout 180 auricle fit feedback || return
  command auricle config set device.capture=headset device.playback=headset
}
trial_sounds() { command auricle route --json | jq -e '.trial_left_seconds != null' >/dev/null; }
auricle() {
  case "$*" in
    setup) # Real cards, which it would find by itself, there are none; root, who may run the tests, names the file.
      on_terminal 'Press Enter to begin.=' 'It begins=^C' -- auricle setup --input headset --output headset \
        --config "$XDG_CONFIG_HOME/auricle/auricle.toml" || [ $? -eq 130 ]
      return ;;
    # With findings, and of a clinic that is not trusted yet, it exits with 1.
    doctor | 'rx show '*) command auricle "$@" || [ $? -eq 1 ]; return ;;
    # JACK's place of the card.
    'route use --output hw:CARD=Headset')
      # A sound server that is late takes longer than the command waits; then the trial begins behind it.
      command auricle route use --output headset || until_true trial_sounds
      return ;;
    'fit feedback') fit_feedback; return ;;
    # In place of the levels that this reader has set already.
    'config set calibration.earphone.profile='*)
      command auricle config unset calibration.earphone.full-scale-level calibration.earphone.status calibration.earphone.source || true ;;
    spectrum) timeout --signal INT 2 auricle spectrum || [ $? -eq 124 ]; return ;;
    'spectrum --record visit.jsonl --sound '*) on_terminal '[y/N]=y' -- auricle "${@/30s/3s}" --overwrite; return ;;
    'spectrum '*visit.jsonl*) set -- "$@" --overwrite ;;
    'clinic init '*) set -- "$@" --passphrase-file pass ;;
    'rx make '*) set -- "$@" --passphrase-file pass --yes --overwrite ;;
    'rx scan '*) set -- "$@" --yes ;;
    'trust add '*) set -- "$@" --fingerprint "$(command auricle rx show clinic.pdf --json | jq -r .fingerprint)" ;;
  esac
  # Half a minute is long for a test.
  timeout 120 auricle "${@/30s/3s}"
}

# Prints what runs an example that is not run here; nothing for one that is.
elsewhere() { # EXAMPLE
  case "$1" in
    'make run' | 'make test') echo 'make fresh' ;;
    # Of a package of its own, which this lane has not built.
    'make run-companion' | '.build/release/auricle-companion '*) echo 'Companion/Tests/commands' ;;
    'make deb' | 'sudo apt install '* | 'sudo systemctl '* | 'systemctl --user '*) echo 'Tests/package/life.sh, Tests/kernel/systemd' ;;
    'sudo auricle device '*) echo 'Tests/cli/clinic-device.sh' ;;
    *'--as audiologist'*) echo 'Tests/cli/role-path.sh' ;;
    'debug>'*) echo 'Tests/cli/role-path.sh, Tests/lab/09-debug.sh' ;;
    'auricle calibrate earphone'* | 'auricle calibrate microphone'*) echo 'Tests/lab/18-calibrate.sh, Tests/cli/calibrate.sh' ;;
    'auricle doctor --loop'*) echo 'Tests/lab/16-loop-delay.sh' ;;
    'auricle hearing-test'* | 'auricle match '*) echo 'Tests/lab/17-hearing-test.sh, Tests/cli/procedures.sh' ;;
  esac
}

run=0
example() { # PLACE LINE
  if [ -n "$(elsewhere "$2")" ]; then return; fi
  case "$2" in
    # Setup refuses beside an aid that runs; what is turned is of one that runs.
    'auricle setup')
      command auricle stop --daemon >output 2>&1
      # The answer comes after half a second, its end after another half at most.
      until_true test ! -e "$socket"
      ;;
    'auricle use '* | 'auricle volume '* | 'auricle tone '* | 'auricle spectrum'* | 'auricle rx '*)
      command auricle start >output 2>&1 || complain "$1: $2: no aid runs"
      ;;
  esac
  (eval "$2") >output 2>&1 </dev/null || complain "$1: $2: expected success, found exit $?"
  run=$((run + 1))
  case "$2" in
    *'config reference > '*) prepare ;;
    'auricle start' | 'auricle unmute') until_true state_is running ;;
  esac
}

# A home of their own, where the reader has an audiogram and a recording, and has done nothing yet.
new_home() { # NAME
  command auricle stop --daemon >output 2>&1 || true
  until_true test ! -e "$socket"
  mkdir -p "$home/$1/.config/auricle"
  export HOME=$home/$1 XDG_CONFIG_HOME=$home/$1/.config XDG_DATA_HOME=$home/$1/data STATE_DIRECTORY=$home/$1/state
  export XDG_STATE_HOME=$STATE_DIRECTORY
  cd "$HOME"
  ln -s "$REPOSITORY/Prescriptions" Prescriptions
  cp Prescriptions/N3.json my-audiogram.json
  cp /usr/share/sounds/alsa/Front_Center.wav talk.wav
  (umask 077; printf 'four words are enough\n' >pass)
  prepare
}
# Lines that go on in one, without their remarks.
whole() { sed -e ':a' -e '/\\e\{0,1\}$/{N;s/ *\\e\{0,1\}\n */ /;ba' -e '}' -e 's/  +#.*//;s/  *# .*$//'; }
all() { # PLACE: every example of a file of lines
  run=0
  while read -r line <&3; do example "$1" "$line"; done 3<"$home/lines"
  echo "$1: $run examples run, of $(wc -l <"$home/lines")"
}

# MARK: - The README

sed -nE 's/^ {4,}([^ ].*)$/\1/p' "$REPOSITORY/README.md" | whole >"$home/lines"
[ "$(wc -l <"$home/lines")" -ge 50 ]
new_home readme
all README

# MARK: - The manual

for page in auricle.1 auricle-desktop.1 auricled.8 auricle-auth.8; do
  sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/p' "$REPOSITORY/docs/man/$page" | awk '/^\.Ed/ { inside = 0 } inside; /^\.Bd -literal/ { inside = 1 }' | whole
done >"$home/lines"
[ "$(wc -l <"$home/lines")" -ge 15 ]
new_home manual
all manual

# MARK: - What --help shows

examples() { # COMMAND...
  local help subcommand
  help=$(COLUMNS=1000 command auricle help "$@")
  sed -nE 's/^EXAMPLE: //p' <<<"$help"
  for subcommand in $(sed -nE '/SUBCOMMANDS:$/,$ s/^  ([a-z-]+)( \(default\))? +[A-Z].*/\1/p' <<<"$help"); do examples "$@" "$subcommand"; done
}
for command in $(command auricle --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p'); do examples "$command"; done >"$home/lines"
[ "$(wc -l <"$home/lines")" -ge 15 ]
new_home help
# A developer's pass, which debug mode asks for.
{
  auricle clinic init --name 'City Hearing Clinic'
  auricle clinic card clinic.pdf
  auricle clinic pass developer --holder 'A. Dev' -o pass.txt --passphrase-file pass
  auricle trust add clinic.pdf
  command auricle start
  auricle rx scan pass.txt
} >output 2>&1
all help
command auricle stop --daemon >output 2>&1
