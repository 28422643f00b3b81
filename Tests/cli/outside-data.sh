# What comes from outside while sound flows, or lies in the way of the next start: a card signed by nobody, a flipped bit in
# the book, a book that is gone, damaged plans of FFTW. The daemon refuses it, says so, and the sound goes on.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
jack_start 44100 64
book=$STATE_DIRECTORY/book
cp "$REPOSITORY/Prescriptions/N5.json" "$XDG_CONFIG_HOME/auricle/N5.json"
cat >"$configuration" <<'TOML'
[device]
capture = "lat"
playback = "lat"
[hearing]
audiogram = "N5.json"
TOML

begin() {
  daemon
  until_true state_is running
}
sounds() { # the very process that was begun
  kill -0 "$daemon" && state_is running || complain 'expected the sound to go on'
}
told() { # JQ-CONDITION
  expect 0 '' "$auricle" status --json
  jq -e "$1" output >/dev/null || complain "expected of the status: $1"
}

# A card of a key that nobody knows, with a threshold at 2^63 - 1 Hz. Its signature is noise: nobody may get that far.
cat >card.py <<'PYTHON'
import base64, json, sys, zlib
def text(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
ear = {"resourceType": "Observation", "status": "final", "bodySite": {"text": "left"},
       "code": {"coding": [{"system": "http://loinc.org", "code": "89015-2"}]},
       "component": [{"code": {"text": "left air " + sys.argv[1]}, "valueQuantity": {"value": 30, "unit": "dB"}}]}
bundle = {"resourceType": "Bundle", "type": "collection",
          "entry": [{"fullUrl": "resource:%d" % n, "resource": ear} for n in range(3)]}
content = {"iss": "urn:x", "nbf": 1700000000, "vc": {"type": ["https://smarthealth.cards#health-card"],
           "credentialSubject": {"fhirVersion": "4.0.1", "fhirBundle": bundle}}}
packer = zlib.compressobj(9, zlib.DEFLATED, -15)
packed = packer.compress(json.dumps(content, separators=(",", ":")).encode()) + packer.flush()
header = {"zip": "DEF", "alg": "ES256", "kid": text(bytes(32))}
parts = [json.dumps(header, separators=(",", ":")).encode(), packed, bytes([1]) * 64]
print(".".join(text(part) for part in parts))
PYTHON
begin
for frequency in 9223372036854775807 9223372036854775806 4294967296 16001; do
  python3 card.py "$frequency" >evil.txt
  expect 65 'unknown clinic' "$auricle" rx scan --yes evil.txt
  sounds
  expect 65 'unknown clinic' "$auricle" rx show evil.txt
  expect 65 'unknown clinic' "$auricle" rx sheet evil.txt -o evil.pdf
done
told '.fitting.fitted'
# The same in FHIR, which only commands read.
cat >evil.json <<'JSON'
{"resourceType": "Observation", "status": "final", "code": {"text": "left bone 9223372036854775807"},
 "valueQuantity": {"value": 30, "unit": "dB"}}
JSON
expect 65 'found a frequency outside 125 to 16000 Hz' "$auricle" check evil.json
sed -i 's/N5.json/'"${PWD//\//\\/}"'\/evil.json/' "$configuration"
expect 65 'found a frequency outside 125 to 16000 Hz' "$auricle" reload
sounds
# References to one Observation without end, whose address all others resemble in letters that are slow to compare: refused at once, for its reason.
python3 - >evil.json <<'PYTHON'
import json
word = "e\u0301" * 40
code = {"coding": [{"system": "http://loinc.org", "code": "89015-2"}]}
observations = [{"status": "final", "code": code, "hasMember": [{"reference": word}] * 400} for _ in range(12)]
tone = {"coding": [{"system": "http://loinc.org", "code": "89016-0"}]}
observations.append({"id": word, "status": "final", "code": tone, "valueQuantity": {"value": 30, "unit": "dB"}})
observations += [{"id": str(n) + word, "code": {}} for n in range(900)]
entries = [{"resource": {"resourceType": "Observation", **observation}} for observation in observations]
print(json.dumps({"resourceType": "Bundle", "entry": entries}, ensure_ascii=False))
PYTHON
expect 65 'found a second reference to entry[12].resource' "$auricle" check evil.json
expect 65 'found a second reference to entry[12].resource' "$auricle" reload
sounds
# A power of ten whose magnitude 64 bits do not hold.
sed -i 's/^audiogram = .*/audiogram = "N5.json"/' "$configuration"
cp "$configuration" good
printf '[safety]\nramp = "1e-9223372036854775808 s"\n' >>"$configuration"
expect 78 'safety.ramp' "$auricle" reload
sounds
cp good "$configuration"
expect 0 'Nothing has changed' "$auricle" reload

# A prescription is worn.
echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
"$auricle" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
  --yes --passphrase-file pass -o N3.txt >/dev/null 2>&1
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
expect 0 'In force from now: number 1' "$auricle" rx scan --yes N3.txt
sounds
daemon_end
cp -a "$STATE_DIRECTORY" whole

# One bit in the name of a column: the pages are sound, and what they say is not a book.
for column in user_id moment hash; do
  rm -rf "$STATE_DIRECTORY"
  cp -a whole "$STATE_DIRECTORY"
  python3 - "$book/book.sqlite" "$column" <<'PYTHON'
import sys
path, column = sys.argv[1], sys.argv[2].encode()
data = bytearray(open(path, "rb").read())
data[data.index(column, data.index(b"CREATE TABLE audit")) + 1] ^= 1
open(path, "r+b").write(data)
PYTHON
  begin
  told '.prescription.serial == 1 and .fitting.fitted and (.prescription.notes[0] | contains("damaged"))'
  expect 65 'restore a backup' "$auricle" rx list
  expect 65 'restore a backup' "$auricle" audit verify
  told '.prescription.serial == 1 and .fitting.fitted'
  sounds
  grep -q 'error: prescription book: .*the database is damaged' daemon.log
  daemon_end
done

# The book is gone and its key is not: nothing is amplified, and no question makes a new book.
for left in folder nothing; do
  rm -rf "$STATE_DIRECTORY"
  cp -a whole "$STATE_DIRECTORY"
  rm -r "$book"
  [ "$left" = nothing ] || mkdir -m 700 "$book"
  begin
  for question in 'rx list' 'trust list' 'audit show' 'audit verify' 'rx use quiet' 'rx scan --yes N3.txt'; do
    # shellcheck disable=SC2086
    expect 66 'found its key and no book' "$auricle" $question
    told '(.fitting.fitted | not) and (.prescription.notes[0] | contains("its key and no book"))'
  done
  sounds
  [ ! -e "$book/book.sqlite" ]
  daemon_end
  # Nor does a command that finds no daemon.
  expect 66 'found its key and no book' "$auricle" rx list
  [ ! -e "$book/book.sqlite" ]
done
rm -rf "$STATE_DIRECTORY"
cp -a whole "$STATE_DIRECTORY"

# Plans of FFTW with one bit flipped, half of them, none of them, and FFTW's text alone.
wisdom=$STATE_DIRECTORY/wisdom
grep -q '^auricle-wisdom 1 fftw-' "$wisdom"
is_kept_anew() { ! cmp -s damaged "$wisdom"; }
for damage in bit half nothing; do
  cp whole/wisdom "$wisdom"
  case $damage in
    bit) printf '\001' | dd of="$wisdom" bs=1 seek=200 conv=notrunc 2>/dev/null ;;
    half) truncate -s $(($(stat -c %s whole/wisdom) / 2)) "$wisdom" ;;
    nothing) : >"$wisdom" ;;
  esac
  cp "$wisdom" damaged
  begin
  until_true grep -q 'found damaged plans of FFTW' daemon.log
  until_true is_kept_anew
  [ "$(grep -c 'found damaged plans of FFTW' daemon.log)" -eq 1 ] || complain 'expected one line about the plans'
  daemon_end
  begin
  sounds
  if grep -q 'damaged plans' daemon.log; then complain 'expected no such words'; fi
  daemon_end
done
tail -n +2 whole/wisdom >"$wisdom"
begin
sounds
if grep -q 'damaged plans' daemon.log; then complain 'expected no such words'; fi
until_true grep -q '^auricle-wisdom 1 fftw-' "$wisdom"
daemon_end
