# The whole way of a prescription, as audiologist and patient go it: key, card, trust, scan, try, keep, go back.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
echo 'four words are enough' >pass
sign=(--passphrase-file pass --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --yes)

# The audiologist's key, and its public card.
expect 66 'Make one with: auricle clinic init' "$auricle" clinic card clinic.png
expect 0 'Made the key of City Hearing Clinic' "$auricle" clinic init --name 'City Hearing Clinic' \
  --telephone '+44 20 7946 0018' --url https://hearing.example --passphrase-file pass
expect 73 "A clinic's key is here already" "$auricle" clinic init --name Other --passphrase-file pass
[ "$(stat -c %a "$XDG_DATA_HOME/auricle/clinic/key.jwe")" = 600 ]
[ "$(stat -c %a "$XDG_DATA_HOME/auricle/clinic")" = 700 ]
expect 0 'Wrote clinic.pdf' "$auricle" clinic card clinic.pdf
expect 0 'Wrote clinic.png' "$auricle" clinic card clinic.png
expect 0 'Telephone    +44 20 7946 0018' "$auricle" rx show clinic.png
# The key for other readers of health cards: its kid is the thumbprint that cards name (RFC 7638).
expect 0 'Wrote jwks.json' "$auricle" clinic card jwks.json
jq -e '.keys | length == 1 and .[0].use == "sig" and .[0].alg == "ES256" and (.[0].kid | length == 43)' jwks.json >/dev/null
fingerprint=$("$auricle" rx show clinic.png --json | jq -r .fingerprint)

# A file that exists is another patient's until somebody says otherwise.
for again in clinic.pdf clinic.png jwks.json; do
  expect 73 'give --overwrite to replace it' "$auricle" clinic card "$again"
done
expect 0 'Wrote clinic.pdf' "$auricle" clinic card clinic.pdf --overwrite

# Without its key the card of a clinic is handed to nobody.
mv "$XDG_DATA_HOME/auricle/clinic/key.jwe" aside
expect 66 "expected the clinic's key, without which its card is of no use. Put it back from a copy" "$auricle" clinic card keyless.pdf
[ ! -e keyless.pdf ]
# Nor is a prescription asked about that nobody can sign.
expect 66 "expected the clinic's key, without which its card is of no use. Put it back from a copy" "$auricle" rx make --audiogram N3 \
  -o keyless.txt --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear'
! grep -q 'gain at 65 dB SPL' output || complain 'a prescription was shown that nobody can sign'
mv aside "$XDG_DATA_HOME/auricle/clinic/key.jwe"

# A prescription: looked at, signed, on a card and on a page.
expect 0 'Signed prescription 1' "$auricle" rx make --audiogram N3 --rule CAMEQ -o quiet.png --sheet quiet.pdf "${sign[@]}"
grep -q 'gain at 65 dB SPL' output
# Before the ears' numbers the audiogram, as letters; behind them the speech that is heard, N3's 0.31 at 65 dB SPL unaided.
grep -q '^ 120 ' output && grep -q '^Right ear: O air$' output || complain 'expected the audiogram'
grep -qE 'right ear, without an aid +0\.08 +0\.31 +0\.61$' output || complain 'expected the audible speech'
expect 0 'adjust volume −20 to 0 dB' "$auricle" rx make --audiogram N3 -o usual.txt "${sign[@]}"
expect 0 'adjust nothing' "$auricle" rx make --audiogram N3 --volume 0..0 -o fixed.txt "${sign[@]}"
cp quiet.png kept.png
expect 73 'quiet.png: This file exists already' "$auricle" rx make --audiogram N4 -o quiet.png "${sign[@]}"
expect 73 'quiet.pdf: This file exists already' "$auricle" rx make --audiogram N4 -o other.png --sheet quiet.pdf "${sign[@]}"
cmp quiet.png kept.png
[ ! -e other.png ]
expect 0 'Signed prescription 4' "$auricle" rx make --audiogram N4 -o usual.txt --overwrite "${sign[@]}"
pdftotext -raw quiet.pdf - | tr '\n' ' ' | grep -q 'Telephone +44 20 7946 0018' || complain "expected the clinic's telephone"
# No run that failed took a serial, and every card that was signed is listed.
mkdir folder.txt
expect 73 '' "$auricle" rx make --audiogram N3 -o folder.txt "${sign[@]}"
expect 0 'usual.txt' "$auricle" clinic list
"$auricle" clinic list --json | jq -e '[.issued[].serial] == [1, 2, 3, 4] and .issued[0].file == "quiet.png"
  and .issued[0].person == "Ada Example, born 1950-02-03"' >/dev/null || complain 'expected the list'
