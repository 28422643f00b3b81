# Fuzzing (`make fuzz`): wrong options, a missing program, and how the table counts edges and findings.
set -euo pipefail
source "$REPOSITORY/Tests/expect.bash"
fuzz=$REPOSITORY/Tests/fuzz
export PYTHONDONTWRITEBYTECODE=1

export FUZZ_FOLDER=$PWD/build
expect 64 "found '--fast', expected --json, --kept or --no-build" "$fuzz/run" --fast
expect 64 'found FUZZ_TIME=0, expected whole seconds, 1 or more' env FUZZ_TIME=0 "$fuzz/run" --no-build
expect 64 'found FUZZ_TIME=1h, expected whole seconds' env FUZZ_TIME=1h "$fuzz/run" --no-build
expect 64 'found ONLY=sounds, expected some of: card pictures' env ONLY=sounds "$fuzz/run" --no-build
expect 69 'leave out --no-build' "$fuzz/run" --no-build

# Two functions of the target's own sources, one of others', one that the compiler made.
mkdir logs
cat >logs/card.coverage <<LOG
COVERAGE:
COVERED_FUNC: hits: 4 edges: 4/5 \$s3read $REPOSITORY/Sources/Aid/Prescriptions/Card/Card.swift:12
  UNCOVERED_PC: $REPOSITORY/Sources/Aid/Prescriptions/Card/Card.swift:14
UNCOVERED_FUNC: hits: 0 edges: 0/3 \$s3other $REPOSITORY/Sources/Base/JSON/JSONReader.swift:5
COVERED_FUNC: hits: 4 edges: 2/2 \$s3sound $REPOSITORY/Sources/Sound/Engine/Loop.swift:5
COVERED_FUNC: hits: 4 edges: 2/4 \$s4made /<compiler-generated>:0
LOG
printf '%s\n' 'Done 1234 runs in 61 second(s)' 'stat::number_of_executed_units: 1234' >logs/card.search
expect 0 '4/8   50.0 %  none' "$fuzz/report.py" logs card
grep -qE '^card +61 +1234 ' output
expect 0 '"edges": 4,' "$fuzz/report.py" logs card --json

# A finding fails, with what ended the program; so does a target without a log.
echo 'Fatal error: a card that was changed' >>logs/card.search
echo 'crash-1' >logs/card.found
expect 1 'crash-1' "$fuzz/report.py" logs card
grep -qF 'a card that was changed' output
expect 70 'control did not run' "$fuzz/report.py" logs control
