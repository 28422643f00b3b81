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

# A command's entries in auricle.1, the text of its section outside of entries, and the common options.
entry() { # COMMAND...
  awk -v command="$*" '
    function names(line, parts, count, k) {
      sub(/^\.It Cm /, "", line)
      gsub(/\\-/, "-", line)
      sub(/ (Oo|Op|Ar|Fl|Cm|Oc) .*/, "", line)
      count = split(line, parts, " , ")
      for (k = 1; k <= count; k++) if (parts[k] == command) return 1
      return 0
    }
    function end_section() {
      if (is_its || section == ".Ss Common options") print text
      text = is_its = mine = depth = 0
    }
    /^\.S[hs] / { end_section(); section = $0 }
    /^\.El/ { depth--; if (depth == 0) mine = 0 }
    depth == 1 && /^\.It / { mine = /^\.It Cm / && names($0); if (mine) is_its = 1 }
    mine { print }
    !mine && (depth == 0 || section == ".Ss Common options") { text = text "\n" $0 }
    /^\.Bl/ { depth++ }
    END { end_section() }' "$pages/auricle.1" | sed 's/\\-/-/g'
}

# Every command and every option, also of commands within commands: in the command's own entry, where it is looked for.
examine() { # COMMAND... -> needs its name and options, then those of its subcommands
  local help short long subcommand subcommands
  help=$("$auricle" help "$@")
  subcommands=$(sed -nE '/SUBCOMMANDS:$/,$ s/^  ([a-z-]+)( \(default\))? +[A-Z].*/\1/p' <<<"$help")
  need auricle.1 "${!#}"
  entry "$@" >entry
  case "$*" in
    # Of the command that is meant without another word.
    'route show' | 'device show') entry "$1" >entry ;;
    # "All that measure have", below the first of them.
    'calibrate microphone' | 'calibrate ears') entry calibrate earphone >>entry ;;
  esac
  [ -n "$subcommands" ] || grep -q '^\.It Cm' entry || { echo "auricle.1 has no entry of $*"; missing=1; }
  while read -r short long; do
    case $long in --version | --help) continue ;; esac
    # mdoc(7) writes the first hyphen itself.
    grep -qE "Fl (.* )?${long#-}( |\$)|Fl $short( |\$)" entry || { echo "auricle.1 does not explain $long of $*"; missing=1; }
  done < <(sed -nE 's/^ +-([a-z]), (--[a-z-]+).*/\1 \2/p; s/^ +(--[a-z-]+).*/no \1/p' <<<"$help")
  for subcommand in $subcommands; do
    examine "$@" "$subcommand"
    examined=$((examined + 1))
  done
}
commands=$("$auricle" --help | sed -nE 's/^  ([a-z][a-z-]*) +[A-Z].*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 20 ]
grep -qx hearing-test <<<"$commands"
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

# The repository's documents are not installed: neither a page nor a message sends there.
if grep -nE 'docs/[a-z-]+\.md' "$pages"/*.[1-8]; then exit 1; fi
if grep -aoE 'docs/[a-z-]+\.md' "$auricle"; then exit 1; fi

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