[ "$(stat -c %a "$XDG_DATA_HOME/auricle/clinic/issued.jsonl")" = 600 ]
# A lost key is not replaced where cards were signed: its card, serials and list stay.
cp -r "$XDG_DATA_HOME/auricle/clinic" before
mv "$XDG_DATA_HOME/auricle/clinic/key.jwe" aside
expect 73 'Cards were signed here, with a key that is missing. Put key.jwe back' "$auricle" clinic init --name Other --passphrase-file pass
expect 66 'make a new key in another folder: auricle clinic init --clinic FOLDER' "$auricle" rx make --audiogram N3 -o x.png "${sign[@]}"
expect 66 'make a new key in another folder' "$auricle" clinic pass bind -o x.txt "${sign[@]:0:8}"
mv aside "$XDG_DATA_HOME/auricle/clinic/key.jwe"
diff -r before "$XDG_DATA_HOME/auricle/clinic"
# A card of another key than the one that signs: nobody who trusts it would take what is signed.
expect 0 'Made the key' "$auricle" clinic init --name 'City Hearing Clinic' --clinic mixed --passphrase-file pass
cp before/clinic.txt mixed/clinic.txt
expect 65 'mixed/clinic.txt: found the card of key ' "$auricle" rx make --audiogram N3 -o x.png --clinic mixed "${sign[@]}"
[ ! -e x.png ]
# An older copy of the serial beside a newer list: nothing is given twice.
echo 3 >before/serial
expect 0 'Signed prescription 5' "$auricle" rx make --audiogram N3 -o restored.png --clinic before "${sign[@]}"
grep -q 'before/serial says 3, and before/issued.jsonl has serial 4: the next one is 5' output || complain 'expected the caution on serials'
[ "$(stat -c %a quiet.png)" = 600 ]
[ "$(stat -c %a quiet.pdf)" = 600 ]
expect 0 '"serial":5' "$auricle" rx make --audiogram N4 --environment music -o music.png --json "${sign[@]}"
expect 0 'Signed prescription 6' "$auricle" rx make \
  --left '250:20 500:25 1000:30 2000:45 4000:60 b1000:15' --right '250:25 500:30 1000:>110 2000:50m 4000:70' \
  --adaptation 80 --tune right:2000:+3 --volume -10..5 -o second.txt "${sign[@]}"
grep -q 'Caution' output || complain 'expected the asymmetry to be told'
# Targets in the wrong order, for one frequency alone, beyond the loss; a child; a picture before anybody is asked.
printf 'ear,frequency,gain50,gain65,gain80,maximum-output\nboth,4000,10,30,70,111\n' >targets.csv
expect 64 'would get more gain the louder speech is at 4000 Hz, by up to 60 dB' \
  "$auricle" rx make --audiogram N3 --targets targets.csv --source made-up --picture asked.png -o x.png "${sign[@]:0:10}"
grep -q 'has targets at 4000 Hz alone' output || complain 'expected the few targets'
grep -q 'would get more gain than it has lost at 4000 Hz, up to 70 dB for 60 dB HL' output || complain 'expected the excess'
[ "$(stat -c %a asked.png)" = 600 ]
[ ! -e x.png ]
expect 64 'Caution: The patient is a child of' "$auricle" rx make --audiogram N3 -o x.png "${sign[@]:0:6}" \
  --born "$(date -d '3 years ago' +%F)" "${sign[@]:8:2}"
expect 0 'Signed prescription 7' "$auricle" rx make --audiogram N7 --lowering both:2000:2 \
  --tinnitus-sound left:notched:6000:0.5:45 -o sounds.png --sheet sounds.pdf "${sign[@]}"
grep -q 'Frequency lowering, right ear: from 2000 Hz up, 2:1' output
grep -q 'Tinnitus sound, left ear: noise of 45 dB SPL, all but 0.5 octaves around 6000 Hz' output
expect 1 'Tinnitus sound, left ear: noise of 45 dB SPL' "$auricle" rx show sounds.pdf
expect 1 '"cutoff_hz":2000' "$auricle" rx show sounds.png --json

# An ear that was not tested, and frequencies that a fitting rests on, are told before anything is signed.
expect 64 'Caution: The left ear has no air-conduction thresholds and gets no gain.' "$auricle" rx make --left '' --right '500:20 1000:30 2000:40 4000:50' \
  -o x.png "${sign[@]:0:10}"
expect 64 'Caution: The right ear was not tested at 4000 Hz.' "$auricle" rx make --left '500:20 1000:30 2000:40 4000:50' --right '500:20 1000:30 2000:40' \
  -o x.png "${sign[@]:0:10}"
[ ! -e x.png ]

