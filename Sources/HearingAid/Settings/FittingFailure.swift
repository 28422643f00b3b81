public import Acoustics
public import Fitting
public import HearingDSP

/// Why settings do not make a sound that can be played.
public enum FittingFailure: Error, Equatable {
  /// The rule has no answer for this ear.
  case rule(Ear, FittingError)
  /// The chain refuses the numbers.
  case chain(ChainError)
  /// The calibration does not reach where the chain needs it.
  case calibration(CalibrationError)
}

extension FittingFailure: CustomStringConvertible {
  /// One sentence without a final stop.
  public var description: String {
    switch self {
    case .rule(let ear, let error): "\(ear.rawValue) ear: \(error)"
    case .chain(let error): "\(error)"
    case .calibration(let error): "calibration: \(error)"
    }
  }
}
