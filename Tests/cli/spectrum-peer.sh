# Spectra from a daemon whose sound pauses, that sends spectra whose lists do not fit, or that asks for a proof first: what came until then is
# kept, and Ctrl-C ends a recording and a view as ever. Times that nobody can have end no command.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"

# The status and the spectra that the daemon of this script tells: a real daemon's, and those of a rendering.
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
daemon
until_true state_is waiting-for-device
"$auricle" status --json >status.json
"$auricle" route --json >route.json
daemon_end
"$auricle" listen /usr/share/sounds/alsa/Front_Center.wav aided.wav --audiogram N3 --spectrum voice.jsonl -q

# It does what the file `course` says when a client connects.
cat >daemon.py <<'PYTHON'
import base64, json, os, socket, sys, threading, time
path, proof = sys.argv[1:]
status = json.load(open("status.json"))
route = {**json.load(open("route.json")), "on_trial": True, "trial": 1, "trial_left_seconds": 1e300}
late = {"record": "late", "name": "loudness", "began_unix_seconds": 1e300, "calibration": {"device": "headset", "status": "provisional"}}
records = {"records": [late], "unreadable": [], "has_older": False}
spectra = [json.loads(line) for line in open("voice.jsonl")][1:]
bands = spectra[0]["frequencies"]["bands_hz"]
ear = {"input_db_spl": 100, "output_db_spl": [100 for _ in bands]}
scale = {"bands_hz": bands, "left": ear, "right": ear, "input_calibration": "none", "output_calibration": "none"}
def listening(path):
    made = socket.socket(socket.AF_UNIX)
    made.bind(path)
    made.listen(8)
    return made
def torn(spectrum):
    spectrum = json.loads(json.dumps(spectrum))
    spectrum["left"]["input"]["bands_db_spl"].pop()
    return spectrum
