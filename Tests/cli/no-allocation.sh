# The compiler refuses an allocation on the audio thread, however deep below the annotated entry points it is: planted in the
# gain of a band, in the decision on wind and in the steering of two clocks. Each by itself, for of one entry point the compiler names the first alone.
set -euo pipefail

# A module is compiled as the programs' build does it, by that build's own record of its commands, up to optimised SIL: the proof is made
# there, and machine code is not needed for it.
cat >compile.py <<'PYTHON'
import json, os, re, subprocess, sys
module, source, planted = sys.argv[1:]
with open(os.path.join(os.environ["PROGRAMS"], "../../programs.yaml")) as record:
    command = next(json.loads(line.split("args:", 1)[1]) for line in record
                   if re.search(rf'args: \[.*"-module-name","{module}".*"-whole-module-optimization"', line))
listed = next(word for word in command if word.startswith("@"))
with open(listed[1:]) as file:
    sources = [planted if path.endswith(source) else path for path in file.read().replace("'", "").split()]
for option in ("-emit-module-path", "-output-file-map", "-emit-objc-header-path", "-module-cache-path", "-num-threads"):
    while option in command:
        del command[command.index(option):command.index(option) + 2]
dropped = {listed, "-emit-dependencies", "-emit-module", "-c", "-serialize-diagnostics", "-parseable-output", "-emit-objc-header"}
command = [word for word in command if word not in dropped]
sys.exit(subprocess.run(command + sources + ["-emit-sil", "-o", "module.sil"]).returncode)
PYTHON

planted() { # MODULE FILE LINE: an allocation after the first line that holds LINE is refused, and nothing else: the rest is the programs' own
  local file=$REPOSITORY/Sources/Sound/$1/$2 copy
  copy=$PWD/$(basename "$2")
  awk -v line="$3" '{ print } index($0, line) && !done { print "    precondition(![Float](repeating: 0, count: Int.random(in: 1...9)).isEmpty)"; done = 1 }' "$file" >"$copy"
  if cmp -s "$copy" "$file"; then echo "$file: expected a line with: $3" >&2; exit 1; fi
  if python3 compile.py "$1" "$2" "$copy" >output 2>&1; then echo "$file: expected the allocation to be refused" >&2; exit 1; fi
  grep -qE "^$copy:.* error: .*(allocat|lock|unpredictable performance)" output || { tail -n 20 output >&2; exit 1; }
  if grep -E '^[^ ]*: error: ' output | grep -vF "$copy:"; then echo "$file: expected no other error" >&2; exit 1; fi
}
planted HearingDSP Gain/EarGain.swift 'let limited = wanted < allowed'
planted HearingDSP Noise/WindDetector.swift 'private mutating func judge(offset: Float) {'
planted AudioIO Clocks/DelayLockedLoop.swift 'private mutating func schedule() {'
