# The same bytes, whoever makes the package, where and when: that of the other scripts, and one more of the same programs, which the user nobody makes,
# who is not root, in a longer path with another umask, language and time zone. `make reproducible` builds the programs twice too.
. "$REPOSITORY/Tests/package/package.bash"
set -euo pipefail
mkdir here there
tested_package "$PWD/here"
# Where that user gets to.
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
chmod 755 "$elsewhere"
mkdir -p "$elsewhere/a/longer/path/made"
if [ "$(id -u)" = 0 ]; then export MAKER=65534; else echo 'not tried: a package that another user makes, not root'; fi
(
  cd "$elsewhere/a/longer/path"
  umask 077
  export LC_ALL=C LANG=C TZ=Pacific/Chatham USER=somebody LOGNAME=somebody
  make_package "$PWD/made"
)
cmp here/*.deb "$elsewhere"/a/longer/path/made/*.deb && exit
cp "$elsewhere"/a/longer/path/made/*.deb there/
for place in here there; do
  dpkg-deb -R "$place"/*.deb "$place/whole"
  (cd "$place/whole" && find . -printf '%p %m %T@ %l\n' | sort; find . -type f -exec sha256sum {} + | sort -k 2) >"$place/list"
done
diff here/list there/list | head -n 20
exit 1