expect 64 'Caution: The greatest output, 65 dB SPL, is little above the voice of somebody' "$auricle" rx make --audiogram N3 --ceiling 65 \
  -o x.png "${sign[@]:0:10}"
expect 64 'Fine tuning, right ear, 2000 Hz and all others: +3, +3, +3 dB' "$auricle" rx make --audiogram N3 --tune right:2000:+3 \
  -o x.png "${sign[@]:0:10}"

# What cannot be signed, and what nobody has agreed to.
expect 65 'found no air-conduction threshold of either ear' "$auricle" rx make --left '' --right '' --targets targets.csv --source made-up \
  -o x.png "${sign[@]}"
expect 65 'expected frequency:threshold' "$auricle" rx make --left 250 --right 250:20 -o x.png "${sign[@]}"
expect 65 'do not reach from 500 to 2000 Hz' "$auricle" rx make --left 250:20 --right 250:20 -o x.png "${sign[@]}"
expect 64 'expected 1500 to 6000 Hz' "$auricle" rx make --audiogram N3 --lowering left:100:2 -o x.png "${sign[@]}"
expect 64 'as left:notched:6000:0.5:45' "$auricle" rx make --audiogram N3 --tinnitus-sound left:pink:45 -o x.png "${sign[@]}"
expect 64 'expected 10 to 72 dB SPL' "$auricle" rx make --audiogram N3 --tinnitus-sound left:broadband:73 -o x.png "${sign[@]}"
expect 64 'expected at most the output ceiling, 60 dB SPL' "$auricle" rx make --audiogram N3 --ceiling 60 \
  --tinnitus-sound both:broadband:61 -o x.png "${sign[@]}"
expect 64 'expected 60 to 120 dB SPL' "$auricle" rx make --audiogram N3 --ceiling 121 -o x.png "${sign[@]}"
expect 64 '--tune: found' "$auricle" rx make --audiogram N3 --tune right:2000:16 -o x.png "${sign[@]}"
expect 64 'expected a range around 0 within -20 to 10 dB' "$auricle" rx make --audiogram N3 --volume -10..50 -o x.png "${sign[@]}"
expect 64 '.png, .svg, .pdf nor .txt' "$auricle" rx make --audiogram N3 -o x.gif "${sign[@]}"
expect 64 'Did you mean CAMEQ' "$auricle" rx make --audiogram N3 --rule CAMEK -o x.png "${sign[@]}"
echo 'another four words here' >other
expect 77 'the passphrase does not open' "$auricle" rx make --audiogram N3 -o x.png "${sign[@]:2}" --passphrase-file other
expect 64 'There is no terminal to ask on' "$auricle" rx make --audiogram N3 -o x.png "${sign[@]:0:10}"
expect 64 'take the place of a rule' "$auricle" rx make --audiogram N3 --targets nl2.csv --source NAL-NL2 --rule CAMEQ -o x.png "${sign[@]}"
expect 64 'take the place of a rule' "$auricle" rx make --audiogram N3 --targets nl2.csv --source NAL-NL2 --ratio 2 -o x.png "${sign[@]}"
expect 64 'there are none' "$auricle" rx make --audiogram N3 --source NAL-NL2 -o x.png "${sign[@]}"
expect 64 '--adaptation: found 10 %, expected 50 to 100 %' "$auricle" rx make --audiogram N3 --adaptation 10 -o x.png "${sign[@]}"
expect 64 '--patient-reference alone' "$auricle" rx make --audiogram N3 --patient-reference P-17 -o x.png "${sign[@]}"
expect 64 '--given, --family and --born' "$auricle" rx make --audiogram N3 --given Ada --prescriber 'Dr. B. Ear' -o x.png --yes
# Another person's audiogram.
"$auricle" rx export --fhir quiet.png | sed 's/"Ada"/"Bo"/' >bo.json
expect 65 'This is the audiogram of Bo Example, born 1950-02-03, and the prescription is for Ada Example, born 1950-02-03' \
  "$auricle" rx make --audiogram bo.json -o x.png "${sign[@]}"
[ ! -e x.png ]
expect 0 'Signed' "$auricle" rx make --audiogram bo.json --accept-other-name -o accepted.txt "${sign[@]}"
# One ear alone, by a rule and by a table with decimal commas; a reference instead of a name; letters that are not printed.
expect 0 'no air-conduction thresholds and gets no gain' "$auricle" rx make --left '500:40 1000:45 2000:60' --right '' -o one.txt "${sign[@]}"
printf 'ear;frequency;gain50;gain65;gain80;maximum-output\nleft;1000;20;15;7,5;105\n' >nl2.csv
expect 0 'has thresholds but no targets' "$auricle" rx make --audiogram N3 --targets nl2.csv --source NAL-NL2 -o table.txt "${sign[@]}"
grep -q '7.5' output
expect 0 'may be mistyped' "$auricle" rx make --left '505:40 1000:45 2000:60 500:40' --right '' -o typo.txt "${sign[@]}"
expect 0 'Reference P-17' "$auricle" rx make --audiogram N3 --patient-reference P-17 --prescriber 'Dr. B. Ear' --yes \
  --passphrase-file pass -o reference.txt --sheet reference.pdf
