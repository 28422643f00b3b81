import Base
import Control
import Engine
import Fitting

/// Findings on the prescription that is heard: of the book, or of the configuration's audiogram.
extension DoctorReport {
  /// An audiogram of the configuration that cannot be read and is not heard, or need not be; nothing otherwise.
  static func audiogram(_ leftOut: Failure?, isUnknown: Bool) -> [Finding] {
    guard let leftOut else { return [] }
    let found = "\(leftOut.subject): \(leftOut.found); "
    guard !isUnknown else {
      return [
        Finding(
          "audiogram", .warning, found: found + "it is unknown if the prescription book replaces it",
          remedy:
            "See if a card is in force: auricle rx show. Without one no aid starts until this file is there, "
            + "or another one is named: auricle config set hearing.audiogram=FILE")
      ]
    }
    return [
      Finding(
        "audiogram", .warning, found: found + "the prescription book says what is heard",
        remedy: "Name another one, or none: auricle config unset hearing.audiogram")
    ]
  }

  /// The book's prescription, which replaces the configuration's audiogram; nil when no daemon reports one, or when the
  /// configuration's is in force because the book never held any.
  static func bookPrescription(_ machine: Machine) -> Finding? {
    guard let report = machine.report else { return closedBookPrescription(machine) }
    guard !report.isWithheld else { return withheldPrescription(report) }
    guard let prescription = report.prescription else { return nil }
    let notes = prescription.notes.joined(separator: " ")
    guard let serial = prescription.serial else {
      if report.fitting.isFitted, notes.isEmpty { return nil }
      return Finding(
        "prescription", .warning, found: "none in force, so nothing is amplified",
        remedy: notes.isEmpty ? "Scan a card: auricle rx scan" : notes, repair: .none(.hearing))
    }
    let words =
      "serial \(serial) for \(prescription.environment ?? "everywhere") from \(prescription.clinic ?? "a clinic")"
    return Finding(
      "prescription", notes.isEmpty ? .good : .warning, found: words, remedy: notes.isEmpty ? nil : notes,
      repair: .none(.hearing))
  }

  /// The prescription of a daemon that tells nothing of it to this user.
  private static func withheldPrescription(_ report: StatusReport) -> Finding {
    guard !report.fitting.isFitted else {
      return Finding("prescription", .good, found: "one is in force, told to those who have a role alone")
    }
    return Finding(
      "prescription", .warning, found: "none in force, so nothing is amplified",
      remedy: "Why is told to those who have a role: auricle doctor --as audiologist",
      repair: .none(.hearing))
  }

  /// The prescription as a daemon has it whose configuration is another one than the one that is examined, and whose book has none.
  static func heardPrescription(_ report: StatusReport) -> Finding {
    let fitting = report.fitting
    guard fitting.isFitted else {
      return Finding(
        "prescription", .warning, found: "none in force, so nothing is amplified",
        remedy: "Scan a card: auricle rx scan", repair: .none(.hearing))
    }
    let words = "\(fitting.rule ?? "fitted"), \(StatusText.place(fitting.ears))"
    return audiogramPrescription(words, cautions: fitting.audiogramCautions ?? 0)
  }

  /// The prescription of a book that no daemon has open, whose content is the daemon's to read; nil where there was never
  /// a card, so that the configuration's audiogram is heard.
  private static func closedBookPrescription(_ machine: Machine) -> Finding? {
    switch machine.book {
    case .absent: return nil
    case .newer, .unreadable:
      return Finding(
        "prescription", .warning, found: "in a book of cards that cannot be read",
        remedy: "Until it can be, the last one that was heard is in force, or none. See the book below.",
        repair: .none(.hearing))
    case .current, .older, .inUse:
      guard let hasCards = machine.hasCards else {
        return Finding(
          "prescription", .warning, found: "a book of cards, which may have none",
          remedy: "Whether one is in force tells: auricle rx show", repair: .none(.hearing))
      }
      guard hasCards else { return nil }
      return Finding("prescription", .good, found: "in the book of cards; to see it: auricle rx show")
    }
  }

  /// True where the configuration's audiogram may be what is heard: it is unknown if the book has a card.
  static func isPrescriptionUnknown(_ machine: Machine) -> Bool {
    if let report = machine.report { return report.isWithheld }
    return switch machine.book {
    case .absent, .newer, .unreadable: false
    case .current, .older, .inUse: machine.hasCards == nil
    }
  }

  static func configuredPrescription(
    _ hearing: HearingSettings, _ loaded: LoadedConfiguration
  ) -> Finding {
    let ears = hearing.fittedEars.map(\.rawValue)
    guard !ears.isEmpty else {
      return Finding(
        "prescription", .warning, found: "no audiogram, so nothing is amplified",
        remedy:
          "Scan a card: auricle rx scan; or name an audiogram: auricle config set hearing.audiogram=FILE",
        repair: .none(.hearing))
    }
    let words = "\(loaded.configuration.hearing.rule.identifier), \(StatusText.place(ears))"
    // Counted, not told: what doctor prints is sent to others for help.
    return audiogramPrescription(words, cautions: hearing.findings.count { $0.severity == .caution })
  }

  /// A prescription that is worked out from an audiogram.
  private static func audiogramPrescription(_ words: String, cautions: Int) -> Finding {
    guard cautions > 0 else { return Finding("prescription", .good, found: words) }
    return Finding(
      "prescription", .warning,
      found: "\(words); \(English.count(cautions, "caution")) about the audiogram",
      remedy: "auricle check says which. Let a physician or an audiologist look at them.",
      repair: .none(.hearing))
  }
}
