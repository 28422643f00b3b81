# What the scripts share that try auricle-auth: services of PAM of their own (pam_wrapper). Sourced after daemon.bash.
#
#   service LINE...                 writes the PAM service auricle
#   serve SOCKET [NAME=VALUE...] -- COMMAND...   a command behind a socket, a process for each connection, as systemd starts it;
#                                   its log is NAME.log of NAME.sock
#   client.py SOCKET REQUEST ANSWER...   a client
#   $matrix                         a module that asks for the passwords in the file `passwords`: USER:PASSWORD:auricle

auth=$PROGRAMS/auricle-auth
wrapper=$(dirname "$(find /usr/lib -name libpam_wrapper.so | head -1)")
modules=$wrapper/pam_wrapper
matrix="$modules/pam_matrix.so passdb=$PWD/passwords"
mkdir -p services places

service() { printf '%s\n' "$@" >services/auricle; }

# pam_wrapper adds to the environment of the first program, `env`: one of Swift's would no longer find its arguments then.
serve() {
  local path=$1 given=() name
  shift
  name=${path##*/}
  while [ "$1" != -- ]; do given+=(-E "$1"); shift; done
  shift
  systemd-socket-activate --accept --inetd -l "$path" -E LD_PRELOAD="$wrapper/libpam_wrapper.so" -E PAM_WRAPPER=1 \
    -E PAM_WRAPPER_SERVICE_DIR="$PWD/services" "${given[@]}" env "$@" >>"${name%.sock}.log" 2>&1 </dev/null &
  helpers+=("$!")
  until_true test -S "$path"
}

# Sends its second word to the socket of its first, answers prompts with the others, shows every line; at the word `leave` it does.
cat >client.py <<'PYTHON'
import json, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1])
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
