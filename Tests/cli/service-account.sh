# The system's book is restored by a command of the service's account, into the service's own folder; root is told which command. An aid that
# this account begins by hand is the system's.
set -euo pipefail
source "$REPOSITORY/Tests/cli/system.bash"
own_mounts
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
cp -a /etc etc
rm -rf etc/auricle
mount --bind etc /etc
people
mount -t tmpfs tmpfs /var/lib
install -d -o auricle -g auricle -m 700 /var/lib/auricle

# A backup of another book, with a prescription.
export XDG_DATA_HOME=$home/data
echo 'four words are enough' >pass
{
  "$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass
  "$auricle" clinic card clinic.txt
  "$auricle" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --passphrase-file pass --yes -o card.txt
  "$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)"
  "$auricle" rx scan --yes card.txt
  "$auricle" book backup kept.book --passphrase-file pass
} >made.log 2>&1
install -o auricle -g auricle -m 600 kept.book pass /run/exchange

# As sudo runs them.
as_root=(env -i -C / HOME=/root /run/programs/auricle)
as_service=("${person[@]}" --reuid auricle --regid auricle env -i HOME=/var/lib/auricle)
restore=(book restore /run/exchange/kept.book --passphrase-file /run/exchange/pass)
expect 77 'run this as the user whom it belongs to: sudo -u auricle auricle …' "${as_root[@]}" "${restore[@]}"
[ -z "$(ls -A /var/lib/auricle)" ] || complain 'expected nothing of root in the folder'
expect 0 'Restored' "${as_service[@]}" /run/programs/auricle "${restore[@]}"
# That command reads no credential, which the service may have.
grep -q '/var/lib/auricle/book.key is new: where the service has the key as a credential' flat || complain 'expected the new key to be told'
[ "$(stat -c %U /var/lib/auricle/book/book.sqlite)" = auricle ] || complain "expected the service's book"
[ ! -e /var/lib/auricle/.local ] || complain 'expected no state folder below the home'
expect 0 'The audit trail is whole' "${as_service[@]}" /run/programs/auricle audit verify

# Without a service manager, and so without its variables.
install -d -o auricle -g auricle -m 750 /run/auricle
# A configuration that root begins is for the service to read, and so is its folder, whatever root's mask is.
expect 0 'In the new file /etc/auricle/auricle.toml' sh -c 'umask 077 && exec "$@"' sh "${as_root[@]}" config set \
  --config /etc/auricle/auricle.toml device.capture=nosuchdevice device.playback=nosuchdevice
[ "$(stat -c %a /etc/auricle /etc/auricle/auricle.toml | tr '\n' ' ')" = '755 644 ' ] || complain 'expected files for the service to read'
# The account reads what its service reads, before what a restoration left in its home.
install -D -o auricle -g auricle -m 600 /dev/stdin /var/lib/auricle/.config/auricle/auricle.toml <<<'device.capture = "stale"'
expect 0 'device.capture = "nosuchdevice"' "${as_service[@]}" /run/programs/auricle config show
rm -r /var/lib/auricle/.config
"${as_service[@]}" /run/programs/auricled --config /etc/auricle/auricle.toml >daemon.log 2>&1 </dev/null &
daemon=$!
until_true waits
as wes /run/programs/auricle status --json | jq -e '.prescription.serial == 1' >/dev/null || complain 'expected the restored prescription'
expect 75 "found an aid that runs, process $daemon, expected none" "${as_service[@]}" /run/programs/auricle "${restore[@]}"
daemon_end
