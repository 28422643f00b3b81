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
pcm.tune {
  type jack
  capture_ports { 0 system:capture_1 1 system:capture_2 }
}
CONF
export PATH=$PROGRAMS:$PATH XDG_DATA_HOME=$home/data

# What the reader has before: an audiogram, a recording, an aid that may be calibrated.
ln -s "$REPOSITORY/Prescriptions" Prescriptions
cp Prescriptions/N3.json my-audiogram.json
cp "$(ls /usr/share/sounds/alsa/Front_Center.wav)" talk.wav
printf 'four words are enough\n' >pass
chmod 600 pass
prepare() {
  command auricle config set device.capture=headset device.playback=headset device.stream=tune \
    hearing.audiogram="$home/my-audiogram.json" calibration.earphone.full-scale-level=111 calibration.earphone.source=sheet \
    calibration.earphone.status=provisional calibration.microphone.full-scale-level=120 calibration.microphone.source=sheet \
    calibration.microphone.status=provisional >/dev/null
}

# MARK: - Questions are answered as a person would

on_terminal() { # QUESTION=ANSWER... -- COMMAND...
  python3 "$REPOSITORY/Tests/lab/person.py" 0.3 "$@"
}
auricle() {
  case "$*" in
    setup) # What it finds by itself are real cards, of which there are none.
      on_terminal 'Press Enter to begin.=' 'It begins=^C' -- auricle setup --input headset --output headset || [ $? -eq 130 ]
      return ;;
    # With findings it exits with 1.
    doctor) command auricle doctor || [ $? -eq 1 ]; return ;;
    'fit feedback') timeout 180 auricle fit feedback; return ;;
    spectrum) timeout --signal INT 2 auricle spectrum || [ $? -eq 124 ]; return ;;
    'spectrum --record visit.jsonl --sound '*) on_terminal '[y/N]=y' -- auricle "$@" --overwrite; return ;;
    'spectrum '*visit.jsonl*) set -- "$@" --overwrite ;;
    'debug --as audiologist') return 99 ;;
    'clinic init '*) set -- "$@" --passphrase-file pass ;;
    'rx make '*) set -- "$@" --passphrase-file pass --yes --overwrite ;;
    'rx scan '*) set -- "$@" --yes ;;
    'trust add '*) set -- "$@" --fingerprint "$(command auricle rx show clinic.pdf --json | jq -r .fingerprint)" ;;
  esac
  timeout 120 auricle "$@"
}

# Prints what runs an example that is not run here; nothing for one that is.
elsewhere() { # EXAMPLE
  case "$1" in
    'make run' | 'make test') echo 'Tests/package/readme.sh' ;;
    'make deb' | 'sudo apt install '* | 'sudo systemctl '* | 'systemctl --user '*) echo 'Tests/package/life.sh, Tests/kernel/systemd' ;;
    *'--as audiologist'*) echo 'Tests/cli/role-matrix.sh, Tests/lab/09-debug.sh' ;;
    'debug>'*) echo 'Tests/lab/09-debug.sh' ;;
  esac
}

run=0
example() { # PLACE LINE
  if [ -n "$(elsewhere "$2")" ]; then return; fi
  case "$2" in
    # An aid that runs is not set up; one that does not, is not asked.
    'auricle setup') command auricle stop --daemon >output 2>&1 ;;
    'auricle unmute' | 'auricle use '* | 'auricle spectrum'* | 'auricle fit feedback' | 'auricle rx '*) until_true command auricle status ;;
  esac
  (eval "$2") >output 2>&1 </dev/null || complain "$1: $2: expected success, found exit $?"
  run=$((run + 1))
  case "$2" in
    # What the text says to write into the file.
    *'config reference > '*) prepare ;;
    'auricle start' | 'auricle unmute') until_true state_is running ;;
  esac
}

# A home of their own, where the reader has done nothing yet.
new_home() { # NAME
  command auricle stop --daemon >output 2>&1 || true
  mkdir -p "$home/$1/.config/auricle"
  export HOME=$home/$1 XDG_CONFIG_HOME=$home/$1/.config XDG_DATA_HOME=$home/$1/data STATE_DIRECTORY=$home/$1/state
  export XDG_STATE_HOME=$STATE_DIRECTORY
  prepare
}
# Lines that go on in one, without their remarks.
whole() { sed -e ':a' -e '/\\e\{0,1\}$/{N;s/ *\\e\{0,1\}\n */ /;ba' -e '}' -e 's/  +#.*//;s/  *# .*$//'; }
all() { # PLACE: every example of a file of lines
  run=0
  while read -r line <&3; do example "$1" "$line"; done 3<lines
  echo "$1: $run examples run, of $(wc -l <lines)"
}

# MARK: - The README

sed -nE 's/^ {4,}([^ ].*)$/\1/p' "$REPOSITORY/README.md" | whole >lines
[ "$(wc -l <lines)" -ge 50 ]
new_home readme
all README

# MARK: - The manual

for page in auricle.1 auricle-desktop.1 auricled.8 auricle-auth.8; do
  sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/p' "$REPOSITORY/docs/man/$page" | awk '/^\.Ed/ { inside = 0 } inside; /^\.Bd -literal/ { inside = 1 }' | whole
done >lines
[ "$(wc -l <lines)" -ge 15 ]
new_home manual
all manual

# MARK: - What --help shows

examples() { # COMMAND...
  local help subcommand
  help=$(COLUMNS=1000 command auricle help "$@")
  sed -nE 's/^EXAMPLE: //p' <<<"$help"
  for subcommand in $(sed -nE '/SUBCOMMANDS:$/,$ s/^  ([a-z-]+)( \(default\))? +[A-Z].*/\1/p' <<<"$help"); do examples "$@" "$subcommand"; done
}
for command in $(command auricle --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p'); do examples "$command"; done >lines
[ "$(wc -l <lines)" -ge 15 ]
new_home help
command auricle start >output 2>&1
all help
command auricle stop --daemon >output 2>&1
