# Spectra from a daemon whose sound pauses, that ends them with a role, or that sends spectra whose lists do not fit: what came until then is kept. Times
# that nobody can have end no command.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/spectrum-daemon.bash"

echo paused >course
expect 75 'There is no sound to look at. Sound is off. 10 spectra until then are kept in paused.jsonl. Start it with: auricle start' \
  "$auricle" spectrum --record paused.jsonl --for 30s
[ "$("$auricle" spectrum paused.jsonl --json | wc -l)" -eq 10 ] || complain 'expected the ten spectra that came'
expect 75 '10 spectra until then are kept in course.jsonl. Start it with: auricle start' \
  "$auricle" spectrum --spectrogram --picture course.png --for 30s
[ ! -e course.png ]
[ -s course.jsonl ]
# Without a spectrum nothing is kept; the failure alone is told, and so it is where nothing is recorded.
expect 75 'Start it with: auricle start' "$auricle" spectrum --for 30s
absent 'until then'
echo sound >course
expect 75 '10 spectra until then are kept in visit.jsonl. Wrote 0.1 s of sound to visit-input.wav and visit-output.wav' \
  "$auricle" spectrum --record visit.jsonl --sound visit.wav --for 30s
[ "$(stat -c %a visit.jsonl visit.json visit-input.wav visit-output.wav | sort -u)" = 600 ]
jq -e '.spectra == "visit.jsonl" and .frames == 4410' visit.json >/dev/null || complain 'expected the note of the sound'
echo torn >course
expect 76 'Install auricle and auricled of the same version' "$auricle" spectrum --for 30s
expect 76 '3 spectra until then are kept in torn.jsonl. Install auricle and auricled of the same version' \
  "$auricle" spectrum --record torn.jsonl --for 30s
expect 76 'Install auricle and auricled of the same version' "$auricle" spectrum --csv

# Spectra that end with the role are not waited for until the end of --for.
echo ended >course
expect 77 'The daemon has ended the spectra: the role of its client has ended. 3 spectra until then are kept in ended.jsonl. Begin again, with --as' \
  "$auricle" spectrum --record ended.jsonl --for 600s
[ "$("$auricle" spectrum ended.jsonl --json | wc -l)" -eq 3 ] || complain 'expected the three spectra that came'
expect 77 'the role of its client has ended' "$auricle" spectrum --csv

expect 0 'On trial for 3600 s more' "$auricle" route
expect 0 'left; go on with: --resume late' "$auricle" match history

# The picture's disk is full and that of the numbers is not: these are kept.
echo endless >course
mkdir full
cat >full.sh <<'FULL'
mount -t tmpfs -o size=4k none full || exit 99
head -c 4096 /dev/zero >full/filler || true
exec "$@"
FULL
expect 74 'until then are kept in numbers.jsonl.' unshare -Urm bash full.sh \
  "$auricle" spectrum --spectrogram --record numbers.jsonl --picture full/course.png --for 1s
[ -s numbers.jsonl ]
