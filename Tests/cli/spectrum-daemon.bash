# A daemon for scripts that look at spectra: spectrum-daemon.py, which does what the file `course` says when a client connects. Sourced after daemon.bash.

# The status and the spectra that it tells: a real daemon's, and those of a rendering.
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
daemon
until_true state_is waiting-for-device
"$auricle" status --json >status.json
"$auricle" route --json >route.json
daemon_end
"$auricle" listen /usr/share/sounds/alsa/Front_Center.wav aided.wav --audiogram N3 --spectrum voice.jsonl -q

export AURICLE_AUTH_SOCKET=$home/proof.sock
mkdir -p -m 700 "${socket%/*}"
rm -f "$socket"
python3 "$REPOSITORY/Tests/cli/spectrum-daemon.py" "$socket" "$AURICLE_AUTH_SOCKET" >daemon.log 2>&1 &
helpers+=("$!")
until_true test -S "$AURICLE_AUTH_SOCKET"
until_true test -S "$socket"
