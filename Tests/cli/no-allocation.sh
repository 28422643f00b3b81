# The compiler refuses an allocation on the audio thread, however deep below the annotated entry points it is: planted in the
# gain of a band, in the filterbank's window and in the capture of a sound card, each by itself.
set -euo pipefail
cp -r "$REPOSITORY/Package.swift" "$REPOSITORY/Sources" "$REPOSITORY/Tests" .
mkdir -p Benchmarks
build() { AURICLE_SANITIZER=none "${SWIFT:-swift}" build --configuration release --target "$1" >output 2>&1; }
planted() { # MODULE FILE LINE: an allocation after the first line that holds LINE does not build
  local file=Sources/Sound/$1/$2
  cp "$file" kept
  awk -v line="$3" '{ print } index($0, line) && !done { print "    precondition(![Float](repeating: 0, count: Int.random(in: 1...9)).isEmpty)"; done = 1 }' kept >"$file"
  if cmp -s kept "$file"; then echo "$file: expected a line with: $3" >&2; exit 1; fi
  if build "$1"; then echo "$file: expected the allocation to be refused" >&2; exit 1; fi
  grep -qE 'error: .*(allocat|lock|unpredictable performance)' output || { tail -n 20 output >&2; exit 1; }
  cp kept "$file"
}
build HearingDSP || { tail -n 20 output >&2; exit 1; }
planted HearingDSP Gain/EarGain.swift 'let limited = wanted < allowed'
planted HearingDSP Noise/WindDetector.swift 'private mutating func judge(offset: Float) {'
planted AudioIO Clocks/DelayLockedLoop.swift 'private mutating func schedule() {'
