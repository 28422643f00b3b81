# The comparison with other programs (`make peers`): wrong options, missing packages, and what counts as a loss that is explained.
set -euo pipefail
source "$REPOSITORY/Tests/expect.bash"
peers=$REPOSITORY/Benchmarks/Peers/run.sh
export PYTHONDONTWRITEBYTECODE=1

expect 64 'the following arguments are required: programs' "$peers"
expect 64 'holds no program auricle' "$peers" .
expect 64 'found 0, expected 1 to 99' "$peers" "$PROGRAMS" --runs 0
expect 64 'found many, expected 1 to 99' "$peers" "$PROGRAMS" --runs many
expect 64 'unrecognized arguments: --fast' "$peers" "$PROGRAMS" --fast
if /usr/bin/python3 -c 'import numpy, matplotlib, PIL' 2>/dev/null; then
  expect 64 'found --only nothing, expected a word of one of these names: sox' "$peers" "$PROGRAMS" --only nothing
fi

# Without numpy nothing is compared, and nothing is installed.
printf '#!/bin/sh\ncase "$*" in *"import numpy"*) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v python3)" >python
chmod +x python
PEERS_PYTHON=$PWD/python expect 69 '.ci/install-dependencies peers' "$peers" "$PROGRAMS"

python3 - "$REPOSITORY/Benchmarks/Peers" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import criteria, live, lv2

def row(name, ours, per_band, beyond, compresses=True):
    return {"name": name, "ours": ours, "compresses": compresses, "per_band": per_band, "beyond": beyond,
            **{key: 1 for key in ("live_per_band", "delay", "cpu", "live_cpu", "live_memory", "rms")}}

def document(reason, step):
    return f"| measure | peer | reason | next step |\n|---|---|---|---|\n| delay beyond a bare loop | C, A | {reason} | {step} |\n"

# A peer that is cheaper wins; equal is no loss; a chain that does not compress does another task.
rows = [row("Auricle", True, 2, 1.0), row("A", False, 3, 0.5), row("B", False, 2, 1.0), row("C", False, 1, 0.1, False)]
assert criteria.lost(rows) == [("delay beyond a bare loop", "A", 1.0, 0.5)]
assert criteria.unmeasured(rows) == []
explained = lambda text: [check["explained"] for check in criteria.checks(rows, text)]
assert explained(document("because", "this")) == [True]
for text in (document("because", ""), document("", "this"), document("because", "this").replace("C, A", "B"), ""):
    assert explained(text) == [False], text
# What was not measured is not won.
rows = [row("Auricle", True, 2, None), row("A", False, 3, 0.5)]
assert criteria.lost(rows) == [] and criteria.unmeasured(rows) == ["delay beyond a bare loop"]

# Lines of live.sh: medians of the rounds in which JACK was not late; a chain that ended has nothing, a line of another form is left out.
text = "a\t4\t0.01\t20\t1\t0\na\t2\t0.03\t20\t1\t0\na\t3\t0.02\t22\t1\t0\na\t9\t9\t99\t9\t2\nbare ALSA\t2.5\t\t\t\t\nb\t\t\t\t\t\nnoise\n"
found = live.medians(text)
assert found["a"]["delay"] == 3 and found["a"]["cpu"] == 0.02 and found["a"]["delays"] == [2, 3, 4], found
assert found["b"] == {} and "noise" not in found
assert live.beyond(found, {"a": "alsa", "b": "jack"})["a"]["beyond"] == 0.5 and "beyond" not in found["b"]

# A plugin's controls are held within what it accepts.
assert [lv2.limited(value, -60, 0) for value in (-90, -30, 5, None)] == [-60, -30, 0, 0]
assert lv2.limited(5, None, None) == 5 and lv2.missing("urn:nowhere", "nothing")
PYTHON
