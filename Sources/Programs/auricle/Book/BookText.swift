import Base
import Service

/// The prescription book in words.
struct BookText: Sendable {
  let report: BookReport
  var style = Style.plain

  /// Several lines with their breaks.
  var text: String {
    guard !report.prescriptions.isEmpty else {
      return "No prescription was loaded yet. Scan a card with: auricle rx scan card.png\n" + notes
    }
    var table = TextTable([.trailing, .leading, .leading, .trailing, .leading, .leading])
    table.append(["no.", "for", "from", "serial", "issued", ""].map(style.bold))
    // Names can be alike; keys are not.
    let areSeveral = Set(report.prescriptions.map(\.key)).count > 1
    for entry in report.prescriptions {
      let key = areSeveral ? " (key \(entry.key.prefix(9)))" : ""
      table.append([
        "\(entry.number)", entry.environment, entry.clinic + key, "\(entry.serial)",
        Timestamp(entry.issuedUnixSeconds).day, standing(entry),
      ])
    }
    return table.text + notes
  }

  private var notes: String { report.notes.map { style.warning($0) + "\n" }.joined() }

  private func standing(_ entry: BookReport.Entry) -> String {
    let isHeard = entry.number == report.inForce?.number
    var parts = isHeard ? [style.good("in force")] : []
    if let end = entry.trialEndsUnixSeconds {
      parts.append(style.warning("on trial until \(Timestamp(end).text)"))
    } else if !isHeard {
      parts.append(entry.standing)
    }
    if let serial = entry.replacedBySerial { parts.append(style.warning("replaced by serial \(serial)")) }
    return parts.joined(separator: ", ")
  }
}

/// A card before it is taken in, in words.
struct CardPreviewText: Sendable {
  let preview: CardPreview

  /// Several lines with their breaks.
  var text: String {
    let environment = preview.environment.map { " for \($0)" } ?? ""
    let kind = preview.kind.replacing("-", with: " ")
    var lines = [
      "Card         \(kind) \(preview.serial)\(environment)",
      "Clinic       \(preview.clinic), key \(preview.key.prefix(19)) …",
    ]
    if let person = preview.person { lines.append("For          \(person.words)") }
    lines.append("Hearing aid  \(preview.wearer.map { "of \($0.words)" } ?? "of nobody yet")")
    return (lines + preview.effects).joined(separator: "\n") + "\n"
  }
}

/// Trusted clinics in words.
struct ClinicsText: Sendable {
  let report: ClinicsReport
  var style = Style.plain

  var text: String {
    guard !report.clinics.isEmpty else {
      return "No clinic is trusted yet. Enrol one with its card: auricle trust add clinic.png\n"
    }
    var table = TextTable([.leading, .leading, .leading])
    table.append(["clinic", "fingerprint", ""].map(style.bold))
    for clinic in report.clinics {
      let standing =
        clinic.revokedUnixSeconds.map { style.bad("revoked \(Timestamp($0).day)") }
        ?? "trusted since \(Timestamp(clinic.enrolledUnixSeconds).day)"
        + (clinic.validUntilUnixSeconds.map { ", until \(Timestamp($0).day)" } ?? "")
      table.append([clinic.name, clinic.fingerprint, standing])
    }
    return table.text
  }
}

/// The audit trail in words.
struct AuditText: Sendable {
  let report: AuditReport
  var style = Style.plain

  var text: String {
    guard !report.lines.isEmpty else { return "Nothing was done yet.\n" }
    var table = TextTable([.trailing, .leading, .leading, .leading, .leading, .leading])
    table.append(["", "when", "who", "what", "to what", "chain"].map(style.bold))
    for line in report.lines {
      let role = line.role.map { " as \($0) by \(line.proof ?? "?")" } ?? ""
      let who = line.channel == "clock" ? "time" : "user \(line.uid), process \(line.pid)\(role)"
      table.append([
        "\(line.sequence)", Timestamp(line.unixSeconds).text, "\(who) (\(line.channel))", line.action,
        line.subject, String(line.hash.prefix(12)),
      ])
    }
    return table.text
  }
}
