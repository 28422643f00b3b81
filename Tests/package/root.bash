# For the scripts of this folder: a fresh Debian in the folder where the script runs. Sourced first; the script runs in a mount
# namespace of its own from there, or not at all where it cannot.
#
#   fresh_root                 makes it; $root is its folder
#   inside COMMAND...          runs a command in it, as root
#   at_its_root COMMAND...     the same, with the folder as the root of all mounts, as on a machine of its own: in a changed root the
#                              kernel lets nobody have mounts of their own
#   inside_install PACKAGE...  installs Debian's packages in it
#   complain WORDS             ends the script
#   until_true COMMAND...      waits until the command succeeds, and ends the script where that takes more than three minutes

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
  name=${0##*/}
  echo "not tried: package-${name%.sh}, it needs root and debootstrap"
  exit 0
fi
# A mount that a kill leaves behind would be everybody's.
if [ -z "${ALONE:-}" ]; then exec env ALONE=1 unshare --mount --propagation private bash "$0"; fi

complain() { printf '%s\n' "$*" >&2; exit 1; }

until_true() {
  local end=$((SECONDS + 180))
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || complain "$*: expected success in time, found none"
    sleep 0.1
  done
}

fresh_root() {
  local cache=$REPOSITORY/.build-deb/debian turn release
  # What was built here is installed there.
  release=$(. /etc/os-release; [ "$ID" != debian ] || echo "${VERSION_CODENAME-}")
  release=${release:-bookworm}
  mkdir -p "${cache%/*}"
  # Of scripts side by side one makes it.
  exec {turn}>"$cache.lock"
  flock "$turn"
  if [ "$(cat "$cache/complete" 2>/dev/null)" != "$release" ]; then
    rm -rf "$cache"
    debootstrap --variant=minbase --include=systemd,systemd-sysv "$release" "$cache" >debootstrap.log 2>&1 ||
      { tail -n 5 debootstrap.log; complain "debootstrap failed"; }
    # The lists, downloaded once.
    chroot "$cache" apt-get -q update >>debootstrap.log 2>&1
    echo "$release" >"$cache/complete"
  fi
  exec {turn}>&-
  root=$PWD/root
  cp -a "$cache" "$root"
  mount -t tmpfs none "$root/run"
  mount -t proc none "$root/proc"
  mount --bind /dev "$root/dev"
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
}

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

at_its_root() {
  unshare --mount --propagation private sh -ec 'mount --rbind "$0" "$0"; cd "$0"; mkdir -p former; pivot_root . former; cd /
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      sh -ec "umount -l /former; rmdir /former; exec \"\$@\"" sh "$@"' "$root" "$@"
}

inside_install() {
  local attempt
  # Lists of before a point release name packages that the mirror has no more.
  for attempt in 1 2; do
    if inside apt-get -q install -y --no-install-recommends "$@" >apt.log 2>&1; then return; fi
    inside apt-get -q update >>apt.log 2>&1 || true
  done
  tail -n 5 apt.log
  complain "apt-get failed"
}
