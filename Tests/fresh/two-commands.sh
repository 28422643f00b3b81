# The README's two commands in a fresh Debian with Swift and nothing else: `make run` makes its picture and its recordings, `make test`
# passes. An hour; COMMANDS='make run' for the first alone. Where this machine keeps copies of Swift packages for git, and of Python's, it has
# those too, and the certificates that this machine trusts.
. "$REPOSITORY/Tests/package/root.bash"
set -euo pipefail
fresh_root

# MARK: - Swift, as swift.org says to install it on Debian 12

swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
bind() { # FOLDER
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  mount -o remount,bind,ro "$root$1"
}
bind "$swift"
inside_install make binutils-gold gcc git libcurl4-openssl-dev libedit-dev libncurses-dev libpython3-dev libsqlite3-dev libstdc++-12-dev \
  libxml2-dev libz3-dev pkg-config tzdata unzip zlib1g-dev ca-certificates
git config --system --get-regexp '^url\..*\.insteadof$' | while read -r name value; do
  git config --file "$root/etc/gitconfig" --add "$name" "$value"
done || true
for copies in $(git config --file "$root/etc/gitconfig" --get-regexp '^url\.' | sed -nE 's/^url\.(\/[^ ]*)\.insteadof .*/\1/p' | sort -u); do
  bind "${copies%/}"
  git config --file "$root/etc/gitconfig" --add safe.directory '*'
done
for settings in /etc/pip.conf ~/.config/pip/pip.conf ~/.pip/pip.conf; do
  [ -e "$settings" ] || continue
  install -D -m 644 "$settings" "$root${settings/#$HOME/\/root}"
  for wheels in $(sed -nE 's|^find-links *= *(/.*)$|\1|p' "$settings"); do [ ! -d "$wheels" ] || bind "$wheels"; done
done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
mount -t tmpfs -o mode=1777 none "$root/dev/shm"
mount --bind /dev/pts "$root/dev/pts"
mount -t sysfs none "$root/sys"

# MARK: - The two commands, by a reader who has cloned the repository

git clone --quiet "$REPOSITORY" "$root/root/auricle"
commands=$(sed -nE 's/^    (make (run|test)) .*/\1/p' "$REPOSITORY/README.md")
[ "$(wc -l <<<"$commands")" = 2 ] || complain "the README names other commands"
while read -r command; do
  case $command in ${COMMANDS:-*}) ;; *) continue ;; esac
  begin=$SECONDS
  at_its_root env PATH="$swift/bin:/usr/sbin:/usr/bin:/sbin:/bin" sh -c "cd /root/auricle && $command" >"${command// /-}.log" 2>&1 </dev/null ||
    { tail -n 40 "${command// /-}.log"; complain "$command: expected success"; }
  echo "$command: $((SECONDS - begin)) s"
done <<<"$commands"
for file in unaided.wav aided.wav aided.png; do [ -s "$root/root/auricle/$file" ] || complain "make run left no $file"; done
