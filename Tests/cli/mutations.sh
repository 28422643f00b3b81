# Valid material of eight kinds, each field pushed to its extremes: 1,000 cases of each kind, or MUTATIONS, in
# processes that may die of them. None crashes, none takes more than a second of processor, memory stays bounded.
# Cases that fail are kept in .build/mutation-failures.
set -euo pipefail
trial=$PROGRAMS/mutation-trial
failures=$REPOSITORY/.build/mutation-failures
count=${MUTATIONS:-1000}

# In memory, where there is such a place: what is tried is not the disk.
place=$(mktemp -d /dev/shm/auricle-mutations-XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$place"' EXIT
"$trial" fixtures "$place/material"

# Two at a time.
printf '%s\n' cards book sounds state configurations control fhir audiograms |
  xargs -P 2 -I KIND "$trial" KIND "$count" --fixtures "$place/material" --failures "$failures"

# What finds a fault must be able to: an unknown kind, or no material, is no success.
if "$trial" nothing 10 --fixtures "$place/material" >/dev/null 2>&1; then exit 1; fi
if "$trial" fhir 10 --fixtures "$place/none" >/dev/null 2>&1; then exit 1; fi
# A folder that a daemon would not take, and so go to the machine's own.
(cd "$place" && "$trial" book 10 --fixtures material 2>&1 || true) | grep -qF 'expected an absolute path: "$PWD/material"'
