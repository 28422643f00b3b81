# The same bytes, whoever makes the package, where and when: that of the other scripts, and one more of the same programs. `make reproducible` builds these twice too.
. "$REPOSITORY/Tests/package/package.bash"
set -euo pipefail
mkdir -p here a/longer/path
tested_package "$PWD/here"
(
  cd a/longer/path
  umask 077
  export LC_ALL=C LANG=C TZ=Pacific/Chatham USER=somebody LOGNAME=somebody
  make_package "$PWD"
)
cmp here/*.deb a/longer/path/*.deb && exit
for place in here a/longer/path; do
  dpkg-deb -R "$place"/*.deb "$place/whole"
  (cd "$place/whole" && find . -printf '%p %m %T@ %l\n' | sort; find . -type f -exec sha256sum {} + | sort -k 2) >"$place/list"
done
diff here/list a/longer/path/list | head -n 20
exit 1
