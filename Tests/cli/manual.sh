# The manual pages are well formed and say what the programs accept; the units call them rightly.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
pages=$REPOSITORY/docs/man
mandoc -Tlint -W warning "$pages/auricle.1" "$pages/auricle-desktop.1" "$pages/auricled.8" "$pages/auricle.toml.5" \
  "$pages/auricle-auth.8" "$pages/auricle-protocol.7" "$pages/auricle-calibration.7"

missing=0
need() { # PAGE WORD
  sed 's|\\-|--|g' "$pages/$1" >page
  grep -qwF -- "$2" page || { echo "$1 does not mention $2"; missing=1; }
}

# Every command and every option, also of commands within commands.
examine() { # COMMAND... -> needs its name and options, then those of its subcommands
  local help option subcommand
  help=$("$auricle" help "$@")
  need auricle.1 "${!#}"
  for option in $(sed -nE 's/^ +(-[a-z], )?(--[a-z-]+).*/\2/p' <<<"$help"); do
    case $option in --version | --help) ;; *) need auricle.1 "$option" ;; esac
  done
  for subcommand in $(sed -nE '/SUBCOMMANDS:$/,$ s/^  ([a-z-]+)( \(default\))? +[A-Z].*/\1/p' <<<"$help"); do
    examine "$@" "$subcommand"
    examined=$((examined + 1))
  done
}
commands=$("$auricle" --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 20 ]
examined=0
for command in $commands; do examine "$command"; done
[ "$examined" -ge 21 ]
for option in $("$auricled" --help | sed -nE 's/^ +(--[a-z-]+).*/\1/p'); do need auricled.8 "$option"; done
for option in $("$PROGRAMS/auricle-desktop" --help | sed -nE 's/^ +(--[a-z-]+).*/\1/p'); do need auricle-desktop.1 "$option"; done
for option in $("$PROGRAMS/auricle-auth" --help | sed -nE 's/^ +(--[a-z-]+).*/\1/p'); do need auricle-auth.8 "$option"; done

# Every key of the configuration.
for key in $("$auricle" config reference | sed -nE 's/^(# )?([a-z-]+) = .*/\2/p' | sort -u); do
  need auricle.toml.5 "$key"
done
[ "$missing" -eq 0 ]

# The files shown in the manual are accepted.
literal() { # PAGE NUMBER: the page's NUMBERth literal block
  awk -v wanted="$2" '/^\.Bd -literal/ { number++; next } /^\.Ed/ { inside = 0; shown = number; next }
    number == wanted && shown < number' "$pages/$1"
}
literal auricle.toml.5 1 >audiogram.json
expect 0 'a good audiogram file' "$auricle" check audiogram.json
literal auricle.toml.5 2 | sed -n '1,/^$/p' >"$XDG_CONFIG_HOME/auricle/microphone.json"
literal auricle.toml.5 2 | sed '1,/^$/d' >"$XDG_CONFIG_HOME/auricle/earphone.json"
printf '[calibration]\nmicrophone.file = "microphone.json"\nearphone.file = "earphone.json"\n' >"$configuration"
expect 0 "$configuration: good" "$auricle" check
expect 0 'provisional, HDA 200 no. 7, by: another pair' sh -c '"$0" doctor; true' "$auricle"
literal auricle.toml.5 3 >"$XDG_CONFIG_HOME/auricle/microphone.json"
expect 0 'provisional, MEMS array, by: data sheet, -26 dB FS at 94 dB SPL' sh -c '"$0" doctor; true' "$auricle"
# The worked example of a data sheet.
literal auricle-calibration.7 1 >"$configuration"
expect 0 "$configuration: good" "$auricle" check
literal auricle.toml.5 4 >"$configuration"
sed "s/\"250\": 35/\"500\": 35/" audiogram.json >"$XDG_CONFIG_HOME/auricle/audiogram.json"
expect 0 "$configuration: good, fitted" "$auricle" check

example() { # PAGE NUMBER: the commands of a literal block, one a line
  literal "$1" "$2" | sed -e ':a' -e '/\\e$/{N;s/\\e\n */ /;ba' -e '}'
}

# The advice to write a configuration, the manual's and the doctor's, works in a new home.
in_new_home=(env -u XDG_CONFIG_HOME "PATH=$PROGRAMS:$PATH")
mkdir told advised
"${in_new_home[@]}" HOME="$home/told" auricle doctor --json >doctor.json || true
doctors=$(jq -r '.findings[] | select(.subject == "configuration") | .remedy' doctor.json)
"${in_new_home[@]}" HOME="$home/told" bash -c "${doctors#*: }" || complain "$doctors: expected success"
"${in_new_home[@]}" HOME="$home/advised" bash -c "$(example auricle.1 1 | head -2)" || complain 'auricle.1: expected success'
for place in told advised; do
  expect 0 "$home/$place/.config/auricle/auricle.toml: good" "${in_new_home[@]}" HOME="$home/$place" auricle check
done

# What the units start is accepted, down to the file that is not there.
for unit in system/auricled.service user/auricled.service; do
  options=$(sed -nE 's|^ExecStart=/usr/bin/auricled ?||p' "$REPOSITORY/Installation/usr/lib/systemd/$unit")
  for option in $options; do
    case $option in --*) grep -qF -- "$option" <<<"$("$auricled" --help)" || exit 1 ;; esac
  done
  grep -q '^Type=notify' "$REPOSITORY/Installation/usr/lib/systemd/$unit"
  grep -q '^RestartPreventExitStatus=64 65 66 78 77$' "$REPOSITORY/Installation/usr/lib/systemd/$unit"
done
