extension StatusReport {
  /// Cautions about the prescription, the configuration and the calibration: missing, held back or not in force, and why.
  package var cautions: [String] {
    var lines = (prescription?.notes ?? []) + (program?.notes ?? [])
    if !fitting.isFitted { lines.append("Not fitted: nothing is amplified.") }
    for ear in fitting.needlessGainEars ?? [] {
      lines.append(
        "Caution: the \(ear) ear hears normally by its audiogram and gets gain, which it does not need."
          + " More: auricle check, or auricle rx show")
    }
    if let cap = fitting.gainCap {
      lines.append("Not calibrated: gain is held to \(Int(cap)) dB, levels are estimates.")
    } else if calibration.microphone.status == .none || calibration.earphone.status == .none {
      lines.append("Not calibrated: levels are estimates.")
    }
    return lines
  }
}