absent born
expect 0 'the typeface of the pages has no 李' "$auricle" rx make --audiogram N3 -o li.txt --sheet li.pdf "${sign[@]}" --family 李
expect 0 'so that ל ו י cannot be read; write the name by hand on the pages' \
  "$auricle" rx make --audiogram N3 -o levi.txt --sheet levi.pdf "${sign[@]}" --family לוי
expect 0 'the typeface of the picture has no 李; a box is printed instead. The card holds the whole name' \
  "$auricle" rx make --audiogram N3 -o drawn.txt --picture drawn.png "${sign[@]}" --family 李
absent 'typeface of the pages'
# A row that a slip has put beyond the usual frequencies, and its greatest output, are seen before they are signed.
printf 'ear,frequency,gain50,gain65,gain80,maximum-output\nboth,500,12,9,5,\nboth,4000,20,15,9,\nboth,10000,70,70,70,118\n' >slip.csv
expect 0 'would get gain at 10000 Hz, up to 70 dB, more than half an octave beyond its thresholds, where its loss is not known' \
  "$auricle" rx make --audiogram N3 --targets slip.csv --source NAL-NL2 --ceiling 120 -o slip.txt --sheet slip.pdf "${sign[@]}"
grep -Eq '^ +Hz +10000$' output || complain 'expected the row of the table'
grep -Eq '^ +at most, dB SPL +118$' output || complain 'expected its greatest output'
pdftotext -raw slip.pdf - | tr '\n' ' ' | grep -q '10000 70.0 70.0 70.0 118 70.0 70.0 70.0 118' || complain 'expected the row on the page'

# A card is refused from the end of its clinic's key on, whatever it states: said before it is signed, and printed.
last=$(date -d '20 days' +%F)
ending=("${sign[@]}" --audiogram N3 --clinic ending)
binding=(clinic pass bind --given Eve --family Example --born 1950-02-03 --clinic ending --passphrase-file pass)
expect 0 'Made the key' "$auricle" clinic init --name 'Ending Clinic' --valid-until "$last" --clinic ending --passphrase-file pass
expect 0 "Devices refuse this card from $last 23:59:59" "$auricle" rx make -o ending.txt --sheet ending.pdf "${ending[@]}"
pdftotext -raw ending.pdf - | tr '\n' ' ' | grep -q "EXPIRES $last" || complain 'expected the end of the key on the page'
expect 0 'Signed' "$auricle" rx make -o early.txt --expires "$(date -d '10 days' +%F)" "${ending[@]}"
absent 'Devices refuse'
expect 0 'Devices refuse this card from' "$auricle" "${binding[@]}" --within 30d -o ending-pass.txt
# A drawing is not read again, so no command names it.
expect 0 'An .svg file is not read; load a photograph of it with: auricle rx scan' "$auricle" "${binding[@]}" -o ending-pass.svg
absent 'Devices refuse'
absent 'rx scan ending-pass.svg'

# The byte order mark of an editor is no part of a passphrase; a passphrase is counted in characters, here 6 of 12 bytes.
printf '\xef\xbb\xbffour words are enough\r\n' >marked
expect 0 'Made the key' "$auricle" clinic init --name 'Marked Clinic' --clinic marked-clinic --passphrase-file marked
for file in pass marked; do
  expect 0 'Signed a developer' "$auricle" clinic pass developer --holder Dev --for 119s -o "$file-pass.txt" --clinic marked-clinic \
    --passphrase-file "$file"
done
expect 1 'for Dev, 119 s, to be scanned until' "$auricle" rx show pass-pass.txt
printf '\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c\n' >short
expect 64 'found 6 characters, expected at least 8' "$auricle" clinic init --name 'Short Clinic' --clinic short-clinic --passphrase-file short
[ ! -e short-clinic ]

# The patient: nobody is believed unasked.
expect 0 'There is no prescription book yet' "$auricle" audit verify
expect 1 'unknown clinic' "$auricle" rx show quiet.png
grep -q 'signed with the key of City Hearing Clinic that is kept here; the hearing aid does not trust that clinic yet' output ||
  complain "expected that it is the own clinic's"
