import Base
import Control
import Engine
import HearingDSP
import Prescriptions

/// Source of thresholds and plan.
package enum Prescribed: Sendable, Equatable, CustomStringConvertible {
  /// No book: the audiogram that the configuration names, if any.
  case byConfiguration
  /// A book without a prescription in force, or one that cannot be read: no gain, because the
  /// configuration's audiogram may be somebody else's.
  case nothing
  /// A prescription that a trusted clinic signed.
  case card(Prescription, signedBy: KeyFingerprint)

  init(_ signed: Signed<Prescription>) { self = .card(signed.content, signedBy: signed.clinic.fingerprint) }

  /// For the log: serial and key, no names.
  package var description: String {
    switch self {
    case .byConfiguration: "as the configuration says"
    case .nothing: "none in force, nothing is amplified"
    case .card(let prescription, let key): "serial \(prescription.serial) of \(key.grouped.prefix(9))"
    }
  }
}

extension HearingSettings {
  /// The settings that are heard: the only place where configuration, prescription, program, volume, tone
  /// and measured feedback are put together, for the daemon and for commands.
  ///
  /// Calibration, time constants and the greatest output stay the configuration's. Volume and tone are held
  /// within the limits of the prescription, or within ``AdjustmentLimits/usual`` without one.
  ///
  /// - Parameters:
  ///   - configured: The configuration's, with its files read.
  ///   - prescribed: Source of thresholds, plan and limits of volume and tone.
  ///   - program: Nil: no treatment beyond the prescribed gain.
  ///   - adjustment: Volume and tone as turned; none by default.
  ///   - streaming: Calls and music as set; nil, the default: off.
  ///   - feedback: Measured paths and the devices' delay; nothing by default.
  ///   - debug: Temporary changes; none by default.
  /// - Threads: any.
  package static func heard(
    _ configured: HearingSettings, prescribed: Prescribed, program: ListeningProgram? = nil,
    adjustment: SoundAdjustment = .none, streaming: StreamingSettings? = nil,
    feedback: FeedbackKnowledge = .none, debug: DebugSettings? = nil
  ) -> HearingSettings {
    var heard = configured
    heard.adjustmentLimits = .usual
    switch prescribed {
    case .byConfiguration: break
    case .nothing: heard.audiograms = nil
    case .card(let prescription, _):
      heard.audiograms = prescription.audiograms
      heard.plan = prescription.plan
      heard.adjustmentLimits = AdjustmentLimits(
        volume: prescription.adjustment.volume, tone: prescription.adjustment.tone)
    }
    heard.program = program
    heard.adjustment = adjustment.held(within: heard.adjustmentLimits)
    heard.streaming = streaming?.held(within: heard.adjustmentLimits)
    heard.feedback = feedback
    heard.debug = debug
    return heard
  }

  /// Refuses settings that devices with this rate and period could not play.
  ///
  /// - Parameters:
  ///   - rate: Hz.
  ///   - period: Frames.
  ///   - loaded: The configuration that they follow from, for messages.
  /// - Throws: ``Failure``.
  func checkPlayable(rate: Int, period: Int, _ loaded: LoadedConfiguration) throws(Failure) {
    do throws(FittingFailure) {
      let geometry = try rethrowing(
        FittingFailure.chain, try ChainGeometry(sampleRate: Double(rate), blockFrames: period))
      _ = try parameters(for: geometry)
    } catch { throw Failure(error, loaded) }
  }

  /// Refuses a prescription that this device's chain could not play with these settings, before it is taken
  /// into the book.
  ///
  /// - Throws: ``Failure``.
  func checkPlayable(_ card: Signed<Prescription>, _ loaded: LoadedConfiguration) throws(Failure) {
    let heard = Self.heard(
      self, prescribed: Prescribed(card), program: program, adjustment: adjustment, feedback: feedback)
    let device = loaded.configuration.device
    try heard.checkPlayable(rate: device.rate, period: device.period, loaded)
  }
}

extension Failure {
  /// Why settings make no sound that can be played, and which line asked for it.
  init(_ failure: FittingFailure, _ loaded: LoadedConfiguration) {
    switch failure {
    case .rule(let ear, let error):
      let failure = Failure(
        loaded.configuration.hearing.audiogram ?? "hearing.audiogram",
        saying: "\(ear.rawValue) ear, \(error)", exit: .badData)
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
    func misfit(_ key: String) -> Failure {
      Failure(
        loaded.place(of: key), found: "\(key) = \(error.found)", expected: error.expected,
        exit: .configuration)
    }
    switch error {
    case .unsupportedSampleRate: self = misfit("device.rate")
    case .unsupportedBlock: self = misfit("device.period")
    case .outOfRange(.time, let name, _, _): self = misfit("hearing.\(name)")
    case .outOfRange(.share, _, _, _): self = misfit("hearing.link")
    case .outOfRange(.level, let name, _, _):
      self.init(
        name, found: error.found, expected: error.expected,
        remedy: "Look at [safety] and [calibration] in the configuration.", exit: .configuration)
    case .gainOutOfRange(let band, _):
      let centres = loaded.configuration.hearing.bands
      let place = centres.map { "at \($0[band].shortText) Hz" } ?? "in band \(band + 1)"
      self = Failure(
        loaded.configuration.hearing.audiogram ?? "hearing.audiogram",
        found: "a gain \(place) beyond reach", expected: error.expected, exit: .badData
      ).logged(asKind: "a gain beyond reach")
    case .curveCount, .tooManyKnots, .slopeTooSteep, .noPlan, .outOfRange(.effect, _, _, _):
      self.init(
        "fitting", found: error.found, expected: error.expected,
        remedy: "This is a fault of this program.", exit: .software)
    }
  }
}
