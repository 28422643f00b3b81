# A verb that auricle does not have is handed to auricle-companion, the program of another package, where that is installed;
# otherwise the package is named. A program of that name stands for it here.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"

# As it is installed, in a folder of its own: what lies beside the program counts.
mkdir -p root/bin root/libexec/auricle
ln -L "$PROGRAMS/auricle" root/bin/auricle 2>/dev/null || cp -L "$PROGRAMS/auricle" root/bin/auricle
ln -s auricle root/bin/auricled
ln -s auricle root/bin/auricle-desktop
ln -s bin/auricle root/link
own=$PWD/root/bin/auricle
companion=$PWD/root/libexec/auricle/auricle-companion

# Where it is not, its verbs name the package; any other word has the words and the status that it always had.
missing='is a command of auricle-companion, which is not installed. Install the package auricle-companion; in the sources of this program, make run-companion builds it'
expect 69 "auricle: command line: auricle study $missing" "$own" study check x
expect 69 "auricle: command line: auricle q $missing" "$own" q today
expect 69 '"exit_status":69' "$own" q today --json
expect 69 "auricle: command line: auricle study $missing" "$own" help study
expect 64 'auricle: command line: auricle has no command nosuch. See: auricle --help' "$own" nosuch
expect 64 'auricle: command line: auricle has no command statsu. Did you mean: auricle status' "$own" statsu
expect 64 "auricle: command line: auricle has no command ''." "$own" ''
# Nor is one found in the folder that somebody stands in.
(
  cd root/libexec/auricle
  printf '#!/bin/sh\nexit 5\n' >auricle-companion
  chmod 755 auricle-companion
  mkdir -p bin && cp -L "$PROGRAMS/auricle" bin/auricle
  expect 69 "$missing" bin/auricle study check x
)
rm -r root/libexec/auricle && mkdir root/libexec/auricle

# Where it is, it goes on in the same process, with the words as they were typed, the streams as they are and no limit of its own.
cat >"$companion" <<'FAKE'
#!/bin/bash
printf '%s\n' "pid $$" "name $0" "core $(ulimit -c)" "$(grep SigIgn /proc/self/status)"
printf 'word %q\n' "$@"
sed 's/^/in: /'
echo 'to standard error' >&2
exit 5
FAKE
chmod 755 "$companion"
ulimit -S -c "$(ulimit -H -c)"
handed() { # COMMAND WORD...: hands over all of the words
  echo 'from standard input' | bash -c 'echo "pid $$"; exec "$@"' - "$@" >output 2>error && complain 'expected exit 5'
  [ "${PIPESTATUS[1]}" -eq 5 ] || complain "$*: expected exit 5"
  {
    sed -n 1p output
    echo "name $place" && echo "core $(ulimit -c)" && grep SigIgn /proc/self/status
    printf 'word %q\n' "${@:2}"
    echo 'in: from standard input'
  } >expected
  sed 1d output | diff - expected || complain "$*: expected its words, streams and process"
  [ "$(cat error)" = 'to standard error' ] || complain "$*: expected its standard error"
}
place=$companion
handed "$own" study check x
handed "$own" q today --json
handed "$own" statsu
handed "$own" help study
handed "$own" study '' 'two words' -- --help $'no \xff text'
handed root/link study check x

# With it goes the command that a misspelt word was meant to be, which it cannot know.
cp "$companion" kept
cat >"$companion" <<'FAKE'
#!/bin/sh
echo "meant ${AURICLE_MEANT-nothing}"
FAKE
expect 0 'meant auricle status' "$own" statsu
expect 0 'meant auricle study' "$own" stduy
expect 0 'meant auricle status' env AURICLE_MEANT=other "$own" statsu
expect 0 'meant nothing' env AURICLE_MEANT=other "$own" nosuchatall
cp kept "$companion"

# What auricle has is its own, as are options, help and both other names of the file.
expect 0 'auricle ' "$own" version
expect 0 'USAGE: auricle ' "$own" --help
expect 0 'USAGE: auricle rx scan' "$own" help rx scan
expect 64 'auricle has no command nosuch' "$own" help nosuch
expect 64 "Unknown option '--study'" "$own" --study check
expect 64 'auricle rx has no command study' "$own" rx study
expect 64 'auricled: command line: ' root/bin/auricled study check x
absent 'to standard error'
expect 64 'auricle-desktop: ' root/bin/auricle-desktop study check x
absent 'to standard error'

# One that does not start is no success; one beside the program, as after a build, comes first.
chmod 644 "$companion"
expect 71 "$companion: " "$own" study check x
chmod 755 "$companion"
cp "$companion" root/bin/auricle-companion
place=$PWD/root/bin/auricle-companion
handed "$own" study check x
# The file of auricle under that name does not start itself without end.
ln -sf auricle root/bin/auricle-companion
expect 64 'auricle has no command nosuch' "$own" nosuch