# Nor is it in pages and files that are made of such a card; the clinic itself knows its own.
mkdir stranger
expect 1 'NOT VERIFIED: card from an unknown clinic' env XDG_CONFIG_HOME="$PWD/stranger" XDG_DATA_HOME="$PWD/stranger" "$auricle" rx sheet quiet.png -o stranger.pdf
[ -s stranger.pdf ] || complain 'expected the pages'
expect 1 'NOT VERIFIED: card from an unknown clinic' env XDG_CONFIG_HOME="$PWD/stranger" XDG_DATA_HOME="$PWD/stranger" "$auricle" rx export --fhir quiet.png
(XDG_CONFIG_HOME=$PWD/stranger XDG_DATA_HOME=$PWD/stranger "$auricle" rx export --fhir quiet.png 2>/dev/null || true) |
  jq -e '[.entry[].resource | select(.resourceType == "DeviceRequest" or .resourceType == "Observation").status] | unique == ["unknown"]' \
    >/dev/null || complain 'expected nothing that is called active or final'
# A folder that is asked for and has no key is said, and nothing is written.
expect 66 'nowhere/clinic.txt: found' "$auricle" rx sheet quiet.png --clinic nowhere -o nowhere.pdf
test ! -e nowhere.pdf
expect 66 'nowhere/clinic.txt: found' "$auricle" rx export --fhir quiet.png --clinic nowhere
expect 0 '' "$auricle" rx export --fhir quiet.png
absent 'NOT VERIFIED'
expect 65 'auricle trust add' "$auricle" rx scan --yes quiet.png
expect 64 'There is no terminal to ask on' "$auricle" trust add clinic.png
expect 77 'Do not trust it' "$auricle" trust add clinic.png --fingerprint '0000 1111'
expect 0 'City Hearing Clinic is trusted: its cards are accepted from now on' "$auricle" trust add clinic.pdf --fingerprint "$fingerprint"
expect 0 'City Hearing Clinic' "$auricle" trust list
expect 0 'Verified' "$auricle" rx show quiet.pdf
expect 0 'Verified' "$auricle" rx show - <quiet.png
# What a command advises can be typed: the place of a card, as an argument.
expect 0 'with: auricle trust add -' "$auricle" rx show - <clinic.png
absent 'standard input'
pdfunite clinic.pdf quiet.pdf two.pdf
expect 64 'Choose one with --code 1 to 2; look at them with: auricle rx show two.pdf' "$auricle" rx scan --yes two.pdf
expect 0 'with: auricle trust add two.pdf --code 1' "$auricle" rx show two.pdf
for code in 0 3 -9223372036854775808; do
  expect 64 "none of number $code, expected --code 1 to 2" "$auricle" rx sheet two.pdf --code="$code" -o none.pdf
done
# An accent behind a mark of the card's own form is the clinic's word all the same.
for word in $'\xcc\x81work' $'a;\xcc\x81b'; do
  expect 0 'Signed' "$auricle" rx make --audiogram N3 --environment "$word" -o accent.txt --overwrite "${sign[@]}"
  expect 0 'Verified' "$auricle" rx show accent.txt
done
expect 0 '"verified":true' "$auricle" rx show quiet.png --json --picture shown.png
"$auricle" rx show quiet.png --json | jq -e '.prescription.audibility
  | [.left, .right][] | (.unaided_65_sii - 0.307 | fabs < 0.01) and .aided_65_sii > .unaided_65_sii' >/dev/null ||
  complain 'expected the audible speech'
file shown.png 2>/dev/null | grep -q PNG || head -c 4 shown.png | grep -q PNG

# Scanned, listed, changed, tried, kept; no daemon runs.
# Whose card it is stands before every question; without a person to ask, or a yes, nothing changes.
expect 64 'There is no terminal to ask on' "$auricle" rx scan quiet.pdf
grep -q '^For          Ada Example, born 1950-02-03$' output
grep -q '^Hearing aid  of nobody yet$' output
grep -q 'then give --yes' output
"$auricle" rx list --json | jq -e '.bound == false and .prescriptions == []' >/dev/null
expect 0 'In force from now: number 1, for quiet, from City Hearing Clinic (serial 1)' "$auricle" rx scan --yes quiet.pdf
grep -q 'of it are not heard until microphone and earphones are calibrated: auricle calibrate' output ||
  complain 'expected how much of the gain is not heard'
