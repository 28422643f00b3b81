# An ear that hears normally and would get gain is named: before a card is signed, by check, by start and by status. So is what a
# physician should see first in an audiogram that nobody signs.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
echo 'four words are enough' >pass
sign=(--passphrase-file pass --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --yes)
expect 0 'Made the key' "$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass
words='hears normally from 500 to 4000 Hz (better than 20 dB HL) and would get up to'

# A one-sided loss: the other ear needs nothing, gets nothing, and nothing is said.
ears() { # LEVEL -> thresholds of one ear
  echo "250:$1 500:$1 1000:$1 2000:$1 4000:$1 8000:$1"
}
expect 0 'Signed prescription 1' "$auricle" rx make --left "$(ears 0)" --right "$(ears 50)" -o side.txt "${sign[@]}"
grep -q 'NAL-RP-compressive, version 3' output || complain 'expected the usual rule in its newest version'
absent 'hears normally'
expect 0 '"compression_ratio":2' "$auricle" rx make --left "$(ears 0)" --right "$(ears 50)" --json -o told.txt "${sign[@]}"
absent 'hears normally'

# Gain that the rule gives at 15 dB HL, by hand 0.05·45 + 0.31·15 + 1 = 7.9 dB at 1 kHz; that a tuning gives; that a table gives.
expect 0 "Caution: The left ear $words 7.9 dB of gain at 1000 Hz, which it does not need." \
  "$auricle" rx make --left "$(ears 15)" --right "$(ears 50)" -o rule.txt "${sign[@]}"
expect 0 "Caution: The right ear $words 3 dB of gain at" \
  "$auricle" rx make --left "$(ears 50)" --right "$(ears 0)" --rule half-gain --tune right:2000:+3 -o tuned.txt "${sign[@]}"
printf 'ear,frequency,gain50,gain65,gain80,maximum-output\nboth,1000,12,9,6,100\n' >targets.csv
expect 0 "Caution: The left ear $words 12 dB of gain at" "$auricle" rx make --left "$(ears 0)" --right "$(ears 50)" \
  --targets targets.csv --source made-up -o table.txt "${sign[@]}"

# Of an audiogram by itself, and of a configuration that names it.
audiogram() { # LEVEL -> a file with this level in the left ear, N4 in the other
  jq --argjson level "$1" '.left.air |= map_values($level)' "$REPOSITORY/Prescriptions/N4.json"
}
for level in 0 20 15; do
  audiogram $level >"$home/ear.json"
  printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n[hearing]\naudiogram = "%s"\n' "$home/ear.json" >"$configuration"
  for file in "$configuration" "$home/ear.json"; do
    # 0.05·45 + 0.31·15 + 1 = 7.9 dB; 20 dB HL is a mild loss.
    expect 0 'good' "$auricle" check "$file"
    if [ $level = 15 ]; then
      grep -qF "Caution: The left ear $words 7.9 dB of gain at 1000 Hz" output || complain "expected a caution for $file"
    else
      absent 'hears normally'
    fi
    "$auricle" check --json "$file" >checked.json
    jq -e --argjson count $((level == 15)) '.cautions | map(select(contains("hears normally"))) | length == $count' checked.json >/dev/null || complain "expected the cautions of $file"
  done
done

# By start and by status, without a threshold; not in the log.
daemon
until_true state_is waiting-for-device
expect 75 'Caution: the left ear hears normally by its audiogram and gets gain, which it does not need.' "$auricle" start
expect 0 'gain that an ear which hears normally does not need (left ear)' "$auricle" status
"$auricle" status --json | jq -e '.fitting.needless_gain_ears == ["left"]' >/dev/null || complain 'expected the left ear'
audiogram 0 >"$home/ear.json"
expect 0 'In force now' "$auricle" reload
expect 75 'Waiting' "$auricle" start
absent 'hears normally'
"$auricle" status --json | jq -e '.fitting | has("needless_gain_ears") | not' >/dev/null || complain 'expected no ear'

# What a physician should see first: told by check and listen, counted by start, status and doctor. The audiogram is that of
# docs/audiograms.md: ears that differ, thresholds that the other ear may have given, no response at 4 kHz.
sed -n '/^    {$/,/^    }$/p' "$REPOSITORY/docs/audiograms.md" >"$home/ear.json"
for file in "$configuration" "$home/ear.json"; do
  expect 0 'Caution: The ears differ by 15 dB or more at 2000 and 4000 Hz.' "$auricle" check "$file"
  grep -q '^Caution: The right ear did not respond at 4000 Hz' output || complain 'expected the tone without response'
  "$auricle" check --json "$file" >checked.json
  jq -e '(.cautions | length >= 4) and (.notes | type == "array")' checked.json >/dev/null || complain 'expected the cautions'
done
count=$(jq '.cautions | length' checked.json)
expect 0 'In force now' "$auricle" reload
expect 75 "Caution: auricle check has $count cautions about the audiogram. Let a physician or an audiologist look at it." \
  "$auricle" start
expect 0 "$count cautions about the audiogram" "$auricle" status
"$auricle" status --json | jq -e --argjson count "$count" '.fitting.audiogram_cautions == $count' >/dev/null ||
  complain 'expected the number'
"$auricle" doctor --json >doctor.json || true
jq -e --arg words "$count cautions about the audiogram" \
  '.findings[] | select(.subject == "prescription") | .verdict == "warning" and (.found | endswith($words))' doctor.json \
  >/dev/null || complain 'expected the number from the doctor'
expect 0 'Caution: The ears differ by 15 dB or more at 2000 and 4000 Hz.' \
  "$auricle" listen /usr/share/sounds/alsa/Front_Center.wav aided.wav --audiogram "$home/ear.json"
"$auricle" listen /usr/share/sounds/alsa/Front_Center.wav aided.wav --audiogram "$home/ear.json" --overwrite --json |
  jq -e '.cautions | length >= 4' >/dev/null || complain 'expected the cautions of listen'
daemon_end
if grep -qi 'normally\|needless' daemon.log; then complain 'expected no such words'; fi
