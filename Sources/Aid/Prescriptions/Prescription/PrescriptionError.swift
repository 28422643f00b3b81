import Acoustics

/// Why decisions do not make a prescription.
package enum PrescriptionError: Error, Equatable {
  /// A text that cannot be printed or is too long.
  case unusableText(field: String, reason: String)
  /// Outside ``Prescription/serials``.
  case serialOutOfRange(Int)
  /// Not below the prescription's own.
  case supersededSerialOutOfRange(Int)
  case expiresBeforeIssue
  /// Outside ``Instant/writable``.
  case momentOutOfRange(String)
  /// Not within 90 days after issue.
  case trialOutOfRange
  /// `volume` or `tone` beyond what may be allowed, or without 0 in it.
  case adjustmentOutOfRange(String)
  /// More decimals than a card carries.
  case tooPrecise(field: String, value: Double, step: Double)
  /// An ear's air-conduction thresholds do not cover 500 to 2000 Hz.
  case thresholdsMissing(Ear)
  /// More than ``Prescription/greatestPointCount`` points in an ear's audiogram.
  case tooManyThresholds(Ear)
  /// Outside ``DeveloperPass/durations``; s.
  case durationOutOfRange(Int)
  /// More than ``DeveloperPass/longestValidity`` from issue to expiry.
  case passTooLong
}

extension PrescriptionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unusableText(let field, let reason): "\(field): \(reason)"
    case .serialOutOfRange(let serial): "serial \(serial): expected 1 to 999999999"
    case .supersededSerialOutOfRange(let serial):
      "supersedes \(serial): expected a serial below the prescription's own"
    case .expiresBeforeIssue: "expiry: found a moment before the issue, expected one after it"
    case .trialOutOfRange: "trial: expected an end within 90 days after the issue"
    case .adjustmentOutOfRange("volume"): "patient's volume: expected a range around 0 within -20 to 10 dB"
    case .adjustmentOutOfRange(let name): "patient's \(name): expected a range around 0 within -10 to 10 dB"
    case .tooPrecise(let field, let value, let step):
      "\(field): found \(value), expected a multiple of \(step)"
    case .momentOutOfRange(let name): "\(name): expected a moment from 1970 to 9999"
    case .tooManyThresholds(let ear):
      "\(ear) ear: expected at most \(Prescription.greatestPointCount) thresholds"
    case .durationOutOfRange(let seconds): "debug mode for \(seconds) s: expected 60 to 28800 s"
    case .passTooLong: "pass: expected an expiry within 30 days after the issue"
    case .thresholdsMissing(let ear):
      "\(ear) ear: air-conduction thresholds do not reach from 500 to 2000 Hz, where the rule needs them"
    }
  }
}
