# The package auricle-companion: what Debian's checks say of it, what is in it, what it depends on; the aid's package beside it is the one that
# is made without it.
. "$REPOSITORY/Tests/package/package.bash"
set -euo pipefail
COMPANION=${COMPANION:-$REPOSITORY/Companion/.build-deb/release}
complain() { printf '%s\n' "$*" >&2; exit 1; }
[ -x "$COMPANION/auricle-companion" ] || complain "$COMPANION/auricle-companion: there is no such program. Build it: make companion"

make_package "$PWD"
package=$(echo auricle-companion_*.deb)
lintian --allow-root --fail-on error,warning "$package" || exit 1
dpkg-deb -x "$package" root

# The aid's package is the same, byte for byte, with and without the companion beside it.
mkdir alone
COMPANION='' make_package "$PWD/alone"
[ "$(ls alone)" = "$(ls auricle_*.deb)" ] || complain "the profile pkg.auricle.nocompanion makes $(ls alone)"
cmp auricle_*.deb alone/*.deb
for package in auricle auricle-companion; do dpkg-deb -x ${package}_*.deb "files-$package"; done
if comm -12 <(cd files-auricle && find . ! -type d | sort) <(cd files-auricle-companion && find . ! -type d | sort) | grep .; then
  complain "these are in both packages"
fi

program=root/usr/libexec/auricle/auricle-companion
size=$(stat -c %s "$program")
echo "auricle-companion has $size bytes"
[ "$size" -le 40000000 ] || complain "expected at most 40 MB. Does Foundation bring other language data (CNoLanguageData)?"
if ldd "$program" | grep -i -e swift -e foundation -e 'not found'; then exit 1; fi
readelf -S -d -h "$program" >headers
if grep -q '\.symtab' headers; then complain "auricle-companion is not stripped"; fi
grep -q 'DYN (Position' headers
# What would make it another one in every folder (left-out.ld).
if grep -q swift_modhash headers; then complain "auricle-companion holds hashes of its sources' paths"; fi
dpkg-deb -f auricle-companion_*.deb Depends >depends
for name in 'auricle (= ' libpq5 libarchive13 libsqlite3-0 tzdata; do
  grep -qF "$name" depends || complain "Depends: found $(cat depends), expected $name among them"
done

for page in auricle-companion auricle-study auricle-q; do [ -s "root/usr/share/man/man1/$page.1.gz" ]; done
diff -r "$REPOSITORY/Companion/Studies" root/usr/share/auricle/studies
for study in root/usr/share/auricle/studies/*/; do "$program" study check "$study" >/dev/null; done
if find root -perm /o+w ! -type l | grep .; then complain "anybody may write these"; fi
if grep -rlF "$REPOSITORY/" root; then complain "these name the folder of the build"; fi
# Nothing runs by itself: no unit, no script.
[ ! -e root/usr/lib/systemd ]
[ ! -e root/lib ]
[ ! -e root/etc ]

# The bill of materials has everything that is linked in, and every library that it loads with its licence.
bill=root/usr/share/doc/auricle-companion/auricle-companion.cdx.json
[ "$(jq -r '.metadata.component.name' "$bill")" = auricle-companion ]
for name in grdb.swift swift-crypto swift-argument-parser libpq5 libarchive13; do
  jq -e --arg name "$name" '[.components[].name] | index($name)' "$bill" >/dev/null || complain "the bill of materials lacks $name"
done
unknown=$(jq -r '.components[] | select([.licenses[] | .license.name // ""] | any(startswith("see "))) | .name' "$bill")
[ -z "$unknown" ] || complain "debian/licences: found no licence of the source packages of:" $unknown
