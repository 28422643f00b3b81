/// An examination in words, for people: one line per fact, and under it what to do.
public struct DoctorText: Sendable {
  private let report: DoctorReport
  private let style: Style

  public init(_ report: DoctorReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks.
  public var text: String {
    var table = TextTable([.leading, .leading, .leading])
    for finding in report.findings {
      table.append([mark(finding.verdict), finding.subject, finding.found])
      if let remedy = finding.remedy { table.append(["", "", remedy]) }
    }
    return table.text
  }

  private func mark(_ verdict: DoctorReport.Finding.Verdict) -> String {
    switch verdict {
    case .good: style.good("good")
    case .warning: style.warning("warning")
    case .bad: style.bad("bad")
    }
  }
}
