# What holds the stages of the sound path to one vocabulary finds each kind of fault that is planted in a small package.
set -euo pipefail
mkdir -p Sources/Sound/HearingDSP/Chain docs
chain=Sources/Sound/HearingDSP/Chain/Chain.swift
cat >"$chain" <<'SWIFT'
public struct HearingChain: ~Copyable {
  private var history: History
  public mutating func restart() {}
}
struct History: ~Copyable {
  private(set) var meters = 0
  mutating func reset() {}
  mutating func process(_ x: Int) {}
  private mutating func shift() {}
  func value() -> Int { 0 }
}
SWIFT
cat >docs/architecture.md <<'MARKDOWN'
## Stages

| stage | task | reset | retarget | process | meters |
|---|---|---|---|---|---|
| `History` | keeps | `reset` | | `process` | `meters` |

## Next
MARKDOWN
stages() { "$REPOSITORY/.ci/stages" . 2>&1; }
good() { stages >found || { cat found >&2; echo 'expected no fault' >&2; exit 1; }; }
fault() { # TEXT
  if stages >found; then echo "expected a fault: $1" >&2; exit 1; fi
  grep -qF -- "$1" found || { cat found >&2; echo "expected: $1" >&2; exit 1; }
  [ "$(wc -l <found)" -eq 1 ] || { cat found >&2; echo 'expected one fault' >&2; exit 1; }
}
good

printf 'struct Probe {\n  mutating func hear() {}\n}\n' >Sources/Sound/HearingDSP/Chain/Probe.swift
fault 'Probe.hear: a stage resets, retargets and processes'
rm Sources/Sound/HearingDSP/Chain/Probe.swift

sed -i 's/mutating func reset() {}/\/\/ &/' "$chain"
fault 'docs/architecture.md: History.reset is not declared'
sed -i 's/\/\/ \(mutating func reset\)/mutating func retarget(to x: Int) {}\n  \1/' "$chain"
fault 'docs/architecture.md: History.retarget is not in the table'
sed -i '/retarget/d' "$chain"
good

sed -i '/History/d' docs/architecture.md
fault 'docs/architecture.md: the stage History is not in the table'
