import Base
import Service

/// A device's report in words: one line per protection, and under it what to do.
struct DeviceText {
  let report: DeviceReport
  var style = Style.plain

  /// Several lines with their breaks.
  var text: String {
    guard let clinic = report.clinic else {
      return "This device belongs to no clinic: it is its owner's.\n"
    }
    var lines = ["Belongs to   \(clinic)"]
    if let key = report.key { lines.append("Fingerprint  \(key)") }
    if let device = report.device { lines.append("Number       \(device)") }
    if let since = report.handedOverUnixSeconds {
      lines.append(
        "Since        \(Timestamp(since).text), by user \(report.byUser.map(String.init) ?? "unknown")")
    }
    if report.isReturned { lines.append("A pass has ended this; finish the return: auricle device return") }
    var table = TextTable([.leading, .leading, .leading])
    for protection in report.protections {
      table.append([protection.holds ? "holds" : style.bold("no"), protection.name, protection.found])
      if let remedy = protection.remedy { table.append(["", "", remedy]) }
    }
    return lines.joined(separator: "\n") + "\n" + table.text
  }
}
