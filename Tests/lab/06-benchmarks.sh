# Every benchmark still starts and measures something.
set -euo pipefail
"$REPOSITORY/Benchmarks/start" "$PROGRAMS"
