"""A daemon that tells spectra as a course of events has it, and a place of proofs where any password is right.

Usage: spectrum-daemon.py SOCKET PROOF-SOCKET     in a folder with status.json, route.json, voice.jsonl, and `course`, which is read at each connection:

    paused    ten spectra, then the sound is off
    sound     the same, with a tenth of a second of the sound; the wearer's leave for it stands
    torn      three spectra, then one whose list is too short
    ended     three spectra, then the word that there are none for want of the role
    deaf      three spectra, then no answer to anything; the file `unanswered` says that one is waited for
    endless   a spectrum every 0.04 s; the file `flowing` says that ten have been told

Prints the method of each request.
"""
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
    made.bind(path + ".new")
    made.listen(8)
    # Nobody finds a socket on which it does not listen yet.
    os.rename(path + ".new", path)
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
        print(method, flush=True)
        if course == "deaf" and begun:
            open("unanswered", "w").close()
            continue
        result = {"role.begin": {"challenge": "0f" * 32}, "spectrum.watch": {"interval_seconds": 0.04},
                  "recording.allow": {"recording": {"until_unix_seconds": time.time() + 60}},
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
        elif course in ("torn", "deaf", "ended"):
            for number in range(3): notify(number + 1, "spectrum", spectra[number])
            if course == "torn": notify(4, "spectrum", torn(spectra[3]))
            if course == "ended": notify(4, "spectrum", {"ended": "the role of its client has ended"})
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
# In place of auricle-auth.
proofs = listening(proof)
while True:
    client = proofs.accept()[0]
    lines = client.makefile()
    lines.readline()
    client.sendall(b'{"prompt":"Password: ","echo":false}\n')
    if lines.readline(): client.sendall(b'{"result":"proved","until_unix_seconds":2000000600}\n')
