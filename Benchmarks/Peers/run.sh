#!/usr/bin/env bash
# Auricle against what Debian has instead: work, delay, memory, and the gain error against a prescription for N3.
# Installs nothing: it says which packages are missing, and .ci/install-dependencies peers brings them.
# Usage: run.sh FOLDER_OF_PROGRAMS [--runs 5] [--only sox,lsp] [--no-live] [--json] [--write]
#   --write   also replaces the generated part of docs/peers.md and its picture
# Exits with 1 when Auricle loses where docs/peers.md gives no reason and next step, with 69 when CPU or
# round trip could not be compared with any peer.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# Debian's own, whose packages they are, whatever another one stands in the path.
python=${PEERS_PYTHON:-/usr/bin/python3}
# One thread each: what is measured has the other core.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
"$python" "$here/options.py" "$@"
for needed in numpy matplotlib PIL; do
  "$python" -c "import $needed" 2>/dev/null && continue
  echo "peers: Python's $needed is missing, so nothing can be compared. Install it: .ci/install-dependencies peers" >&2
  exit 69
done
# What measures is measured first.
"$python" "$here/check.py"
exec "$python" "$here/peers.py" "$@"
