# The trial of scanning still starts and measures something; its figures are judged by `make trials`.
set -euo pipefail
figures() { # EXPECTED COMMAND...
  local expected=$1 status=0
  shift
  "$@" >figures 2>&1 || status=$?
  [ "$status" -le 1 ] && grep -qE -- "$expected" figures && return
  printf '%s: exit %s, and no figure like "%s" in:\n' "$*" "$status" "$expected" >&2
  cat figures >&2
  return 1
}
figures '^\| 900 \|' "$PROGRAMS/scan-trial" trials 1 900
figures '^the largest, blank.* ms, no text$' "$PROGRAMS/scan-trial" hostile 1
figures '^files=20 crashes=0' "$PROGRAMS/scan-trial" fuzz 20
