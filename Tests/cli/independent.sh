# Cards in the eyes of others: joserfc verifies them and opens the clinic's key, fhir.resources validates the
# bundle against the R4 definitions, and a card that joserfc signed is read here. Needs PyPI.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/python.bash"
export XDG_DATA_HOME=$home/data
python=$(others_python "$REPOSITORY/Tests/independent/requirements.txt")
check() { "$python" "$REPOSITORY/Tests/independent/check.py" "$@"; }

passphrase='four wörds are enough'
echo "$passphrase" >pass
"$auricle" clinic init --name 'Hörzentrum Nord' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
"$auricle" rx make --left '125:10 250:20 500:25 1000:30 2000:45 4000:60 b1000:15' \
  --right '250:25 500:30 1000:50m 2000:50 4000:70 8000:>110' --given Zoë --family Müller --born 1950-02-03 \
  --prescriber 'Dr. B. Ear' --adaptation 80 --tune right:2000:+3 --volume -10..5 --passphrase-file pass --yes \
  -o card.txt >/dev/null
fingerprint=$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)
"$auricle" trust add clinic.txt --fingerprint "$fingerprint" >/dev/null
"$auricle" rx scan --yes card.txt >/dev/null
"$auricle" rx export --fhir >export.json

check card card.txt clinic.txt export.json
check forge "$XDG_DATA_HOME/auricle/clinic/key.jwe" "$passphrase" card.txt foreign.txt
expect 0 'Verified' "$auricle" rx show foreign.txt
expect 0 'serial 4711' "$auricle" rx scan --yes foreign.txt

# A hearing test on ALSA's null device, at a terminal at which nobody answers: thresholds without a response, of both ears.
cat >"$configuration" <<TOML
[device]
capture = "null"
playback = "null"
[calibration.earphone]
full-scale-level = 120
transducer = "hda200"
status = "provisional"
source = "a digital loop"
TOML
ordinary_daemon
until_true state_is running
python3 "$REPOSITORY/Tests/lab/pseudoterminal.py" '' "$auricle" hearing-test --frequency 500 1000 2000 4000 --method bayesian --no-room \
  --output hearing.fhir.json >output || complain 'expected thresholds without a response'
check audiogram hearing.fhir.json
expect 0 '' "$auricle" check hearing.fhir.json --audiogram
