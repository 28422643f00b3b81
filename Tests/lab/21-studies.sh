# Studies beside the live loop: a rehearsal, and tables that are made from nothing, cost no period that the laboratory itself was not late for.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
companion=${COMPANION:-$PROGRAMS/auricle-companion}
if [ ! -x "$companion" ]; then
  echo "not tried: 21-studies, there is no $companion; make run-companion builds it"
  exit 0
fi
jack_start 44100 64
jack_fitted >"$configuration"
daemon
until_true state_is running

studies() {
  local number
  for number in 1 2 3; do
    "$companion" study begin "$REPOSITORY/Companion/Studies/mood" --database "begun$number.db"
    "$companion" study rehearse "$REPOSITORY/Companion/Studies/fifteen-days" --people 8 --seed "$number"
  done >/dev/null
}
for turn in 1 2; do jack_missed "studies, $turn" studies; done
daemon_end
