# What the scripts share that pass sockets to a daemon, as a service manager does. Sourced.
#
#   pass.py KIND PROGRAM [OPTION...]   begins it with what KIND says as descriptor 3; the socket lies at $PLACE, or $AURICLE_SOCKET.
#                                      With AS= the program runs as the user auricle, with AWAIT= from the first client on.

cat >pass.py <<'PYTHON'
# Usage: pass.py KIND PROGRAM [OPTION...]: begins it with what KIND says as descriptor 3
import os, select, socket, sys
kind, *command = sys.argv[1:]
place = os.environ.get("PLACE", os.environ.get("AURICLE_SOCKET"))
count, number = "1", str(os.getpid())
def unix(path, type=socket.SOCK_STREAM):
    made = socket.socket(socket.AF_UNIX, type)
    made.bind(path)
    return made
if kind == "tcp":
    made = socket.socket()
    made.bind(("127.0.0.1", 0))
    made.listen()
elif kind == "deaf":
    made = unix(place)
elif kind == "packets":
    made = unix(place, socket.SOCK_SEQPACKET)
    made.listen()
elif kind == "file":
    made = open("/dev/null")
else:
    made = unix(place)
    made.listen()
if kind == "elsewhere":
    pass
elif kind == "gone":
    os.unlink(place)
elif kind == "strangers":
    os.chown(place, 64001, 64001)
elif kind == "garbage":
    count = "one"
elif kind == "others":
    number = "1"
elif kind == "system":
    os.chmod(place, 0o666)
    os.chown(place, 64000, 64000)
os.dup2(made.fileno(), 3)
os.set_inheritable(3, True)
if kind == "closed":
    os.close(3)
if "AWAIT" in os.environ:
    select.select([made], [], [])
if "AS" in os.environ:
    os.initgroups("auricle", 64000)
    os.setgid(64000)
    os.setuid(64000)
os.environ.update(LISTEN_FDS=count, LISTEN_PID=number, LISTEN_FDNAMES="auricled.socket")
os.execv(command[0], command)
PYTHON
