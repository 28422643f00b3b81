# What checks the project's English finds words of its list in comments, messages and pages, and passes over code.
set -euo pipefail
words() { "$REPOSITORY/.ci/words" check "$PWD/text" 2>&1; }
good() { words >found || { cat found >&2; echo 'expected no fault' >&2; exit 1; }; }
fault() { # TEXT
  if words >found; then echo "expected a fault: $1" >&2; exit 1; fi
  grep -qF -- "$1" found || { cat found >&2; echo "expected: $1" >&2; exit 1; }
  [ "$(wc -l <found)" -eq 1 ] || { cat found >&2; echo 'expected one fault' >&2; exit 1; }
  rm text/*
}
mkdir text

cat >text/Good.swift <<'SWIFT'
/// Level of a band, dB SPL. The wearer of `desk` hears it, and nobody else.
///
/// - Returns: The level of earpieces worn in a quiet room.
func level(of desk: Int) -> String { if desk > 0 { "one of \(desk) at \(door("a pilot"))" } else { "none" } }
SWIFT
good

printf '/// What a band is at.\nlet level = 1\n' >text/Doc.swift
fault 'text/Doc.swift:1: a doc comment opens with What'
printf '/// Level.\n/// - Returns: Whether it is high.\nlet level = 1\n' >text/Doc.swift
fault 'a doc comment opens with Whether'
printf '/// Level.\n// The limiter would else let it pass.\nlet level = 1\n' >text/Comment.swift
fault "text/Comment.swift:2: 'else' is not used: otherwise"
printf 'let message = "the daemon lends its devices"\n' >text/Message.swift
fault "'lends' is not used"
printf 'let message = """\n  Sound that is \\\n  in hand\n  """\n' >text/Message.swift
fault "'in hand' is not used"
printf '/* The kin of it. */\nint level;\n' >text/Code.c
fault "'kin' is not used"
printf 'The house of sound.\n' >text/page.md
fault "'house' is not used: package, module, layer"
printf '.Nm\nwears the prescription.\n' >text/page.1
fault "text/page.1:2: 'wears' is not used"

# A seed draws the same texts again, and what stands in their place is found.
draw() { "$REPOSITORY/.ci/words" draw some-seed 5 "$@" Sources/Base; }
draw >first
draw >again
cmp first again
draw --from HEAD >drawn
[ "$(grep -c '→ ' drawn)" -eq 10 ] || { cat drawn >&2; echo 'expected ten texts of today' >&2; exit 1; }
