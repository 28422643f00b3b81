import Acoustics

/// One figure held against one limit.
package struct Finding: Sendable, Equatable {
  /// Origin of a limit.
  package enum Source: String, Sendable, CaseIterable {
    /// The rule for over-the-counter hearing aids.
    case overTheCounter = "21 CFR 800.30"
    case soundAmplifier = "ANSI/CTA-2051"
    /// Tolerances around the fitting's targets.
    case tolerance = "ANSI/ASA S3.22"
    /// The fitting's own settings.
    case fitting = "fitting"
  }

  /// Reliability of a limit. The standards themselves were not at hand, so nothing is better than
  /// secondary.
  package enum Knowledge: String, Sendable, CaseIterable {
    /// Read in a public program or text that quotes or follows the standard.
    case secondary = "secondary source"
    case memory = "from memory"
    case own = "own choice"
  }

  package enum Bound: Sendable, Equatable {
    case atMost(Double)
    case atLeast(Double)
    case within(ClosedRange<Double>)
  }

  package enum Verdict: String, Sendable {
    case met
    case broken
    case notApplicable = "not applicable"
  }

  package var source: Source
  /// Place in the source, such as "(d)(2)"; empty where it is not known.
  package var clause = ""
  /// Limited quantity, such as "Maximum output".
  package var name: String
  /// Nil: both ears alike.
  package var ear: Ear?
  /// Nil: there is nothing to measure; ``note`` says why.
  package var measured: Double?
  package var unit: String
  package var bound: Bound
  package var knowledge: Knowledge
  /// Place or method of the measurement, a few words.
  package var note = ""

  /// A figure that is not a number meets no limit.
  package var verdict: Verdict {
    guard let measured else { return .notApplicable }
    let isMet =
      switch bound {
      case .atMost(let limit): measured <= limit
      case .atLeast(let limit): measured >= limit
      case .within(let range): range.contains(measured)
      }
    return isMet ? .met : .broken
  }
}
