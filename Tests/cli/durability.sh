# A process that loads, accepts and reverts is killed with -9 again and again: the book opens each time, its
# audit trail is whole, and its state is that before or after the deed. The full trial, of 500 kills: make trials
set -euo pipefail
timeout 600 "$PROGRAMS/book-crash-trial" 25 2026
