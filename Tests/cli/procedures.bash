# What the scripts share that carry out hearing tests and matches. Sourced after daemon.bash.
#
#   person START [KEY[=VALUE]...]       begins a procedure over the control socket and presses one key after another at each news that asks for one,
#                                       until it ends; its last news is in `output`
#   terminal STATUS TEXT KEY WORD...    the same by the command at a terminal: one key again and again while the screen shows something
#   $devices, $earphone, $microphone    tables of a configuration. ALSA's null device takes sound as fast as it comes, so a match lasts a moment.

records=$STATE_DIRECTORY/procedures
devices='[device]
capture = "null"
playback = "null"'
earphone='[calibration.earphone]
full-scale-level = 120
transducer = "hda200"
status = "provisional"
source = "a digital loop"'
microphone='[calibration.microphone]
full-scale-level = 120
status = "provisional"
source = "a digital loop"'

daemon() { ordinary_daemon "$@"; }

cat >person.py <<'PYTHON'
import json, socket, sys
aid = socket.socket(socket.AF_UNIX)
aid.settimeout(300)
aid.connect(sys.argv[1])
keys, count = [key.split("=") for key in sys.argv[3:]], 0
def send(method, parameters):
    aid.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
send("procedure.start", json.loads(sys.argv[2]))
for news in map(json.loads, aid.makefile(encoding="utf-8")):
    notice = news.get("params", {}).get("procedure")
    if "error" in news and notice is None and count == 0: sys.exit(json.dumps(news["error"]))
    if notice is None: continue
    if notice["phase"] in ("finished", "broken"):
        print(json.dumps(notice))
        sys.exit(notice["phase"] == "broken")
    # A sound that lasts until it is answered comes again; others are answered behind them, for an unheard one no key counts.
    if keys and (notice["phase"] == "asking" or notice["phase"] == "sounding" and notice["question"] in ("adjustment", "presence")):
        name, *value = keys[count % len(keys)]
        count += 1
        send("procedure.answer", {"key": name, **({"value": float(value[0])} if value else {})})
PYTHON
person() { timeout 300 /usr/bin/python3 person.py "$socket" "$@" >output 2>&1; }

cat >terminal.py <<'PYTHON'
import sys
from pseudoterminal import Program
key, program = sys.argv[1].encode().decode("unicode_escape").encode(), Program(sys.argv[2:])
while program.read(0.05):
    # Not behind the screen, where it would be shown among the words.
    if b"p pause" in program.shown.rpartition(b"\x1b[?1049l")[2]: program.type(key)
# Behind the screen, which is another than the terminal's own.
print(program.text.rpartition("\x1b[?1049l")[2])
sys.exit(program.end())
PYTHON
terminal() { expect "$1" "$2" /usr/bin/python3 terminal.py "$3" "$auricle" "${@:4}"; }
