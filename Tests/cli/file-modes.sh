# Files that others could read or replace: secrets that they may read are cautioned about, what they may change is not used.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
key=$XDG_DATA_HOME/auricle/clinic/key.jwe
cat >"$configuration" <<TOML
[device]
capture = "nowhere"
playback = "nowhere"
[hearing]
audiogram = "$REPOSITORY/Prescriptions/N3.json"
TOML

# A passphrase that others may read serves, and is cautioned about; so is the clinic's key.
(umask 077 && echo 'four words are enough' >pass)
cp pass open-pass
chmod 644 open-pass
expect 0 'open-pass: others may use the passphrase (mode 644). Keep it to yourself: chmod 600 open-pass' \
  "$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file open-pass
"$auricle" clinic card clinic.txt >/dev/null
signs=("$auricle" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --yes
  --passphrase-file pass -o)
expect 0 'Signed' "${signs[@]}" first.txt
absent 'chmod'
chmod 644 "$key"
expect 0 "chmod 600 $key" "${signs[@]}" second.txt
# A key that others could have put there signs nothing.
chmod 666 "$key"
expect 77 "$key: Others may change it (mode 666)" "${signs[@]}" third.txt
[ ! -e third.txt ]
chmod 600 "$key"
chmod 777 "${key%/*}"
expect 77 "chmod 700 ${key%/*}" "${signs[@]}" third.txt
chmod 700 "${key%/*}"

# The state folder: without a book the configuration is in force, unless others could have taken the book away.
daemon
until_true state_is waiting-for-device
"$auricle" status --json | jq -e '.fitting.fitted' >/dev/null
daemon_end
chmod 777 "$STATE_DIRECTORY"
daemon
until_true state_is waiting-for-device
expect 0 'Others may change it (mode 777)' "$auricle" status
grep -qF 'nothing is amplified' output
expect 0 'Program: music' "$auricle" use music
[ ! -e "$STATE_DIRECTORY/programs.json" ]
grep -q "warning: nothing is kept between runs: $STATE_DIRECTORY: Others may change it" daemon.log
grep -q "error: $STATE_DIRECTORY: Others may change it (mode 777)" daemon.log
fingerprint=$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)
expect 77 'Others may change it' "$auricle" trust add clinic.txt --fingerprint "$fingerprint"
[ ! -e "$STATE_DIRECTORY/book" ]
# Mended: it is found within a second.
chmod 700 "$STATE_DIRECTORY"
fitted() { "$auricle" status --json | jq -e '.fitting.fitted' >/dev/null; }
until_true fitted
daemon_end

# A state folder that cannot be written: what was turned is read all the same.
daemon
until_true state_is waiting-for-device
expect 0 'Program: music' "$auricle" use music
expect 0 'Volume: −8 dB' "$auricle" volume -8
daemon_end
cat >read-only.sh <<SCRIPT
mount --bind "$STATE_DIRECTORY" "$STATE_DIRECTORY"
mount -o remount,bind,ro "$STATE_DIRECTORY"
exec "$auricled"
SCRIPT
# Who is not root is root of a namespace, where that is allowed.
own=(unshare --mount)
"${own[@]}" true 2>/dev/null || own=(unshare --mount --map-root-user)
if "${own[@]}" true 2>/dev/null; then
  "${own[@]}" bash read-only.sh >daemon.log 2>&1 </dev/null &
  daemon=$!
  until_true state_is waiting-for-device
  "$auricle" status --json | jq -e '.program.in_force == "music" and .program.volume.value_db == -8' >/dev/null
  grep -q "warning: nothing new is kept between runs: $STATE_DIRECTORY cannot be written: read-only file system" daemon.log
  daemon_end
else
  echo 'not tried: a read-only state folder, no mounts of its own'
fi

# The book's key, and a book of another user, which only root can make here.
"$auricle" trust add clinic.txt --fingerprint "$fingerprint" >/dev/null
"$auricle" rx scan --yes first.txt >/dev/null
chmod 640 "$STATE_DIRECTORY/book.key"
expect 77 "chmod 600 $STATE_DIRECTORY/book.key" "$auricle" rx list
chmod 600 "$STATE_DIRECTORY/book.key"
if [ "$(id -u)" = 0 ] && chown 1 "$STATE_DIRECTORY/book"; then
  expect 77 'found user 1 as its owner, expected user 0' "$auricle" rx list
  daemon
  until_true state_is waiting-for-device
  expect 0 'found user 1 as its owner' "$auricle" status
  grep -qF 'nothing is amplified' output
  daemon_end
fi
# A configuration that root changes stays that of the user whose daemon reads it.
printf '[device]\nplayback = "null"\n' >given.toml
chmod 640 given.toml
if [ "$(id -u)" = 0 ] && chown 1:2 given.toml; then
  expect 0 '' "$auricle" config set log.level=debug --config given.toml
  grep -q debug given.toml
  [ "$(stat -c '%u:%g %a' given.toml)" = '1:2 640' ] || complain "given.toml: expected owner, group and mode as before"
fi
