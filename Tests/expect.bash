# The check of a command's end and words, for scripts in a folder of their own.
#
#   expect STATUS TEXT COMMAND...   runs a command, which exits with STATUS and whose output, both streams, holds TEXT, also across lines; leaves it in
#                                   `output`. It is ended after three minutes, which only a hang takes, even where the machine is busy
#   complain TEXT                   fails with TEXT and `output`

complain() {
  echo "$1 and:" >&2
  cat output >&2
  exit 1
}

expect() {
  local status=$1 text=$2 found=0
  shift 2
  timeout 180 "$@" >output 2>&1 || found=$?
  [ "$found" -eq "$status" ] || complain "$*: expected exit $status, found $found"
  tr '\n' ' ' <output >flat
  grep -qF -- "$text" flat || complain "$*: expected '$text', found other words"
}
