# The manual pages are well formed and say what the programs accept; the units call them rightly.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
pages=$REPOSITORY/docs/man
mandoc -Tlint -W warning "$pages/auricle.1" "$pages/auricled.8" "$pages/auricle.toml.5"

missing=0
need() { # PAGE WORD
  sed 's|\\-|--|g' "$pages/$1" >page
  grep -qwF -- "$2" page || { echo "$1 does not mention $2"; missing=1; }
}

# Every command and every option.
commands=$("$auricle" --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 15 ]
for command in $commands; do
  need auricle.1 "$command"
  for option in $("$auricle" help "$command" | sed -nE 's/^ +(--[a-z-]+).*/\1/p'); do
    case $option in --version | --help) ;; *) need auricle.1 "$option" ;; esac
  done
done
for option in $("$auricled" --help | sed -nE 's/^ +(--[a-z-]+).*/\1/p'); do need auricled.8 "$option"; done

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
expect 0 'verified, HDA 200 no. 7, 2026-01-31' sh -c '"$0" doctor; true' "$auricle"
literal auricle.toml.5 3 >"$configuration"
sed "s/\"250\": 35/\"500\": 35/" audiogram.json >"$XDG_CONFIG_HOME/auricle/audiogram.json"
expect 0 "$configuration: good, fitted" "$auricle" check

# What the units start is accepted, down to the file that is not there.
for unit in auricled.service auricled.user.service; do
  options=$(sed -nE 's|^ExecStart=/usr/bin/auricled ?||p' "$REPOSITORY/systemd/$unit")
  for option in $options; do
    case $option in --*) "$auricled" --help | grep -qF -- "$option" || exit 1 ;; esac
  done
  grep -q '^Type=notify' "$REPOSITORY/systemd/$unit"
  grep -q '^RestartPreventExitStatus=64 65 66 78' "$REPOSITORY/systemd/$unit"
done
