import Acoustics
import Base
import Control
import Engine
import HearingDSP

extension Failure {
  /// Why settings make no sound that can be played, and which line asked for it.
  init(_ failure: FittingFailure, _ loaded: LoadedConfiguration) {
    switch failure {
    case .rule(let ear, let error):
      let failure = Failure(
        loaded.configuration.hearing.audiogram ?? "hearing.audiogram",
        saying: "\(ear.rawValue) ear, \(error)",
        exit: .badData)
      if case .insufficientThresholds = error {
        self = failure.logged(asKind: "too few frequencies for the rule in the \(ear.rawValue) ear")
      } else {
        self = failure
      }
    case .calibration(let error):
      self.init(loaded.place(of: "calibration.microphone.file"), saying: "\(error)", exit: .badData)
    case .chain(let error): self.init(error, loaded)
    }
  }

  private init(_ error: ChainError, _ loaded: LoadedConfiguration) {
    func misfit(_ key: String, _ found: String, _ expected: String) -> Failure {
      Failure(loaded.place(of: key), found: "\(key) = \(found)", expected: expected, exit: .configuration)
    }
    switch error {
    case .unsupportedSampleRate(let rate):
      self = misfit("device.rate", "\(rate.shortText) Hz", "44100, 48000 or 96000 Hz")
    case .unsupportedBlock(let frames):
      let range = ChainGeometry.blockRange
      self = misfit("device.period", "\(frames) frames", "\(range.lowerBound) to \(range.upperBound)")
    case .outOfRange(.time, let name, let found, let range):
      self = misfit(
        "hearing.\(name)", "\((found * 1000).shortText) ms",
        "\((range.lowerBound * 1000).shortText) to \((range.upperBound * 1000).shortText) ms")
    case .outOfRange(.share, _, let found, _): self = misfit("hearing.link", "\(found)", "0 to 1")
    case .outOfRange(.level, let name, let found, let range):
      self.init(
        name, found: "\(found.shortText) dB SPL",
        expected: "\(range.lowerBound.shortText) to \(range.upperBound.shortText) dB SPL",
        remedy: "Look at [safety] and [calibration] in the configuration.", exit: .configuration)
    case .gainOutOfRange(let band, let limit):
      let centres = loaded.configuration.hearing.bands
      let place = centres.map { "at \($0[band].shortText) Hz" } ?? "in band \(band + 1)"
      self = Failure(
        loaded.configuration.hearing.audiogram ?? "hearing.audiogram",
        found: "a gain \(place) beyond reach",
        expected: "at most \(limit.shortText) dB", exit: .badData
      ).logged(asKind: "a gain beyond reach")
    case .curveCount, .tooManyKnots, .slopeTooSteep, .noPlan, .outOfRange(.effect, _, _, _):
      self.init("fitting", found: "\(error)", remedy: "This is a fault of this program.", exit: .software)
    }
  }
}