expect 65 'Already in the book as prescription 1, and in force' "$auricle" rx scan --yes quiet.png
"$auricle" rx export --fhir | jq -e '.resourceType == "Bundle"' >/dev/null
expect 0 'exported' "$auricle" audit show --last 1
expect 64 'exclude each other' "$auricle" rx export quiet.png --number 1
expect 73 'shown.png: This file exists already' "$auricle" rx show --picture shown.png
expect 0 'number 2' "$auricle" rx scan --yes second.txt
grep -q 'No daemon runs; the change is heard after: ' output || complain 'expected when the change is heard'
expect 0 'On trial until' "$auricle" rx try 1 --for 20m
grep -qF '(serial 1). Then the former one returns by itself. Keep it with: auricle rx accept' output || complain 'expected how the trial ends'
expect 0 'Kept: number 1' "$auricle" rx accept
# The same prescription is in force as before, so no change waits to be heard.
absent 'No daemon runs'
expect 0 'In force again: number 2' "$auricle" rx revert
expect 64 '' "$auricle" rx accept
expect 0 'in force' "$auricle" rx list
"$auricle" rx list --json | jq -e '.in_force.number == 2 and (.prescriptions | length) == 2' >/dev/null
[ "$(stat -c %a "$STATE_DIRECTORY/book")" = 700 ]

# A word that is a known one but for its form would be an environment of its own.
for word in Quiet 'Conversation in noise' MUSIC; do
  expect 64 'Did you mean' "$auricle" rx make --audiogram N3 --environment "$word" -o form.txt "${sign[@]}"
done
[ ! -e form.txt ]

# A card that replaces one for another environment: said where it is signed, before it is loaded, in the list and where the former is chosen.
elsewhere=(env STATE_DIRECTORY="$PWD/replaced")
"$auricle" rx make --audiogram N4 -o loud.txt "${sign[@]}" >/dev/null 2>&1
loud=$("$auricle" rx show loud.txt --json | jq .prescription.serial)
expect 0 "Caution: Prescription $loud, which this one is to replace, is for quiet, and this one for music" \
  "$auricle" rx make --audiogram N2 --environment music --supersedes "$loud" -o soft.txt "${sign[@]}"
soft=$("$auricle" rx show soft.txt --json | jq .prescription.serial)
expect 0 'was signed for another person' "$auricle" rx make --audiogram N2 --supersedes "$loud" -o foreign.txt "${sign[@]}" --given Eve
expect 0 'is trusted' "${elsewhere[@]}" "$auricle" trust add clinic.pdf --fingerprint "$fingerprint"
expect 0 'number 1' "${elsewhere[@]}" "$auricle" rx scan --yes loud.txt
expect 0 'The clinic replaces number 1, for quiet, by it.' "${elsewhere[@]}" "$auricle" rx scan --yes soft.txt
expect 0 "current, replaced by serial $soft" "${elsewhere[@]}" "$auricle" rx list
expect 0 "Its clinic replaces it by serial $soft, for music" "${elsewhere[@]}" "$auricle" rx use quiet
expect 0 "in force, replaced by serial $soft" "${elsewhere[@]}" "$auricle" rx list

# Another person's card is refused until an audiologist binds the device anew.
"$auricle" rx make --audiogram N2 -o eve.txt "${sign[@]}" --given Eve >/dev/null 2>&1
expect 77 'another' "$auricle" rx scan --yes eve.txt
# A name with what cannot be seen is refused before a passphrase is asked for: Braille's empty cell, and a filler of Hangul.
expect 65 'cannot be seen (U+2800)' "$auricle" clinic pass developer --holder $'Dev\xe2\xa0\x80' -o unseen.txt
expect 65 'cannot be seen (U+2800)' "$auricle" clinic pass bind --given Eve --family $'Example\xe2\xa0\x80' --born 1950-02-03 -o unseen.txt
expect 64 'expected 60 to 28800 s' "$auricle" clinic pass developer --holder Dev --for 9h -o unseen.txt
expect 64 '--within: found 1000d, expected at most 30d' "$auricle" clinic pass bind --given Eve --family Example --born 1950-02-03 \
  --within 1000d -o unseen.txt
expect 64 'cannot be seen (U+3164)' "$auricle" clinic init --name $'Clinic\xe3\x85\xa4' --clinic unseen
[ ! -e unseen.txt ]
[ ! -e unseen ]
expect 0 'Signed a binding pass' "$auricle" clinic pass bind --given Eve --family Example --born 1950-02-03 \
  -o bind.txt --passphrase-file pass
expect 64 'There is no terminal to ask on' "$auricle" rx scan bind.txt
grep -q '^For          Eve Example, born 1950-02-03$' output
grep -q '^Hearing aid  of Ada Example, born 1950-02-03$' output
grep -q 'Nothing is amplified from then on' output
"$auricle" rx list --json | jq -e '.in_force.number == 2' >/dev/null
expect 0 'another patient' "$auricle" rx scan --yes bind.txt
expect 0 'In force from now' "$auricle" rx scan --yes eve.txt

