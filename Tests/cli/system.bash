# What the scripts share that try the system's daemon: mounts of their own, in which files lie in their usual places, and people.
# Sourced first, before daemon.bash and auth.bash.
#
#   own_mounts                   starts the script again with mounts of its own; says why not, and ends it well, where it gets none
#   people                       makes them: ada and eve may become audiologist, dan developer; wes hears by the aid; ned in
#                                group audio and ida in none are nobody to it
#   as USER COMMAND...           as one of them, as root, or as auricle
#   system_daemon [LINE...]      starts it, with these lines in its configuration; its number is $daemon, its log daemon.log
#   waits                        true once it answers, and waits for its device
#   steps USER STEP...           one connection of that user to it, and a step for each word:
#     watch                        calls a method that is an audiologist's and a developer's
#     all:FILE                     calls those of FILE, `METHOD PARAMETERS` a line
#     begin[:ROLE]                 asks for a role: audiologist
#     prove[:ANSWER[:NAME]]        proves it with the latest challenge, at NAME.sock: auth
#     claim                        tells the daemon itself that it is proved
#     hold:FILE                    writes the challenge there, and waits until FILE is gone
#     end                          gives the role back

own_mounts() {
  [ -z "${OWN_MOUNTS:-}" ] || return 0
  local reason=
  if [ "$(id -u)" != 0 ]; then
    reason='not root'
  elif ! setpriv --reuid 64001 --regid 64001 --clear-groups true 2>/dev/null; then
    reason='root cannot take the number of another user'
  elif ! unshare --mount --propagation private sh -c 'mount --bind /etc/group /etc/group && mount -t tmpfs tmpfs /run' 2>/dev/null; then
    reason='no mounts of its own'
  fi
  if [ -n "$reason" ]; then
    echo "not tried: $(basename "$0" .sh), $reason"
    exit 0
  fi
  OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0"
}

people() {
  local file
  for file in passwd group; do cp "/etc/$file" "$file"; done
  sed -i '/^audio:/d' group
  echo 'auricle:x:64000:64000::/var/lib/auricle:/bin/sh' >>passwd
  printf '%s:x:%s:%s::/nonexistent:/bin/sh\n' ada 64001 64001 wes 64002 64002 eve 64003 64003 \
    dan 64006 64006 ned 64007 64007 ida 64009 64009 >>passwd
  printf '%s:x:%s:%s\n' auricle 64000 wes ada 64001 '' wes 64002 '' eve 64003 '' auricle-audiologist 64004 ada,eve \
    auricle-developer 64005 dan dan 64006 '' ned 64007 '' audio 64008 ned ida 64009 '' >>group
  for file in passwd group; do mount --bind "$file" "/etc/$file"; done
  printf '%s:auricle\n' 'ada:four words' 'eve:five words' 'wes:six words' 'dan:seven words' >passwords
  mount -t tmpfs tmpfs /run
  chmod 755 /run
  mkdir -m 755 /run/auricle-auth /run/programs
  mkdir -m 1777 /run/exchange
  cp "$auricled" "$auricle" "$auth" client.py steps.py /run/programs
}

person=(env -u AURICLE_SOCKET -u RUNTIME_DIRECTORY -u XDG_RUNTIME_DIR -u STATE_DIRECTORY -u LD_PRELOAD -C /
  setpriv --init-groups)
as() { "${person[@]}" --reuid "$1" --regid "$1" "${@:2}"; }

system_daemon() {
  install -d -o auricle -g auricle -m 750 /run/auricle
  install -d -o auricle -g auricle -m 700 /run/state
  printf '%s\n' '[device]' 'capture = "nosuchdevice"' 'playback = "nosuchdevice"' "$@" >/run/auricle.toml
  chmod 644 /run/auricle.toml
  "${person[@]}" --reuid auricle --regid auricle env RUNTIME_DIRECTORY=/run/auricle STATE_DIRECTORY=/run/state \
    /run/programs/auricled --config /run/auricle.toml >>daemon.log 2>&1 </dev/null &
  daemon=$!
  until_true waits
}

waits() { as wes /run/programs/auricle status --json | jq -e '.state.name == "waiting-for-device"'; }

steps() { as "$1" /usr/bin/python3 /run/programs/steps.py "${@:2}"; }

cat >steps.py <<'PYTHON'
import json, os, socket, sys, time
def connect(path):
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    return server, server.makefile()
daemon, answers = connect("/run/auricle/control.sock")
def call(method, before="", **parameters):
    daemon.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
    while "id" not in (answer := json.loads(answers.readline() or '{"id": 1, "error": {"code": "hung-up", "message": ""}}')):
        pass
    if "error" in answer:
        print(before + method, answer["error"]["code"], answer["error"]["message"], flush=True)
    else:
        print(before + method, "ok", flush=True)
        return answer["result"]
challenge, role = "", "audiologist"
for word in sys.argv[1:]:
    step, *rest = word.split(":")
    if step == "watch":
        call("spectrum.watch")
        call("unsubscribe")
    elif step == "all":
        for line in open(rest[0]):
            method, parameters = line.split(" ", 1)
            call(method, "called ", **json.loads(parameters))
    elif step == "begin":
        role = (rest or ["audiologist"])[0]
        challenge = (call("role.begin", role=role) or {}).get("challenge", "")
    elif step == "prove":
        server, lines = connect(f"/run/auricle-auth/{(rest[1:] or ['auth'])[0]}.sock")
        server.sendall(json.dumps({"challenge": challenge, "role": role}).encode() + b"\n")
        for line in lines:
            if "prompt" in json.loads(line):
                server.sendall(json.dumps({"text": rest[0]}).encode() + b"\n")
            else:
                print(line, end="", flush=True)
    elif step == "claim":
        call("role.prove", challenge=challenge, user_id=os.getuid(), means="PAM", role="audiologist")
    elif step == "hold":
        with open(rest[0] + ".new", "w") as file:
            file.write(challenge)
        os.rename(rest[0] + ".new", rest[0])
        while os.path.exists(rest[0]):
            time.sleep(0.02)
    elif step == "end":
        call("role.end")
PYTHON
