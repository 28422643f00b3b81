# systemd accepts the unit files: every directive known, every value of the right form.
set -euo pipefail
if ! command -v systemd-analyze >/dev/null; then
  echo 'not tried: directives of the units, systemd-analyze is not installed'
  exit 0
fi
# The user's manager looks for its folder.
export XDG_RUNTIME_DIR=$PWD
mkdir system user
for manager in system user; do
  for path in "$REPOSITORY/Installation/usr/lib/systemd/$manager"/*; do
    # Programs and manual pages are not where the tests run.
    sed -E -e 's|^ExecStart=/usr/bin/auricle[a-z-]*|ExecStart=/bin/true|' -e '/^Documentation=man:/d' "$path" \
      >"$manager/${path##*/}"
  done
done
for manager in system user; do
  cd "$manager"
  # Of a folder of its own, so that units find each other.
  SYSTEMD_UNIT_PATH=$PWD: systemd-analyze verify --"$manager" --man=no ./* >../complaints 2>&1 || true
  cd ..
  if [ "$(ls "$manager" | wc -l)" -lt 3 ] || grep -F auricle complaints || grep -F 'Failed to' complaints; then exit 1; fi
done

# Proofs run as root, so their unit takes away whatever PAM does not need; the daemon's whatever sound does not need.
for limit in auricle-auth@:4 auricled:1.0 auricle-metrics:1.0; do
  exposure=$(systemd-analyze security --offline=true "./system/${limit%:*}.service" |
    sed -nE 's/.*exposure level .*: ([0-9.]+).*/\1/p')
  awk -v exposure="$exposure" -v limit="${limit#*:}" 'BEGIN { exit !(exposure > 0 && exposure <= limit) }' ||
    { echo "exposure of ${limit%:*}: $exposure"; exit 1; }
done
# Both ways to the socket are one: where the service makes it, and where systemd does.
for manager in system user; do grep -qx 'RuntimeDirectoryPreserve=yes' $manager/auricled.service; done
grep -qx 'ListenStream=/run/auricle/control.sock' system/auricled.socket
grep -qx 'ListenStream=%t/auricle/control.sock' user/auricled.socket
grep -qx 'SocketMode=0660' system/auricled.socket
grep -qx 'SocketMode=0600' user/auricled.socket
if command -v systemd-tmpfiles >/dev/null; then
  # In a root of its own, with the user that sysusers makes; who may not make another user's folder is told so.
  mkdir -p root/etc root/usr/lib/sysusers.d
  cp "$REPOSITORY/Installation/usr/lib/sysusers.d/auricle.conf" root/usr/lib/sysusers.d/
  : >root/etc/passwd
  : >root/etc/group
  if [ "$(id -u)" = 0 ]; then
    systemd-sysusers --root="$PWD/root" >/dev/null 2>&1
    systemd-tmpfiles --root="$PWD/root" --create "$REPOSITORY/Installation/usr/lib/tmpfiles.d/auricle.conf"
    number=$(sed -nE 's/^auricle:[^:]*:([0-9]+):.*/\1/p' root/etc/passwd)
    [ "$(stat -c '%a %u' root/run/auricle)" = "750 $number" ]
  fi
fi
# The rule for a card: nothing is written that udev does not know, and no card has its numbers until somebody puts them in.
rule=$REPOSITORY/Installation/usr/share/doc/auricle/examples/72-auricle-card.rules
if udevadm verify --help >/dev/null 2>&1; then udevadm verify "$rule"; fi
grep -v '^#' "$rule" | grep . | while read -r line; do
  case $line in
    LABEL=* | 'SUBSYSTEM!="sound", GOTO="auricle_card_end"' | 'ACTION=="remove", GOTO="auricle_card_end"') ;;
    *'ATTRS{idVendor}=="ffff", ATTRS{idProduct}=="ffff"'*) ;;
    *) echo "72-auricle-card.rules takes a card that nobody named: $line"; exit 1 ;;
  esac
done

# A user's manager cannot take more from the aid and the desktop's notices: folders and capabilities need rights of its own, or a user
# namespace, which some systems forbid (reason for the aid in its unit).
for limit in auricle-desktop:5.9 auricled:6.1; do
  exposure=$(systemd-analyze security --offline=true "./user/${limit%:*}.service" |
    sed -nE 's/.*exposure level .*: ([0-9.]+).*/\1/p')
  awk -v exposure="$exposure" -v limit="${limit#*:}" 'BEGIN { exit !(exposure > 0 && exposure <= limit) }' ||
    { echo "exposure of the user's ${limit%:*}: $exposure"; exit 1; }
done
# Off until somebody asks for it, and of a graphical session alone.
grep -qx 'WantedBy=graphical-session.target' user/auricle-desktop.service
grep -qx 'PartOf=graphical-session.target' user/auricle-desktop.service
# The group audio gives no right over an aid: the daemon's own group does.
grep -qx 'Group=auricle' system/auricled.service
grep -qx 'SupplementaryGroups=audio' system/auricled.service
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers --dry-run "$REPOSITORY/Installation/usr/lib/sysusers.d/auricle.conf" >complaints 2>&1 || { cat complaints; exit 1; }
fi

# Limits for a user's own aid: real time above what the daemon asks for, and memory that may be locked.
diff <(grep -v '^#' "$REPOSITORY"/Installation/usr/share/doc/auricle/examples/95-auricle.conf | tr -s ' ') - <<'LIMITS'
@audio - rtprio 80
@audio - memlock unlimited
LIMITS

# Figures for monitoring are written by nobody until somebody wants them, and where everybody may read them.
grep -qx 'WantedBy=timers.target' system/auricle-metrics.timer
folder=$(sed -nE 's|^Environment=AURICLE_METRICS=(.*)/auricle\.prom$|\1|p' system/auricle-metrics.service)
grep -qx "ReadWritePaths=-$folder" system/auricle-metrics.service
grep -q 'ExecStart=/usr/bin/auricle metrics .*--output \${AURICLE_METRICS}$' \
  "$REPOSITORY/Installation/usr/lib/systemd/system/auricle-metrics.service"

# The check itself can fail.
printf '[Service]\nExecStart=/bin/true\nWatchdogSec=often\n' >wrong.service
systemd-analyze verify --system --man=no ./wrong.service 2>&1 | grep -q 'wrong.service'