# Everything stands in the trail, without a name; it is whole; it can be kept elsewhere and brought back.
expect 0 'refused' "$auricle" audit show
absent Eve
absent Example
expect 0 'The audit trail is whole' "$auricle" audit verify
"$auricle" audit head >head
grep -qE '^[0-9]+:[0-9a-f]{64}$' head
expect 0 'The audit trail is whole' "$auricle" audit verify --head "$(cat head)"
expect 1 'its end was cut off' "$auricle" audit verify --head "9$(cat head)"
expect 64 'expected what auricle audit head prints' "$auricle" audit verify --head 12
expect 64 'nothing to accept' "$auricle" audit accept --yes
cp -a "$STATE_DIRECTORY" headless
rm headless/book/book.head
for _ in 1 2; do STATE_DIRECTORY=$PWD/headless expect 1 'the note of its length was missing' "$auricle" audit verify; done
STATE_DIRECTORY=$PWD/headless expect 64 'then give --yes' "$auricle" audit accept
STATE_DIRECTORY=$PWD/headless expect 0 'The audit trail is taken as it is' "$auricle" audit accept --yes
STATE_DIRECTORY=$PWD/headless expect 0 'The audit trail is whole' "$auricle" audit verify
mkdir -p "$XDG_CONFIG_HOME/auricle" "$STATE_DIRECTORY"
printf '[log]\nlevel = "info"\n' >"$configuration"
printf '{"adjustments":{},"program":"music","schema":100}\n' >"$STATE_DIRECTORY/programs.json"
chmod 600 "$STATE_DIRECTORY/programs.json"
expect 0 'with programs.json and configuration, to' "$auricle" book backup kept.book --passphrase-file pass
grep -q 'read it back' output
[ "$(stat -c %a kept.book)" = 600 ]
expect 73 '' "$auricle" book backup kept.book --passphrase-file pass
mv "$STATE_DIRECTORY/book" lost
rm "$STATE_DIRECTORY/programs.json"
printf '[log]\nlevel = "debug"\n' >"$configuration"
expect 77 '' "$auricle" book restore kept.book --passphrase-file other
expect 0 'auricle.toml.before-restore-1' "$auricle" book restore kept.book --passphrase-file pass
grep -q 'Restored' output
grep -q music "$STATE_DIRECTORY/programs.json"
grep -q info "$configuration"
"$auricle" rx list --json | jq -e '.in_force.number == 3' >/dev/null
# One may be of somebody else's making: no device comes with it by whose name alsa-lib would start a program.
cat >"$configuration" <<TOML
[device]
playback = "tee:null,'|touch $home/proof',raw"
TOML
expect 0 'Caution: device.playback = "tee:null' "$auricle" check
expect 0 'with programs.json and configuration, to' "$auricle" book backup hostile.book --passphrase-file pass
printf '[log]\nlevel = "info"\n' >"$configuration"
expect 65 "found device.playback = \"tee:null,'|touch $home/proof',raw\" in its configuration" \
  "$auricle" book restore hostile.book --passphrase-file pass
grep -q info "$configuration"
[ ! -e "$home/proof" ]

# What is no card.
printf 'no picture' >junk.png
expect 65 'junk.png' "$auricle" rx scan --yes junk.png
expect 66 'no such file' "$auricle" rx scan --yes nowhere.png
expect 69 'camera' "$auricle" rx scan --yes --camera

# With a daemon: the same book, through its socket; the change is heard, and told.
nameless() { # The log of the daemon that runs; the next one's begins anew
  if sed "s|$home||g" daemon.log | grep -E 'Example|Eve|Ada'; then complain 'expected no such words'; fi
}
daemon
until_true "$auricle" status
"$auricle" status --json | jq .prescription.serial >serial
[ "$(cat serial)" = "$("$auricle" rx show eve.txt --json | jq .prescription.serial)" ]
"$auricle" status --json | jq -e '.fitting.fitted' >/dev/null
expect 77 'another' "$auricle" rx scan --yes music.png
"$auricle" audit show --json | jq -e '.lines | last | .channel == "socket" and .action == "refused"' >/dev/null
expect 75 '' "$auricle" book restore kept.book --passphrase-file pass
expect 0 'The audit trail is whole' "$auricle" audit verify
# A second daemon is told of the first one, and not that another process has the book.
expect 75 "found it already running, PID $daemon" "$auricled"
absent 'has the book open'
grep -q "This prescription is another person's" daemon.log || complain 'expected the refusal in the log'
nameless
daemon_end
# An audiogram of the configuration that is gone silences nobody who is heard by a card.
mkdir -p "$(dirname "$configuration")"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n[hearing]\naudiogram = "gone.json"\n' >"$configuration"
daemon
until_true "$auricle" status
expect 0 'The audiogram that the configuration names cannot be read, and is not needed' "$auricle" status
"$auricle" status --json | jq -e '.fitting.fitted' >/dev/null
expect 0 '' "$auricle" reload
"$auricle" doctor >doctor.txt || [ $? = 1 ]
grep -q 'the prescription book says what is heard' doctor.txt
expect 66 'gone.json: found no such file' "$auricle" check
daemon_end
# Named anew it is refused, before a start would be.
expect 66 'other.json: found no such file' "$auricle" config set hearing.audiogram=other.json
grep -q 'audiogram = "gone.json"' "$configuration"
expect 0 '' "$auricle" config unset hearing.audiogram
expect 0 'The loudest sound can be 9 dB louder than before' "$auricle" config set safety.maximum-output=120
# Keys in braces are changed as any other.
printf 'safety = { maximum-output = 105, ramp = 1 }\n' >"$configuration"
expect 0 '' "$auricle" config set safety.maximum-output=104
grep -qxF 'safety = { maximum-output = 104, ramp = 1 }' "$configuration"
expect 0 '' "$auricle" config unset safety.maximum-output
grep -qxF 'safety = { ramp = 1 }' "$configuration"
expect 0 '' "$auricle" config set safety.maximum-output=104
grep -qxF 'safety = { ramp = 1, maximum-output = 104 }' "$configuration"
rm "$configuration"

