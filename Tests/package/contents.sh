# The package: what Debian's checks say of it, what is in it and how large it is.
. "$REPOSITORY/Tests/package/package.bash"
set -euo pipefail
for tool in dh lintian desktop-file-validate; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed; run .ci/install-dependencies package"; exit 1; }
done

tested_package "$PWD"
package=$(echo auricle_*.deb)
lintian --allow-root --fail-on error,warning "$package" || exit 1
dpkg-deb -x "$package" root
dpkg-deb -e "$package" scripts

# One version everywhere.
version=$("$PROGRAMS/auricle" --version)
[ "$(dpkg-deb -f "$package" Version)" = "$version" ]
grep -qm 1 "^## $version" "$REPOSITORY/CHANGELOG.md"

# The programs: one file under two names, 50 MB at most, stripped, and no Swift needed on the machine.
[ "$(readlink root/usr/bin/auricled)" = auricle ]
size=$(du -cb root/usr/bin/auricle root/usr/bin/auricle-auth | tail -n 1 | cut -f 1)
echo "The programs have $size bytes"
[ "$size" -le 50000000 ] || { echo "expected at most 50 MB. Does Foundation bring other language data (CNoLanguageData)?"; exit 1; }
for program in auricle auricle-auth; do
  if ldd "root/usr/bin/$program" | grep -i -e swift -e foundation -e 'not found'; then exit 1; fi
  readelf -S -d -l -h "root/usr/bin/$program" >headers
  if grep -q '\.symtab' headers; then echo "$program is not stripped"; exit 1; fi
  # Addresses are known before the program begins, their table is read-only, and it may lie anywhere.
  grep -q 'BIND_NOW\|FLAGS.*NOW' headers
  grep -q GNU_RELRO headers
  grep -q 'DYN (Position' headers
done
# A pipe into `grep -q` would end the writer by a signal when the match comes early.
grep -q 'USAGE: auricled' <<<"$(root/usr/bin/auricled --help)"
grep -q 'USAGE: auricle ' <<<"$(root/usr/bin/auricle --help)"

# Nothing is enabled or started, for the system or for a user.
if grep -hv echo scripts/* | grep -E 'deb-systemd-invoke (start|restart)|systemctl.* (start|restart|enable)'; then exit 1; fi
[ ! -e root/etc/systemd ]
# debhelper's lines for a unit that is not enabled by default.
grep -q "debian-installed 'auricled.service'" scripts/postinst
if grep -q "was-enabled defaults to true" scripts/postinst; then echo "a unit is enabled by the installation"; exit 1; fi
grep -q 'deb-systemd-invoke stop auricled.socket auricled.service auricle-auth.socket auricle-metrics.timer' scripts/prerm
# No script fails where systemd refuses, as debhelper's own lines do not: dpkg would leave the package half installed.
if grep -hv -e echo -e '^ *#' scripts/p* | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
  grep -E '(systemctl|deb-systemd-invoke) ' | grep -v -e 'is-active' -e '|| true'; then exit 1; fi
grep -q 'systemd-sysusers .*auricle.conf' scripts/postinst
for place in system user; do [ -n "$(find root -path "*/systemd/$place/auricled.socket")" ]; done
grep -q 'systemd-tmpfiles .*auricle.conf' scripts/postinst
grep -qx /etc/auricle/auricle.toml scripts/conffiles
grep -qx /etc/pam.d/auricle scripts/conffiles

desktop-file-validate root/usr/share/applications/auricle.desktop
# Each action of the desktop entry is a command there is, and begun by the program that shows why one fails.
[ "$(grep -c '^Exec=auricle-desktop ' root/usr/share/applications/auricle.desktop)" = "$(grep -c '^Exec=' root/usr/share/applications/auricle.desktop)" ]
sed -n 's/^Exec=auricle-desktop //p' root/usr/share/applications/auricle.desktop | while read -r verb; do
  root/usr/bin/auricle "$verb" --help >/dev/null
  grep -qw "$verb" <<<"$(root/usr/bin/auricle-desktop --help)"
done
for page in auricle.1 auricled.8 auricle-auth.8 auricle.toml.5 auricle-protocol.7 auricle-calibration.7; do
  [ -s "root/usr/share/man/man${page##*.}/$page.gz" ]
done
bash -c '. root/usr/share/bash-completion/completions/auricle && complete -p auricle' >/dev/null
# What the examples folder has can be read.
for example in root/usr/share/doc/auricle/examples/N3.json; do root/usr/bin/auricle check "$example" >/dev/null; done
if find root -perm /o+w ! -type l | grep .; then exit 1; fi

# Nothing tells the folder where it was built.
if grep -rlF "$REPOSITORY/" root; then echo "these name the folder of the build"; exit 1; fi

# The sound card's rule is an example: no rule is in force.
[ ! -e root/usr/lib/udev ]
[ ! -e root/lib/udev ]
[ -s root/usr/share/doc/auricle/examples/72-auricle-card.rules ]

# The bill of materials; with others' definitions of it where PyPI can be reached.
. "$REPOSITORY/Tests/python.bash"
python=$(PIP_RETRIES=1 others_python "$REPOSITORY/Tests/package/requirements.txt" 2>pip.log) || python=python3
"$python" "$REPOSITORY/Tests/package/bill.py" root "$REPOSITORY"
[ "$(stat -c %a root/usr/share/doc/auricle/auricle.cdx.json)" = 644 ]
[ "$(jq -r .metadata.component.version root/usr/share/doc/auricle/auricle.cdx.json)" = "$version" ]
# What debian/copyright does not know is not passed over: of the package that is unpacked here, with the versions that it depends on.
rm -rf source
mkdir source
cp -r "$REPOSITORY"/{debian,Package.resolved} source/
printf 'shlibs:Depends=%s\n' "$(dpkg-deb -f "$package" Depends)" >source/debian/auricle.substvars
cd source
bill() { SOURCE_DATE_EPOCH=1 debian/sbom ../root "$PROGRAMS" >../bill 2>../complaint; }
bill
jq '.pins += [{"identity": "swift-nio", "state": {"revision": "0", "version": "2.0.0"}}]' Package.resolved >more
cp Package.resolved kept
mv more Package.resolved
if bill; then echo "a Swift package without its licence was passed over"; exit 1; fi
grep -q 'found no paragraph with Component: swift-nio, which Package.resolved has' ../complaint
rm Package.resolved
if bill; then echo "missing versions were passed over"; exit 1; fi
grep -q 'Package.resolved: found none' ../complaint
