# Another version is installed while the daemon runs: it goes on as it is, says so in its log and its status, and the next start is of
# the new one.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
installed=$home/bin/auricle
install -D "$auricle" "$installed"
ln -s auricle "$home/bin/auricled"
auricled=$home/bin/auricled
daemon
until_true state_is waiting-for-device
expect 0 'waiting for a device' "$installed" status
absent 'is installed'
"$installed" status --json | jq -e '.daemon | has("replaced_unix_seconds") | not' >/dev/null

# As dpkg does it: the new file lies beside the old one, and takes its name.
cp "$installed" "$installed.dpkg-new"
ln "$installed" "$installed.dpkg-tmp"
mv "$installed.dpkg-new" "$installed"
rm "$installed.dpkg-tmp"
is_noticed() { "$installed" status --json | jq -e '.daemon.replaced_unix_seconds > 1.7e9 and .state.name == "waiting-for-device"'; }
until_true is_noticed
expect 0 'is installed; it plays after the next start of the daemon' "$installed" status
grep -q 'Another build of' output
[ "$("$installed" status --json | jq .daemon.pid)" = "$daemon" ]
[ "$(grep -c 'notice: another version of the program was installed' daemon.log)" = 1 ]
daemon_end
daemon
until_true state_is waiting-for-device
expect 0 'waiting for a device' "$installed" status
absent 'is installed'
daemon_end