def serve(client, course):
    def send(**message): client.sendall(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    def notify(number, topic, content): send(method=topic, params={"sequence": number, topic: content})
    def report(name):
        told = {**status, "state": {"name": name, "muted": False, "since_unix_seconds": 1.7e9}}
        return {**told, "recording": {"until_unix_seconds": time.time() + 60}} if course == "sound" else told
    watched = begun = False
    for line in client.makefile():
        request = json.loads(line)
        method = request["method"]
        result = {"role.begin": {"challenge": "0f" * 32}, "spectrum.watch": {"interval_seconds": 0.04},
                  "sound.watch": {"scale": scale, "expires_in_seconds": 60}, "unsubscribe": {},
                  "route.show": route, "procedure.list": records,
                  "status": report("stopped" if begun else "running")}[method]
        send(id=request["id"], result=result)
        watched = watched or method == "spectrum.watch"
        if not watched or begun or method != "status": continue
        begun = True
        if course == "sound":
            notify(1, "sound", {"position": 0, "time_seconds": 0.1, "rate_hz": 44100,
                                "samples_base_64": base64.b64encode(bytes(16 * 4410)).decode()})
        if course in ("paused", "sound"):
            for number in range(10): notify(number + 2, "spectrum", spectra[number])
        elif course == "torn":
            for number in range(3): notify(number + 1, "spectrum", spectra[number])
            notify(4, "spectrum", torn(spectra[3]))
        else:
            number = 0
            while True:
                number += 1
                notify(number, "spectrum", {**spectra[number % len(spectra)], "time_seconds": number * 0.04})
                if number == 10: open("flowing", "w").close()
                time.sleep(0.04)
def control():
    places = listening(path)
    while True:
        client = places.accept()[0]
        def carry_out(client=client, course=open("course").read().strip()):
            try: serve(client, course)
            except OSError: pass
        threading.Thread(target=carry_out, daemon=True).start()
threading.Thread(target=control, daemon=True).start()
# In place of auricle-auth: any password is right.
proofs = listening(proof)
while True:
    client = proofs.accept()[0]
    lines = client.makefile()
    lines.readline()
    client.sendall(b'{"prompt":"Password: ","echo":false}\n')
    if lines.readline(): client.sendall(b'{"result":"proved","until_unix_seconds":2000000600}\n')
PYTHON
export AURICLE_AUTH_SOCKET=$home/proof.sock
mkdir -p -m 700 "${socket%/*}"
rm -f "$socket"
python3 daemon.py "$socket" "$AURICLE_AUTH_SOCKET" >daemon.log 2>&1 &
helpers+=("$!")
until_true test -S "$AURICLE_AUTH_SOCKET"
until_true test -S "$socket"

# MARK: - A pause, and spectra that cannot be

echo paused >course
expect 75 'There is no sound to look at. Sound is off. 10 spectra until then are kept in paused.jsonl. Start it with: auricle start' \
  "$auricle" spectrum --record paused.jsonl --for 30s
[ "$("$auricle" spectrum paused.jsonl --json | wc -l)" -eq 10 ] || complain 'expected the ten spectra that came'
expect 75 '10 spectra until then are kept in course.jsonl. Start it with: auricle start' \
  "$auricle" spectrum --spectrogram --picture course.png --for 30s
[ ! -e course.png ] && [ -s course.jsonl ]
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

# Under nohup(1) a recording goes on when the terminal is closed, and ends as it was asked to.
rm -f flowing
nohup "$auricle" spectrum --record hung.jsonl --for 60s >hung.log 2>&1 &
recorder=$!
helpers+=("$recorder")
until_true test -e flowing
kill -HUP "$recorder"
# The file has its name at the end: what was recorded until then is in no folder.
sleep 1
kill -0 "$recorder" || complain "a recording under nohup ended with the terminal: $(cat hung.log)"
kill -TERM "$recorder"
wait "$recorder" || complain "a recording under nohup: exit $?, $(cat hung.log)"
grep -q 'spectra to hung.jsonl' hung.log || complain "expected the end of the recording, found $(cat hung.log)"

# MARK: - Ctrl-C after a proof

# Ctrl-C before the proof ends the command; after it, the recording, which is kept, and the view, which leaves the terminal as it was.
cat >person.py <<'PYTHON'
import os, pty, select, signal, sys, termios, time
def begun(*words):
    child, terminal = pty.fork()
    if child == 0: os.execv(sys.argv[1], [sys.argv[1], "spectrum", "--as", "developer", *words])
    shown = b""
    while b"Password" not in shown: shown += os.read(terminal, 4096)
    while termios.tcgetattr(terminal)[3] & termios.ECHO: time.sleep(0.01)
    return child, terminal
def ended(child, terminal):
    shown = b""
    while True:
        try: data = os.read(terminal, 65536)
        except OSError: break
        if not data: break
        shown += data
    status = os.waitpid(child, 0)[1]
    return status, termios.tcgetattr(terminal)[3], shown.decode(errors="replace")
def flows(terminal):
    if os.path.exists("flowing"): os.remove("flowing")
    os.write(terminal, b"four words\n")
    end = time.monotonic() + 60
    while not os.path.exists("flowing") and time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]: os.read(terminal, 65536)
child, terminal = begun("--record", "asked.jsonl")
os.write(terminal, b"\x03")
status, _, shown = ended(child, terminal)
assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, (status, shown)
assert not os.path.exists("asked.jsonl")
# After Ctrl-Z it asks again; nobody could continue a process of a group whose parent is in another session, so it is not stopped here.
child, terminal = begun("--record", "again.jsonl")
os.write(terminal, b"\x1a")
shown = b""
while b"Password" not in shown: shown += os.read(terminal, 4096)
while termios.tcgetattr(terminal)[3] & termios.ECHO: time.sleep(0.01)
flows(terminal)
os.write(terminal, b"\x03")
status, _, shown = ended(child, terminal)
assert status == 0 and "spectra to again.jsonl" in shown, (status, shown)
child, terminal = begun()
flows(terminal)
os.write(terminal, b"\x03")
status, modes, shown = ended(child, terminal)
assert status == 0, (status, shown)
assert modes & termios.ECHO and modes & termios.ICANON, "the terminal stays raw"
assert "\x1b[?1049l" in shown, "the other screen stays"
print("ended by Ctrl-C")
PYTHON
expect 0 'ended by Ctrl-C' python3 person.py "$auricle"
[ "$("$auricle" spectrum again.jsonl --json | wc -l)" -gt 0 ] || complain 'expected what was recorded'
