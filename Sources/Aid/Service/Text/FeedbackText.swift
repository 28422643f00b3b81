import Base

/// Feedback in words, for people.
package struct FeedbackText: Sendable {
  private let report: StatusReport.Feedback
  private let style: Style

  package init(_ report: StatusReport.Feedback, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  private var ears: [(name: String, ear: StatusReport.Feedback.Ear)] {
    [("right", report.right), ("left", report.left)]
  }

  /// Lines for the status: measurement, gain held back, howls.
  var lines: [String] {
    var lines: [String] = []
    for (name, ear) in ears {
      var parts: [String] = []
      if let path = ear.path {
        parts.append("measured \(Timestamp(path.measuredUnixSeconds).day)")
        if path.isTheseDevices == false {
          parts.append(
            style.warning(
              "with another device or rate (it limits the gain all the same; for these: auricle fit feedback)"
            ))
        }
        parts.append(Self.held(path).map(style.warning) ?? "takes nothing from the gain")
      }
      if ear.howls > 0 {
        let at = ear.lastHowlHz.map { ", the last at \(NumberText.fixed($0, 0)) Hz" } ?? ""
        parts.append(style.warning("\(English.count(ear.howls, "howl")) stopped\(at)"))
      }
      // Below half a dB it is on its way back, and not heard.
      if ear.howlReliefDB >= 0.5 {
        parts.append(
          style.warning(
            "all of it \(NumberText.fixed(ear.howlReliefDB, 0)) dB softer for some seconds, because it went on howling"
          ))
      }
      if ear.cancellerResets > 0 {
        parts.append("canceller began anew \(English.count(ear.cancellerResets, "time"))")
      }
      if !parts.isEmpty { lines.append("\(name): \(parts.joined(separator: ", "))") }
    }
    if ears.allSatisfy({ $0.ear.path == nil }) { lines.insert("not measured", at: 0) }
    return lines + report.notes.map { style.warning($0) }
  }

  /// Several lines with their breaks: each band's greatest gain, and what that takes.
  package var text: String {
    var text = ""
    for (name, ear) in ears {
      let summary = ear.path.map(Self.summary) ?? "not measured."
      text += "\(style.bold(name.prefix(1).uppercased() + name.dropFirst())): \(summary)\n"
      guard let path = ear.path else { continue }
      let told = path.bands.filter { $0.isFeedbackFound || $0.isHeld }
      if !told.isEmpty {
        var table = TextTable([.leading, .trailing, .trailing, .leading])
        table.append(["", style.bold("Hz"), style.bold("gain at most"), ""])
        for band in told {
          let held =
            band.isHeld ? style.warning("\(NumberText.fixed(band.heldBackDB)) dB less than prescribed") : ""
          let doubt = band.isFeedbackFound ? "" : "bound by noise"
          table.append([
            "", NumberText.fixed(band.centreHz, 0), "\(NumberText.fixed(band.greatestGainDB)) dB",
            [held, doubt].filter { !$0.isEmpty }.joined(separator: ", "),
          ])
        }
        text += table.text
      }
      if path.isTheseDevices == false {
        text +=
          style.warning(
            "Measured with another device or rate; it limits the gain, and the canceller does not use it.")
          + "\n"
      }
    }
    let delays = LoopDelayText(report)
    if let line = delays.line {
      text +=
        "\(style.bold("Loop")): \([line, delays.comparison].compactMap(\.self).joined(separator: "; ")).\n"
    }
    for note in report.notes { text += style.warning(note) + "\n" }
    return text
  }

  private static func summary(_ path: StatusReport.Feedback.Path) -> String {
    let place =
      "on \(path.capture == path.playback ? path.capture : "\(path.capture) and \(path.playback)")"
    let when = "\(Timestamp(path.measuredUnixSeconds).day) \(Timestamp(path.measuredUnixSeconds).clock)"
    let isFound = path.bands.contains(where: \.isFeedbackFound)
    let delay = isFound ? path.delaySeconds.map { ", back after \(NumberText.milliseconds($0))" } ?? "" : ""
    let unlimited =
      isFound
      ? "nothing is taken from the gain"
      : "no limit is needed up to a gain of \(NumberText.fixed(path.bands.map(\.greatestGainDB).min(), 0)) dB"
    let result = "\(isFound ? "" : "no ")feedback found\(delay); \(held(path) ?? unlimited)."
    return "\(when), \(place), \(NumberText.fixed(path.rateHz, 0)) Hz: \(result)"
  }

  /// Loss of gain that no earpiece in its place has, dB. Own choice: what a canceller gives back, and some dB more.
  package static let great = 20.0

  /// More bands than this are told by their ends.
  private static let listed = 5

  /// `gain held at 3000 and 4000 Hz, by up to 8 dB`; nil when none is.
  package static func held(_ path: StatusReport.Feedback.Path) -> String? {
    guard let most = path.held.map(\.heldBackDB).max() else { return nil }
    let centres = path.held.map { NumberText.fixed($0.centreHz, 0) }
    let place =
      centres.count <= listed
      ? "at \(English.list(centres, "and")) Hz"
      : "in \(centres.count) bands from \(centres.first ?? "") to \(centres.last ?? "") Hz"
    let advice =
      most > great
      ? ": the earpiece sits loosely, or another sound was heard; seat it and measure again" : ""
    return "gain held \(place), by up to \(NumberText.fixed(most)) dB\(advice)"
  }
}