# A clinic's trial is the clinic's to make final, unless its card says otherwise.
expect 64 'There is no trial to make final' "$auricle" rx make --audiogram N4 --patient-may-accept -o x.txt "${sign[@]}"
"$auricle" rx make --audiogram N4 --trial 8h -o trial.txt "${sign[@]}" --given Eve >made 2>&1
grep -q 'on trial until .*; the clinic makes it final' made
expect 0 'The clinic makes it final with a new card' "$auricle" rx scan --yes trial.txt
expect 77 'makes it final itself, with a new card' "$auricle" rx accept
# In a book without any prescription before it, nothing comes back.
in_new_book() { STATE_DIRECTORY=$PWD/new expect 0 "$1" "$auricle" "${@:2}"; }
in_new_book 'is trusted' trust add clinic.pdf --fingerprint "$fingerprint"
in_new_book 'After that nothing is amplified, for there is no former prescription.' rx scan --yes trial.txt
# The clinic's trial is not cut short.
STATE_DIRECTORY=$PWD/new expect 64 'is on trial already, until ' "$auricle" rx try --for 20m
in_new_book 'Nothing was prescribed before it: nothing is amplified now.' rx revert
in_new_book '). Then nothing is amplified, for there is no former one.' rx try --for 20m
absent 'Keep it with'
in_new_book 'Nothing was prescribed before it: nothing is amplified now.' rx revert
"$auricle" rx make --audiogram N5 --trial 8h --patient-may-accept -o mine.txt "${sign[@]}" --given Eve >/dev/null 2>&1
expect 0 'Keep it with: auricle rx accept' "$auricle" rx scan --yes mine.txt
expect 0 'Kept: number' "$auricle" rx accept

# Another clinic of the same name: said, and told apart by its key.
expect 0 'Made the key' "$auricle" clinic init --name 'City Hearing Clinic' --clinic other-clinic --passphrase-file pass
"$auricle" clinic card other.txt --clinic other-clinic >/dev/null
other=$("$auricle" rx show other.txt --json | jq -r .fingerprint)
expect 0 'has the same name. Only the fingerprint tells them apart' "$auricle" trust add other.txt --fingerprint "$other"
"$auricle" rx make --audiogram N3 -o other-card.txt --clinic other-clinic "${sign[@]}" --given Eve >/dev/null 2>&1
expect 0 'In force from now' "$auricle" rx scan --yes other-card.txt
expect 0 "City Hearing Clinic (key ${other:0:9})" "$auricle" rx list
# Trust that was withdrawn is not given again without a word.
expect 0 'are refused from now on' "$auricle" trust revoke "$other"
expect 0 'Trust in this key was withdrawn on' "$auricle" trust add other.txt --fingerprint "$other"
expect 0 "City Hearing Clinic (key ${fingerprint:0:9})" "$auricle" rx list
# Its unused older card is not taken any more where the other clinic's is newer.
"$auricle" rx make --audiogram N3 --environment music -o first.txt --clinic other-clinic "${sign[@]}" --given Eve >/dev/null 2>&1
sleep 1.1
"$auricle" rx make --audiogram N3 --environment music -o newer.txt "${sign[@]}" --given Eve >/dev/null 2>&1
expect 0 'In force from now' "$auricle" rx scan --yes newer.txt
expect 65 'It was issued before prescription' "$auricle" rx scan --yes first.txt

nameless
