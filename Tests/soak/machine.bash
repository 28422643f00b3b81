# What the machine may lack, where sound broke off. Sourced by run.
#
#   examine_machine       findings of `auricle doctor` that are not good, and of its own what doctor does not look at; JSON
#   start_of_meanwhile    from here on counts
#   machine_meanwhile     time that the machine's host took, waiting of everybody for the processor, load: JSON

examine_machine() {
  "$auricle" doctor --json 2>/dev/null >doctor || true
  # Calibration, prescription and drop-outs are no matter of the machine.
  jq --argjson usb "$(asleep_usb | jq -R . | jq -s .)" '
    [.findings[] | select(.verdict != "good" and (.subject | IN("real time", "memory", "processor speed", "kernel", "clocks")))
      | {subject, found, remedy}]
    + [$usb[] | {subject: "USB", found: "\(.) may be put to sleep", remedy: "As root: echo on > the file power/control of it"}]' doctor
}

# USB devices of class audio (interfaces of class 01) whose power is managed.
asleep_usb() {
  local interface device
  for interface in /sys/bus/usb/devices/*:*/bInterfaceClass; do
    [ -e "$interface" ] && [ "$(cat "$interface")" = 01 ] || continue
    device=/sys/bus/usb/devices/$(basename "${interface%/bInterfaceClass}" | sed 's/:.*//')
    [ "$(cat "$device/power/control" 2>/dev/null)" != auto ] || cat "$device/product" 2>/dev/null || basename "$device"
  done | sort -u
}

processor_times() { awk '$1 == "cpu" { for (n = 2; n <= 9; n++) sum += $n; print $9 + 0, sum }' /proc/stat; }
waiting_microseconds() { sed -n 's/^some.*total=//p' /proc/pressure/cpu 2>/dev/null || true; }

start_of_meanwhile() {
  times_before=$(processor_times)
  waiting_before=$(waiting_microseconds)
  meanwhile_began=$EPOCHREALTIME
}

machine_meanwhile() {
  local stolen_before all_before stolen all
  read -r stolen_before all_before <<<"${times_before:-0 0}"
  read -r stolen all <<<"$(processor_times)"
  jq -n --argjson stolen $((stolen - stolen_before)) --argjson all $((all - all_before)) --arg load "$(cut -d ' ' -f 1-3 /proc/loadavg)" \
    --arg waited "$(waiting_microseconds)" --arg before "${waiting_before:-}" \
    --argjson seconds "$(awk -v a="${meanwhile_began:-0}" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" '
    {seconds: $seconds, load: $load, processors: '"$(nproc)"',
     stolen_percent: (if $all > 0 then 100 * $stolen / $all else null end),
     waited_percent: (if $waited != "" and $before != "" then (($waited | tonumber) - ($before | tonumber)) / 1e4 / $seconds else null end)}'
}
