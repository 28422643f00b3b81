# System calls that fail: a sample of `make faults`, by another seed every day; and those that once were taken for an answer, such as a file
# that could not be read for one that is not there, which then was written anew.
set -euo pipefail
# A busy machine tries fewer: none is begun after the seconds that each run has.
seed=$(date +%j)
echo "seed $seed"
faults() { # OPTION...
  if ! timeout 400 "$REPOSITORY/Tests/faults/run" --seed "$seed" "$@" >output 2>&1; then
    cat output >&2
    exit 1
  fi
  tail -n 1 output
  grep -qE '^all |^not tried: ' output
}
# The length of the book, a clinic's list and key, the words of the command line.
faults --path list prescribe config-set --target book.head issued.jsonl key.jwe /proc/self/maps --sample 20 --seconds 60
faults --path daemon --sample 6 --seconds 30
