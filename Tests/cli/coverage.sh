# Line coverage (`make coverage`): wrong options, and what its table counts, calls a fault and asks a reason for.
set -euo pipefail
source "$REPOSITORY/Tests/expect.bash"
export PYTHONDONTWRITEBYTECODE=1

expect 64 "expected nothing or --json, found '--fast'" "$REPOSITORY/Tests/coverage/run" --fast

SCRIPTS='cli fuzz' expect 64 "found SCRIPTS='cli fuzz', expected some of cli, lab and kernel" "$REPOSITORY/Tests/coverage/run"

# A repository of its own, whose reasons are known.
mkdir -p own/Tests/coverage
cp "$REPOSITORY/Tests/coverage/report.py" own/Tests/coverage
report=own/Tests/coverage/report.py
coverage() { # FILE COUNT COVERED ...: segments say that lines 10 to 19 were not run
  local files=()
  while [ $# -gt 0 ]; do
    files+=("{\"filename\": \"$PWD/own/$1\", \"summary\": {\"lines\": {\"count\": $2, \"covered\": $3}},
      \"segments\": [[1, 1, 4, true, true], [10, 1, 0, true, true], [20, 1, 4, true, true], [30, 2, 0, false, false]]}")
    shift 3
  done
  (IFS=,; echo "{\"data\": [{\"files\": [${files[*]}]}]}") >coverage.json
}
: >own/Tests/coverage/reasons.tsv

# Wrong use says what was found.
expect 64 'found 0 files' "$report" --json
expect 66 'none.json cannot be read: No such file or directory' "$report" none.json
echo '{"data": []}' >empty.json
expect 65 'found no coverage in empty.json' "$report" empty.json
coverage Sources/Base/One.swift 100 90
expect 65 'found no coverage in empty.json' "$report" coverage.json empty.json
echo 'Sources/Base/One.swift no tab' >own/Tests/coverage/reasons.tsv
expect 65 "found 'Sources/Base/One.swift no tab', expected a name, a tab and a reason" "$report" coverage.json
: >own/Tests/coverage/reasons.tsv

# Nine of ten lines are enough; programs are not counted.
coverage Sources/Base/One.swift 100 90 Sources/Programs/auricle/Main.swift 100 0
expect 0 '90.0 %' "$report" coverage.json
expect 0 '"covered": 90' "$report" coverage.json --json

# What the Swift tests ran stands beside it and judges nothing.
cp coverage.json tests.json
coverage Sources/Base/One.swift 100 95
cp coverage.json all.json
expect 0 '95.0 %        90.0 %' "$report" all.json tests.json
expect 0 '"tests": 90' "$report" all.json tests.json --json

# A file below that needs a reason, though its library is above.
coverage Sources/Base/One.swift 1000 1000 Sources/Base/Two.swift 30 20
expect 1 'Sources/Base/Two.swift: no reason in Tests/coverage/reasons.tsv' "$report" coverage.json
grep -qF 'lines 10-19' output
printf 'Sources/Base/Two.swift\ta sound card is needed: test-lab\n' >own/Tests/coverage/reasons.tsv
expect 0 '10 of 30 lines. a sound card is needed: test-lab' "$report" coverage.json

# So does one with fifty lines that were not run; and a reason that is not needed is a fault.
coverage Sources/Base/One.swift 1000 950 Sources/Base/Two.swift 30 30
expect 1 'Sources/Base/One.swift: no reason' "$report" coverage.json
grep -qF 'Sources/Base/Two.swift: a reason that is not needed' output

# A library below nine tenths is a fault whatever the reasons.
printf 'Sound/Engine\ta reason\nSources/Sound/Engine/Loop.swift\ta reason\n' >own/Tests/coverage/reasons.tsv
coverage Sources/Sound/Engine/Loop.swift 100 89
expect 1 'Sound/Engine: below 90%' "$report" coverage.json

# It needs a reason of its own beside its files', which the table shows; so does the JSON.
coverage Sources/Sound/Engine/Loop.swift 100 89 Sources/Base/One.swift 1000 1000
expect 1 '89.0 %   a reason' "$report" coverage.json
expect 1 '"reason": "a reason"' "$report" coverage.json --json
sed -n '/^{/,/^}/p' output | jq -e '.libraries | ."Sound/Engine" == {lines: 100, covered: 89, reason: "a reason"} and (.Base | has("reason") | not)' >/dev/null
printf 'Sources/Sound/Engine/Loop.swift\ta reason\n' >own/Tests/coverage/reasons.tsv
expect 1 'Sound/Engine: no reason in Tests/coverage/reasons.tsv' "$report" coverage.json
grep -qF '89.0 %   NO REASON' output
printf 'Base\ta reason\nSound/Engine\ta reason\nSources/Sound/Engine/Loop.swift\ta reason\n' >own/Tests/coverage/reasons.tsv
expect 1 'Base: a reason that is not needed' "$report" coverage.json
# A reason without words is not one.
printf 'Sound/Engine\t\nSources/Sound/Engine/Loop.swift\ta reason\n' >own/Tests/coverage/reasons.tsv
expect 1 'Sound/Engine: no reason' "$report" coverage.json
