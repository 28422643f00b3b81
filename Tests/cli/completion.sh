# What bash offers after a press of Tab: files where files are meant, words where words are.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"

# Calls what `complete` registered, with the variables that bash sets for it. The words are those of a command line
# whose last one is being written; what is offered comes back one a line, in order.
"$auricle" completions bash >completions.bash
cat >press.bash <<'EOF_PRESS'
source ../completions.bash
registered=($(complete -p auricle))
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
COMPREPLY=()
"${registered[-2]}" auricle "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
EOF_PRESS
mkdir place place/folder
touch place/report.pdf place/report.json place/note.txt 'place/two words.wav'
offers() { # EXPECTED WORD... -> EXPECTED, with a bar between two, is all that is offered after the words
  local expected=$1
  shift
  (cd place && PATH=$PROGRAMS:$PATH bash --norc ../press.bash auricle "$@") >output 2>&1 || complain "$*: expected completions"
  [ "$(paste -sd'|' output)" = "$expected" ] || complain "auricle $*: expected $expected"
}

# Files, by the beginning of their names, where a file is meant.
offers 'report.json|report.pdf' check rep
offers 'note.txt' rx scan n
offers 'note.txt' rx show n
offers 'note.txt' rx export n
offers 'note.txt' rx sheet n
offers 'note.txt' trust add n
offers 'note.txt' book backup n
offers 'note.txt' book restore n
offers 'note.txt' clinic card n
offers 'folder|note.txt|report.json|report.pdf|two words.wav' listen ''
offers 'two words.wav' listen tw
offers 'note.txt' listen talk.wav n
offers 'report.json|report.pdf' verify -o r
offers 'report.json|report.pdf' verify --output r
offers 'note.txt' listen talk.wav aided.wav --picture n
offers 'report.json|report.pdf' listen talk.wav aided.wav --audiogram r
offers 'report.json|report.pdf' verify --audiogram r
offers 'note.txt' rx make --targets n
offers 'note.txt' rx make -o n
offers 'note.txt' rx make --sheet n
offers 'note.txt' rx make --passphrase-file n
offers 'note.txt' clinic pass bind -o n
offers 'note.txt' status --socket n
offers 'note.txt' start --config n

# Folders.
offers 'folder' demo --folder ''
offers 'folder' clinic card --clinic ''

# Programs, turns, rules, places.
offers 'automatic|conversation-in-noise|loud|music|outdoors|quiet|television' use ''
offers 'music' use mu
offers 'automatic|conversation-in-noise|loud|music|outdoors|quiet|television' listen talk.wav aided.wav --program ''
offers 'outdoors' listen talk.wav aided.wav --program o
offers 'down|reset|up' volume ''
offers 'bright|reset|soft' tone ''
offers 'NAL-R|NAL-RP|NAL-RP-compressive' verify --rule NAL
offers 'half-gain' listen talk.wav aided.wav --rule h
offers 'POGO-II' rx make --rule P
offers 'conversation-in-noise|music|outdoors|quiet' rx use ''
offers 'music' rx try m
offers 'outdoors' rx make --environment o
offers 'left|right' fit feedback --ear ''
offers 'always|auto|never' status --color ''
offers 'bash|fish|zsh' completions ''

# Commands and options as ever.
offers 'volume' vol
offers 'metrics' met
offers '--fix' doctor --f
offers 'note.txt' metrics --output n
offers 'scan' rx sc
offers '--watch' status --wa
offers '--json' check --js

# A word is no file where none is meant.
offers '' use n
offers '' listen talk.wav aided.wav --level n
