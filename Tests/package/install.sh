# `make install` fills a folder, under another prefix too, and wrong input writes nothing.
set -euo pipefail
install=$REPOSITORY/Installation/install
refused() { # STATUS MESSAGE [VARIABLE=VALUE...] [PROGRAMS]
  local expected=$1 message=$2 status=0
  env "${@:3}" >output 2>&1 || status=$?
  [ "$status" = "$expected" ] && grep -qF "$message" output || { echo "found status $status:"; cat output; exit 1; }
}
refused 64 'PREFIX: found opt, expected a path from the root.' PREFIX=opt DESTDIR="$PWD/a" "$install" "$PROGRAMS"
refused 64 'DESTDIR: found a, expected a path from the root.' DESTDIR=a "$install" "$PROGRAMS"
refused 66 'there is no such program. Build it: make build' DESTDIR="$PWD/a" "$install" "$PWD"
[ ! -e a ]
: >file
refused 73 "file/usr/bin/auricle: cannot be written." DESTDIR="$PWD/file" PREFIX=/usr "$install" "$PROGRAMS"

# Another prefix: units name the programs where they are.
DESTDIR=$PWD/b "$install" "$PROGRAMS" >output
grep -q '^ExecStart=/usr/local/bin/auricled --config /etc/auricle/auricle.toml' b/usr/local/lib/systemd/system/auricled.service
if grep -rl '/usr/bin/auricle' b/usr/local/lib; then exit 1; fi
[ "$(readlink b/usr/local/bin/auricled)" = auricle ]
[ -s b/usr/local/share/zsh/site-functions/_auricle ]
[ ! -e b/usr/local/share/zsh/vendor-completions ]
b/usr/local/bin/auricled --version

# A second installation over it: a configuration that somebody has changed stays, and is told.
[ ! -s output ]
echo '# mine' >>b/etc/auricle/auricle.toml
DESTDIR=$PWD/b "$install" "$PROGRAMS" >output
grep -q '/etc/auricle/auricle.toml was changed and stays; the new one is etc/auricle/auricle.toml.new' output
grep -qx '# mine' b/etc/auricle/auricle.toml
[ -e b/etc/auricle/auricle.toml.new ]

# Into the system itself, whose /etc is another here: what a package does besides is named.
cat >system.sh <<'SYSTEM'
mount -t tmpfs none /etc || exit 99
PREFIX=$PWD/c "$@"
SYSTEM
unshare -Urm bash system.sh "$install" "$PROGRAMS" >output
grep -qF "sudo systemd-sysusers $PWD/c/lib/sysusers.d/auricle.conf" output
grep -qF "sudo systemd-tmpfiles --create $PWD/c/lib/tmpfiles.d/auricle.conf" output
for kind in sysusers tmpfiles; do [ -s "c/lib/$kind.d/auricle.conf" ]; done
