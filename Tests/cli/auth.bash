# What the scripts share that try auricle-auth: services of PAM of their own, in place of the machine's. Sourced after daemon.bash, by
# scripts with mounts of their own.
#
#   service LINE...                 writes the PAM service auricle
#   serve SOCKET [NAME=VALUE...] -- COMMAND...   a command behind a socket, a process for each connection, as systemd starts it;
#                                   its log is NAME.log of NAME.sock
#   client.py SOCKET REQUEST ANSWER...   a client
#   $modules                        the folder of the modules of Debian's libpam-wrapper
#   $matrix                         one that asks for the passwords in the file `passwords`: USER:PASSWORD:auricle
#
# That package's library, which would show another folder in place of /etc/pam.d, is not used: two processes that begin at once take
# the same folder below /tmp, and one of them ends.

auth=$PROGRAMS/auricle-auth
modules=$(dirname "$(find /usr/lib -path '*/pam_wrapper/pam_matrix.so' | head -1)")
matrix="$modules/pam_matrix.so passdb=$PWD/passwords"
mkdir -p services places
mount --bind services /etc/pam.d

service() { printf '%s\n' "$@" >services/auricle; }

serve() {
  local path=$1 given=() name
  shift
  name=${path##*/}
  while [ "$1" != -- ]; do given+=(-E "$1"); shift; done
  shift
  systemd-socket-activate --accept --inetd -l "$path" "${given[@]}" "$@" >>"${name%.sock}.log" 2>&1 </dev/null &
  helpers+=("$!")
  until_true listens "$path"
}

# Sends its second word to the socket of its first, answers prompts with the others, shows every line; at the word `leave` it does.
cat >client.py <<'PYTHON'
import json, socket, sys, time
while True:
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(sys.argv[1])
        break
    # One of the same name listens elsewhere, and this one not yet.
    except ConnectionRefusedError:
        time.sleep(0.02)
lines = server.makefile()
server.sendall(sys.argv[2].encode() + b"\n")
answers = sys.argv[3:]
def read():
    try:
        return lines.readline()
    except ConnectionResetError:
        # Of what was sent, something was not read.
        return ""
for line in iter(read, ""):
    print(line, end="", flush=True)
    if "prompt" in json.loads(line):
        answer = answers.pop(0)
        if answer == "leave":
            break
        raw = answer.startswith("raw:")
        server.sendall((answer[4:] if raw else json.dumps({"text": answer})).encode() + b"\n")
PYTHON
