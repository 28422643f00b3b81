import Base

/// Programs, volume and tone in words.
package enum ProgramText {
  /// `music, volume −2 dB, tone as prescribed`, without a full stop.
  package static func line(_ report: ProgramReport) -> String {
    let program = report.chosen == "automatic" ? "automatic, now \(report.name)" : report.name
    return "\(program), volume \(words(report.volume.valueDB)), tone \(words(report.tone.valueDB))"
  }

  /// Sentence on a choice that is not heard now, and on what lets it be; nil: it is heard, or the aid is silent and nothing was changed.
  package static func silence(_ state: StatusReport.State, isChanged: Bool) -> String? {
    if state.isMuted { return "Muted. Sound again with: auricle unmute" }
    guard isChanged else { return nil }
    switch state.name {
    case .running, .muted: return nil
    case .starting, .waitingForDevice:
      let reason = state.reason.map { ": \($0)" } ?? ""
      return "No sound yet\(reason). The change is heard when sound begins, which it does by itself."
    case .stopped, .faulted: return "No sound is playing; the change is heard after: auricle start"
    }
  }

  /// `+2 dB`, `−3 dB`, `as prescribed`.
  package static func words(_ value: Double) -> String {
    value == 0 ? "as prescribed" : "\(NumberText.signed(value)) dB"
  }

  /// `−10 to +4 dB`.
  package static func range(_ adjustment: ProgramReport.Adjustment) -> String {
    "\(NumberText.signed(adjustment.leastDB)) to \(NumberText.signed(adjustment.mostDB)) dB"
  }
}
