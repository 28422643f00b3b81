import Base

/// Findings of an examination of the machine, as `auricle doctor --json` prints it.
package struct DoctorReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 102
  package private(set) var findings: [Finding]
  /// Delay of the loop as `--loop` has measured it now; nil: not asked for, or without a result.
  package private(set) var loop: Loop?

  init(findings: [Finding], loop: Loop? = nil) { (self.findings, self.loop) = (findings, loop) }

  /// Measured delay of the loop at each ear; nil: an ear that was not measured.
  package struct Loop: Sendable, Codable, Equatable {
    package let left: StatusReport.Feedback.Delay?
    package let right: StatusReport.Feedback.Delay?
  }

  /// True when nothing stands in the way of sound.
  package var isHealthy: Bool { !findings.contains { $0.verdict == .bad } }

  /// One fact about the machine.
  package struct Finding: Sendable, Codable, Hashable {
    package enum Verdict: String, Sendable, Codable, CaseIterable {
      case good
      /// Sound will flow, but worse than it could.
      case warning
      /// Sound will not flow, or not safely.
      case bad
    }

    private enum CodingKeys: CodingKey { case subject, verdict, found, remedy, fix }

    /// Object of the finding, `real-time priority`.
    package let subject: String
    package let verdict: Verdict
    /// The finding, without a full stop.
    package let found: String
    /// Advice, whole sentences.
    package var remedy: String?
    /// Outcome of `--fix`; nil: nothing is wrong, or it was not asked for.
    package private(set) var fix: Fix?
    /// Change that repairs it; not in a report that was read from JSON.
    var repair = Repair.none(.choice)

    init(
      _ subject: String, _ verdict: Verdict, found: String, remedy: String? = nil,
      repair: Repair = .none(.choice)
    ) {
      self.subject = subject
      self.verdict = verdict
      self.found = found
      self.remedy = remedy
      self.repair = repair
    }
  }

  /// Outcome of repairing one finding.
  package struct Fix: Sendable, Codable, Hashable {
    package enum Outcome: String, Sendable, Codable, CaseIterable {
      case repaired
      /// Tried, and something was in the way.
      case failed
      /// Not tried.
      case left
    }

    package let outcome: Outcome
    /// The change, what was in the way, or why it was not tried: a sentence without its full stop.
    package let words: String
  }
}

extension DoctorReport {
  /// Repairs what may be repaired without asking, one finding after the other; each says what came of it.
  ///
  /// - Parameter carryOut: Carries out a step; replaced in tests.
  /// - Threads: control.
  package mutating func repair(
    _ carryOut: (Repair.Step) throws(Failure) -> String = { (step) throws(Failure) in try step.carryOut() }
  ) {
    for index in findings.indices where findings[index].verdict != .good {
      switch findings[index].repair {
      case .none(let reason): findings[index].note(Fix(outcome: .left, words: reason.words))
      case .step(let step):
        do throws(Failure) {
          findings[index].note(Fix(outcome: .repaired, words: try carryOut(step)))
        } catch { findings[index].note(Fix(outcome: .failed, words: error.sentence)) }
      }
    }
  }

  /// Counts of what was repaired, failed and left.
  package func count(_ outcome: Fix.Outcome) -> Int { findings.count { $0.fix?.outcome == outcome } }
}

extension DoctorReport.Finding {
  fileprivate mutating func note(_ fix: DoctorReport.Fix) { self.fix = fix }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(String.self, forKey: .subject), try values.decode(Verdict.self, forKey: .verdict),
      found: try values.decode(String.self, forKey: .found),
      remedy: try values.decodeIfPresent(String.self, forKey: .remedy))
    fix = try values.decodeIfPresent(DoctorReport.Fix.self, forKey: .fix)
  }
}

extension Failure {
  /// The whole message without its full stop.
  fileprivate var sentence: String { message.hasSuffix(".") ? String(message.dropLast()) : message }
}
