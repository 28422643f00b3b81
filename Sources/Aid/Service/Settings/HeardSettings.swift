import Engine
import HearingDSP
import Prescriptions

/// Source of thresholds and plan.
package enum Prescribed: Sendable, Equatable {
  /// No book: the audiogram that the configuration names, if any.
  case byConfiguration
  /// A book without a prescription in force, or one that cannot be read: no gain, because the
  /// configuration's audiogram may be somebody else's.
  case nothing
  /// A prescription that a trusted clinic signed.
  case card(Prescription, signedBy: KeyFingerprint)
}

extension Prescribed: CustomStringConvertible {
  /// For the log: serial and key, no names.
  package var description: String {
    switch self {
    case .byConfiguration: "as the configuration says"
    case .nothing: "none in force, nothing is amplified"
    case .card(let prescription, let key):
      "serial \(prescription.serial) of \(key.grouped.prefix(9))"
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
  ///   - feedback: Measured paths and the devices' delay; nothing by default.
  /// - Threads: any.
  package static func heard(
    _ configured: HearingSettings, prescribed: Prescribed, program: ListeningProgram? = nil,
    adjustment: SoundAdjustment = .none, feedback: FeedbackKnowledge = .none
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
    heard.feedback = feedback
    return heard
  }

  /// Refuses settings that devices with this rate and period could not play.
  ///
  /// - Parameters:
  ///   - rate: Hz.
  ///   - period: Frames.
  /// - Throws: ``FittingFailure``.
  func checkPlayable(rate: Int, period: Int) throws(FittingFailure) {
    let geometry: ChainGeometry
    do {
      geometry = try ChainGeometry(sampleRate: Double(rate), blockFrames: period)
    } catch {
      throw .chain(error)
    }
    _ = try parameters(for: geometry)
  }
}
