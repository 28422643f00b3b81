# systemd accepts the unit files: every directive known, every value of the right form.
set -euo pipefail
if ! command -v systemd-analyze >/dev/null; then
  echo "systemd-analyze is not installed; the directives are not checked"
  exit 0
fi
for unit in auricled.service auricled.user.service; do
  # The program and the manual page are not installed where the tests run.
  sed -e 's|^ExecStart=/usr/bin/auricled|ExecStart=/bin/true|' -e '/^Documentation=man:/d' \
    "$REPOSITORY/systemd/$unit" >"$unit"
  manager=system
  case $unit in *.user.service) manager=user; mv "$unit" auricled-user.service; unit=auricled-user.service ;; esac
  complaints=$(systemd-analyze verify --"$manager" --man=no "./$unit" 2>&1 | grep -F "$unit" || true)
  if [ -n "$complaints" ]; then
    echo "$complaints"
    exit 1
  fi
done

# The check itself can fail.
printf '[Service]\nExecStart=/bin/true\nWatchdogSec=often\n' >wrong.service
systemd-analyze verify --system --man=no ./wrong.service 2>&1 | grep -q 'wrong.service'
