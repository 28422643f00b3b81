# systemd accepts the unit files: every directive known, every value of the right form.
set -euo pipefail
if ! command -v systemd-analyze >/dev/null; then
  echo "systemd-analyze is not installed; the directives are not checked"
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
for limit in auricle-auth@:4 auricled:1.0; do
  exposure=$(systemd-analyze security --offline=true "./system/${limit%:*}.service" |
    sed -nE 's/.*exposure level .*: ([0-9.]+).*/\1/p')
  awk -v exposure="$exposure" -v limit="${limit#*:}" 'BEGIN { exit !(exposure > 0 && exposure <= limit) }' ||
    { echo "exposure of ${limit%:*}: $exposure"; exit 1; }
done
# The group audio gives no right over an aid: the daemon's own group does.
grep -qx 'Group=auricle' system/auricled.service
grep -qx 'SupplementaryGroups=audio' system/auricled.service
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers --dry-run "$REPOSITORY/Installation/usr/lib/sysusers.d/auricle.conf" >complaints 2>&1 || { cat complaints; exit 1; }
fi

# The check itself can fail.
printf '[Service]\nExecStart=/bin/true\nWatchdogSec=often\n' >wrong.service
systemd-analyze verify --system --man=no ./wrong.service 2>&1 | grep -q 'wrong.service'
