# What the daemon writes into its log of files about somebody's hearing: where they are wrong and in what kind of way; what
# they hold is for the one who asks.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
place=$XDG_CONFIG_HOME/auricle
table=$place/aud.csv
cat >"$configuration" <<'TOML'
[device]
capture = "nosuchdevice"
playback = "nosuchdevice"
[hearing]
audiogram = "aud.csv"
TOML
good() { printf 'ear,250,500,1000,2000,4000\nleft,20,25,30,40,50\nright,20,25,30,40,50\n' >"$table"; }

log=daemon.log
# A log's words without time, folder and process, whose digits and letters are anybody's.
words_of() { sed -e 's/^[0-9T:+-]* //' -e "s#$home##g" -e 's/process [0-9]*//' "$1"; }
silent_on() { # FILE WORDS...
  local file=$1 word
  shift
  words_of "$file" >words
  for word in "$@"; do
    ! grep -iF -- "$word" words || complain "expected nothing like '$word' in $file"
  done
}
# The same fault three ways: asked for, by signal, at a start. The answer tells everything, the log never WORDS.
told() { # TOLD LOGGED [WORDS...]
  local told=$1 logged=$2
  shift 2
  good
  daemon
  until_true state_is waiting-for-device
  printf '%s\n' "$content" >"$file"
  expect 65 "$told" "$auricle" reload
  until_true grep -qF "reload by user $(id -u), process" "$log"
  grep 'reload by user' "$log" | grep -qF "failed: $logged" || complain "expected the log to say: $logged"
  kill -HUP "$daemon"
  until_true grep -qF 'configuration not changed' "$log"
  grep -F "error: $logged" "$log" >/dev/null || complain "expected the log to say: $logged"
  silent_on "$log" "$@"
  good
  daemon_end
  printf '%s\n' "$content" >"$file"
  expect 65 "auricled: $logged" "$auricled"
  silent_on output "$@"
  expect 65 "$logged" "$auricle" start
  silent_on "$STATE_DIRECTORY/auricled.log" "$@"
}
file=$table

# A table that somebody exported with the person's name above it.
content='Jane Doe;1951-03-17'
told 'Jane Doe 1951-03-17' "$table:1: found a first row that is no header." Jane Doe 1951
content=$'ear,frequency,Jane Doe 1951-03-17\nleft,1000,30'
told 'unknown column "Jane Doe 1951-03-17"' "$table:1: found an unknown column." Jane Doe 1951
content=$'ear,frequency,threshold\nleft,500,33\nleft,1000,125'
told 'air conduction of 125 dB HL at 1000 Hz' "$table:3: found a level out of range." 125 '1000 Hz' 'dB HL'
content=$'ear,frequency,threshold\nleft,500,33\nJane,1000,35'
told '"Jane" as an ear' "$table:3: found an ear that is neither left nor right." Jane
content=$'ear,frequency,threshold\nleft,1000,44dB'
told '"44dB" as the threshold at 1000 Hz' "$table:2: found a field that is no level." 44 '1000 Hz'
# The other forms, and what the rule cannot do with a good table.
content='{"format": "auricle-audiogram", "version": 1, "Jane Doe": 1951, "left": {}, "right": {}}'
told 'unknown key "Jane Doe"' "$table:1: found an unknown key." Jane 1951
content=$'ear,4000\nleft,77\nright,77'
told 'air-conduction thresholds at 4000 Hz' "$table: found too few frequencies for the rule in the left ear." '4000 Hz' 77
