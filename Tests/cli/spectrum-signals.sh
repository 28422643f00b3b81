# Ctrl-C and other signals at `auricle spectrum`: at the question for sound, at a proof and after it, under nohup(1), and twice at a view that waits for a
# daemon. The terminal is as it was before, and what was recorded until then is kept.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/spectrum-daemon.bash"

# Under nohup(1) a recording goes on when the terminal is closed, and ends as it was asked to.
echo endless >course
rm -f flowing
nohup "$auricle" spectrum --record hung.jsonl --for 600s >hung.log 2>&1 &
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

# Ctrl-C before the proof ends the command; after it, the recording, which is kept, and the view, which leaves the terminal as it was.
cat >proof.py <<'PYTHON'
import os, pty, signal, sys, termios
from pseudoterminal import Program
usual = termios.tcgetattr(pty.openpty()[1])
def begun(*words):
    program = Program([sys.argv[1], "spectrum", "--as", "developer", *words])
    program.until(b"Password")
    program.until_hidden()
    return program
def flows(program):
    if os.path.exists("flowing"): os.remove("flowing")
    program.type(b"four words\n")
    while not os.path.exists("flowing") and program.read(0.05): pass
program = begun("--record", "asked.jsonl")
program.type(b"\x03")
status = program.end()
assert status == -signal.SIGINT, (status, program.text)
assert not os.path.exists("asked.jsonl")
# After Ctrl-Z it asks again; nobody could continue a process of a group whose parent is in another session, so it is not stopped here.
program = begun("--record", "again.jsonl")
program.type(b"\x1a")
program.until(b"Password")
program.until_hidden()
flows(program)
program.type(b"\x03")
status = program.end()
assert status == 0 and b"spectra to again.jsonl" in program.shown, (status, program.text)
program = begun()
flows(program)
program.type(b"\x03")
status = program.end()
assert status == 0, (status, program.text)
assert program.modes == usual, "the terminal stays raw"
assert b"\x1b[?1049l" in program.shown, "the other screen stays"
print("ended by Ctrl-C")
PYTHON
expect 0 'ended by Ctrl-C' python3 proof.py "$auricle"
[ "$("$auricle" spectrum again.jsonl --json | wc -l)" -gt 0 ] || complain 'expected what was recorded'

# Ctrl-C at the question for the wearer's leave ends the command: the leave is not given, and nothing is written. A yes gives it.
echo paused >course
cat >leave.py <<'PYTHON'
import glob, pty, signal, sys, termios
from pseudoterminal import Program
usual = termios.tcgetattr(pty.openpty()[1])
def asked(name):
    program = Program([sys.argv[1], "spectrum", "--record", name + ".jsonl", "--sound", name + ".wav"])
    program.until(b"[y/N]")
    return program
def is_given():
    return "recording.allow" in open("daemon.log").read().split("\n")
program = asked("left")
program.type(b"\x03")
status = program.end()
assert status == -signal.SIGINT, (status, program.text)
assert program.modes == usual, "the terminal is not as it was"
assert not glob.glob("left*") and not is_given(), glob.glob("left*")
program = asked("refused")
program.type(b"n\n")
status = program.end()
assert status == 1 and b"Nothing was recorded." in program.shown, (status, program.text)
assert not glob.glob("refused*") and not is_given(), glob.glob("refused*")
program = asked("given")
program.type(b"y\n")
status = program.end()
assert status == 75 and b"10 spectra until then are kept in given.jsonl." in program.shown, (status, program.text)
assert is_given()
print("asked for the leave")
PYTHON
expect 0 'asked for the leave' python3 leave.py "$auricle"

# A view that waits for an answer notes a first signal, and goes on waiting: a second one ends it, with the terminal as it was.
echo deaf >course
cat >twice.py <<'PYTHON'
import os, pty, signal, sys, termios, time
from pseudoterminal import Program
usual = termios.tcgetattr(pty.openpty()[1])
def is_pending(process):
    """True of a SIGINT that was sent and has not acted yet; another one meanwhile would be lost (signal(7))."""
    lines = dict(line.split(":", 1) for line in open(f"/proc/{process}/status"))
    return any(int(lines[name], 16) >> signal.SIGINT - 1 & 1 for name in ("SigPnd", "ShdPnd"))
def signalled():
    """Sends both to a view, and returns it and how it ended."""
    if os.path.exists("unanswered"): os.remove("unanswered")
    view = Program([sys.argv[1], "spectrum"])
    view.until(b"\x1b[?1049h")
    assert not view.echoes, "the terminal is not the view's"
    while not os.path.exists("unanswered"): assert view.read(0.05), view.text
    os.kill(view.process, signal.SIGINT)
    while is_pending(view.process): time.sleep(0.01)
    os.kill(view.process, signal.SIGINT)
    return view, view.end()
view, status = signalled()
# It waits for five seconds: where a busy machine let them pass between the two signals, they are sent to another one.
while status == 69 and b"no answer to status" in view.shown: view, status = signalled()
assert status == -signal.SIGINT, (status, view.text)
assert view.modes == usual, "the terminal stays raw"
assert view.shown.endswith(b"\x1b[?1049l"), view.text
print("ended by the second signal")
PYTHON
expect 0 'ended by the second signal' python3 twice.py "$auricle"
