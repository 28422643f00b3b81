# What can happen to the prescription book: a folder that cannot be written, a lost key, a damaged page, a full disk, a clock
# that is set back. Each has its message, loses nothing, and leaves the wearer with the last good prescription.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
book=$STATE_DIRECTORY/book
key=$book.key
echo 'four words are enough' >pass
make() { # FILE OPTION...
  "$auricle" rx make --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --yes \
    --passphrase-file pass -o "$@" >/dev/null 2>&1
}
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
make first.txt --audiogram N3
make second.txt --audiogram N4
make third.txt --audiogram N5
fingerprint=$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)
"$auricle" trust add clinic.txt --fingerprint "$fingerprint" >/dev/null
"$auricle" rx scan first.txt >/dev/null
expect 0 'read it back' "$auricle" book backup kept.book --passphrase-file pass
cp -a "$STATE_DIRECTORY" whole
whole() { # the state as it was after the first card
  rm -rf "$STATE_DIRECTORY"
  cp -a whole "$STATE_DIRECTORY"
}

# No sound card: the daemon waits for one, silent, and tells what would be heard.
printf '[device]\ncapture = "nowhere"\nplayback = "nowhere"\n' >"$configuration"
waiting() { until_true 10 state_is waiting-for-device; }
wears() { # SERIAL|null
  "$auricle" status --json >status.json
  jq -e ".prescription.serial == $1" status.json >/dev/null || { cat status.json >output; complain "expected serial $1"; }
}
