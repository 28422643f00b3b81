# The package's life in a fresh Debian: installed with what it needs, run, upgraded while the daemon runs, removed, purged.
. "$REPOSITORY/Tests/package/package.bash"
. "$REPOSITORY/Tests/package/root.bash"
set -euo pipefail
fresh_root
listed() { (cd "$root" && find etc usr lib var/lib -xdev \( -path var/lib/apt -o -path var/lib/dpkg -o -path var/lib/systemd \) -prune -o -print | sort); }

# MARK: - Installed

version=$("$PROGRAMS/auricle" --version)
# What comes before: that of another commit, or the same programs under a lower version.
mkdir before now
tested_package "$PWD/now"
now=$(echo now/*.deb)
if [ -n "${BEFORE:-}" ]; then
  cp "$BEFORE" before/
else
  dpkg-deb -R "$now" lower
  sed -i "s/^Version: .*/Version: $version~before/" lower/DEBIAN/control
  dpkg-deb --root-owner-group -Znone -b lower before/ >/dev/null
fi
before=$(echo before/*.deb)
cp "$before" "$root/before.deb"
cp "$now" "$root/now.deb"
# A sound card without end for the sound that goes on meanwhile: one that never lets its reader wait.
echo 'pcm.aid { type null }' >"$root/etc/asound.conf"
# What it depends on comes first, so that the difference is the package's alone.
inside_install $(dpkg-deb -f "$before" Depends | sed -E 's/ \([^)]*\)//g; s/ \| [^,]*//g; s/,/ /g')
listed >empty.txt
inside dpkg -i /before.deb >install.log 2>&1 || { cat install.log; exit 1; }
grep -q 'auricle: nothing plays yet. Begin with: auricle doctor' install.log
inside getent passwd auricle >/dev/null
for group in auricle auricle-audiologist auricle-developer; do inside getent group "$group" >/dev/null; done
is_idle() { # No unit of the system's is enabled
  local unit
  for unit in $(inside dpkg -L auricle | sed -nE 's|.*/systemd/system/(auricle[a-z-]*\.[a-z]+)$|\1|p'); do
    # A service of a timer's is static: it cannot be enabled at all.
    [[ $(inside systemctl is-enabled "$unit" 2>/dev/null || true) =~ ^(disabled|static)$ ]] || complain "$unit is enabled after the installation"
  done
  [ -z "$(find "$root/etc/systemd" -name '*auricle*')" ]
}
is_idle
inside sh -c 'auricled --version && auricle doctor' >doctor.txt || [ $? = 1 ]
grep -q 'no audiogram, so nothing is amplified' doctor.txt

# MARK: - Run, as the unit runs it

# Not in real time: the thread of a card that never lets it wait would have a processor for itself.
person=(prlimit --rtprio=0 setpriv --init-groups --inh-caps=-all --no-new-privs --reuid auricle --regid auricle)
has_folder() { [ "$(inside stat -c '%a %U:%G' /run/auricle)" = '750 auricle:auricle' ] || complain "/run/auricle is not made by the installation"; }
if [ -z "${BEFORE:-}" ]; then has_folder; fi
install -d -m 750 "$root/run/auricle"
install -d -m 700 "$root/var/lib/auricle"
inside chown auricle:auricle /run/auricle /var/lib/auricle
printf '[device]\ncapture = "aid"\nplayback = "aid"\n# The operator'"'"'s line.\n' >>"$root/etc/auricle/auricle.toml"
inside "${person[@]}" env RUNTIME_DIRECTORY=/run/auricle STATE_DIRECTORY=/var/lib/auricle \
  /usr/bin/auricled --config /etc/auricle/auricle.toml >daemon.log 2>&1 </dev/null &
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
asked() { inside "${person[@]}" auricle "$@"; }
until_true asked status
daemon=$(asked status --json | jq .daemon.pid)
inside sh -c 'printf "a passphrase\n" >/root/pass && chmod 600 /root/pass
  auricle clinic init --name "City Hearing Clinic" --passphrase-file /root/pass
  auricle clinic card /root/clinic.txt
  auricle rx make --audiogram /usr/share/doc/auricle/examples/N3.json --given Ada --family Example --born 1950-02-03 \
    --prescriber "Dr. B. Ear" --passphrase-file /root/pass --yes -o /root/card.txt' >rx.log 2>&1 || { cat rx.log; exit 1; }
cp "$root"/root/*.txt "$root/tmp/"
chmod 644 "$root"/tmp/*.txt
asked trust add /tmp/clinic.txt --fingerprint "$(asked rx show /tmp/clinic.txt --json | jq -r .fingerprint)" >/dev/null
asked rx scan --yes /tmp/card.txt >/dev/null
[ "$(asked rx list --json | jq '.prescriptions | length')" = 1 ]

# MARK: - Upgraded while it runs

sounds() { # Since when sound flows without a break
  asked status --json | jq -e 'if .state.name == "running" and .meters.xruns.device_reopens == 0
    then [.daemon.pid, .state.since_unix_seconds] else null end'
}
until_true sounds
flowing=$(sounds) || complain "no sound flows before the upgrade"
inside dpkg -i /now.deb >upgrade.log 2>&1 || { cat upgrade.log; exit 1; }
is_idle
has_folder
[ "$(inside dpkg-query -W -f '${Version}' auricle)" = "$version" ]
[ "$(sounds)" = "$flowing" ] || complain "the sound does not go on through an upgrade"
[ "$(asked status --json | jq .daemon.pid)" = "$daemon" ]
# And says that a newer one is there, if it is of a version that does.
if asked status --json | jq -e '.schema >= 112' >/dev/null; then
  says_another() { asked status | grep 'is installed; it plays after the next start'; }
  until_true says_another
  grep -q 'notice: another version of the program was installed' daemon.log
fi
grep -q "operator's line" "$root/etc/auricle/auricle.toml"
# One that has ended stays in the table of processes, as Z, until its parent asks.
is_gone() { ! grep -qsv '^[0-9]* (.*) Z' "/proc/$1/stat"; }
kill -TERM "$daemon"
until_true is_gone "$daemon"
inside "${person[@]}" env RUNTIME_DIRECTORY=/run/auricle STATE_DIRECTORY=/var/lib/auricle \
  /usr/bin/auricled --config /etc/auricle/auricle.toml >daemon.log 2>&1 </dev/null &
until_true asked status
[ "$(asked rx list --json | jq '.prescriptions | length')" = 1 ] || complain "the book is not what it was before the upgrade"
asked audit verify >/dev/null
if asked status | grep -q 'is installed'; then complain "the new version says that there is a newer one"; fi
asked status --json | jq -e '.prescription.serial == 1' >/dev/null
kill -TERM "$(asked status --json | jq .daemon.pid)"
wait

# MARK: - Removed, and purged

# Figures that are no longer renewed would be read for ever.
figures=$root/var/lib/prometheus/node-exporter
install -d "$figures"
: >"$figures/auricle.prom"
# A person's own aid, begun by a command: nobody could silence it without the programs.
install -d -m 700 -o 4321 -g 4321 "$root/home/ada"
own() { inside prlimit --rtprio=0 setpriv --clear-groups --reuid 4321 --regid 4321 env HOME=/home/ada auricle "$@"; }
own config set device.capture=aid device.playback=aid >/dev/null
own start >own.log 2>&1 || [ $? -lt 64 ] || { cat own.log; complain "a person's own aid does not start"; }
aid=$(own status --json | jq .daemon.pid)
[ -e "/proc/$aid" ] || complain "a person's own aid has ended by itself"
# Another's, which is the daemon in a terminal or below another supervisor.
install -d -m 700 -o 4322 -g 4322 "$root/home/ben"
bens() { inside prlimit --rtprio=0 setpriv --clear-groups --reuid 4322 --regid 4322 env HOME=/home/ben auricle "$@"; }
bens config set device.capture=aid device.playback=aid >/dev/null
bens run >run.log 2>&1 </dev/null &
until_true bens status
run=$(bens status --json | jq .daemon.pid)
[ "$(tr '\0' ' ' <"/proc/$run/cmdline")" = 'auricle run ' ] || complain "the aid of auricle run is another process"
inside dpkg -r auricle >/dev/null 2>&1
for process in "$aid" "$run"; do
  (until_true is_gone "$process") || complain "a person's own aid plays on after the removal, without the commands that end it: $process of $aid $run"
done
rm -r "$root/home/ada" "$root/home/ben"
[ ! -e "$figures/auricle.prom" ] || complain "figures for monitoring are left after a removal"
rmdir "$figures" "${figures%/*}"
[ -e "$root/var/lib/auricle/book" ] || complain "the book goes with the programs, before anybody said purge"
[ -e "$root/etc/auricle/auricle.toml" ]
# What makes a machine a clinic's device, whose sound cards nobody else may open.
made=$(mkdir -pv "$root/etc/udev/rules.d")
touch "$root/etc/auricle/device.json" "$root/etc/udev/rules.d/72-auricle-clinic.rules"
cp "$REPOSITORY/debian/auricle.postrm" "$root/run/postrm"
inside sh /run/postrm remove >remove.log
grep -q 'sound cards stay closed. To open them: apt purge auricle, or install it again and: auricle device return' remove.log ||
  complain "a removal leaves the sound cards closed and does not say so"
# The key of the book in the way of auricled(8).
install -d "$root/etc/systemd/system/auricled.service.d"
printf '[Service]\nLoadCredentialEncrypted=book-key:/etc/auricle/book-key.cred\n' >"$root/etc/systemd/system/auricled.service.d/override.conf"
# A udev that only notes what it is told.
install -d "$root/run/udev"
touch "$root/run/udev/control"
printf '#!/bin/sh\n[ ! -e /etc/udev/rules.d/72-auricle-clinic.rules ] && echo "$*" >>/run/udev/told\n' >"$root/run/udev/udevadm"
chmod 755 "$root/run/udev/udevadm"
# The system's aid can write backups only there.
backups=$root/var/lib/auricle/backups
inside install -d -m 700 -o auricle -g auricle /var/lib/auricle/backups
echo sealed >"$backups/kept.book"
inside env PATH=/run/udev:/usr/sbin:/usr/bin:/sbin:/bin dpkg -P auricle >purge.log 2>&1 || { cat purge.log; exit 1; }
grep -q 'backups of the prescription book stay in /var/lib/auricle/backups: move or delete them' purge.log ||
  complain "a purge does not say where the backups stay"
grep -q "/etc/systemd/system/auricled.service.d/override.conf names the book's key, which is deleted" purge.log ||
  complain "a purge does not say what names the key that it deletes"
rm -r "$root/etc/systemd/system/auricled.service.d"
[ "$(ls -A "$root/var/lib/auricle")" = backups ] || complain "this is left beside the backups: $(ls -A "$root/var/lib/auricle")"
[ "$(cat "$backups/kept.book")" = sealed ] || complain "a purge deletes the backups"
# Its own part once more, with an empty folder for backups.
rm "$backups/kept.book"
inside sh /run/postrm purge
[ ! -e "$root/var/lib/auricle" ] || complain "a purge without backups leaves /var/lib/auricle"
printf '%s\n' 'control --reload' 'trigger --action=change --subsystem-match=sound' | cmp -s - "$root/run/udev/told" ||
  complain "after a purge the sound cards stay closed: udev was told $(cat "$root/run/udev/told")"
# A volume of its own, which cannot be removed while it is mounted: its content goes, and the purge is whole.
install -d "$root/var/lib/auricle"
mount -t tmpfs none "$root/var/lib/auricle"
install -d "$root/var/lib/auricle/backups"
touch "$root/var/lib/auricle/programs.json" "$root/etc/udev/rules.d/72-auricle-clinic.rules"
inside env PATH=/run/udev:/usr/sbin:/usr/bin:/sbin:/bin sh /run/postrm purge >/dev/null || complain "a purge fails where /var/lib/auricle is a volume of its own"
[ -z "$(ls -A "$root/var/lib/auricle")" ] || complain "this is left on a volume: $(ls -A "$root/var/lib/auricle")"
[ ! -e "$root/etc/udev/rules.d/72-auricle-clinic.rules" ] || complain "the sound cards stay closed after a purge"
# What cannot be deleted, as a place where a disk is mounted, is named.
install -d "$root/var/lib/auricle/book"
mount -t tmpfs none "$root/var/lib/auricle/book"
inside sh /run/postrm purge >purge.log 2>&1 || complain "a purge fails where a file cannot be deleted: $(cat purge.log)"
grep -q 'this could not be deleted, delete it by hand: /var/lib/auricle/book' purge.log ||
  complain "a purge does not name what it cannot delete: $(cat purge.log)"
umount "$root/var/lib/auricle/book"
umount "$root/var/lib/auricle"
rmdir "$root/var/lib/auricle"
[ -z "$made" ] || rmdir -p --ignore-fail-on-non-empty "$root/etc/udev/rules.d"
listed >purged.txt
# Users and groups stay, as Debian's policy has it: files elsewhere may be theirs.
diff <(grep -v -e '^etc/passwd-\?$' empty.txt) <(grep -v -e '^etc/passwd-\?$' purged.txt) ||
  complain "this is left, or lost, after a purge"
