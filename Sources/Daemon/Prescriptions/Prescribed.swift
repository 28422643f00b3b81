import Fitting
import HearingAid
import Prescriptions

/// Whose word decides what is heard.
enum Prescribed: Sendable, Equatable {
  /// The book is empty: the configuration file's audiogram, if it names one.
  case byConfiguration
  /// There is a book, and nothing in it is in force, or it cannot be read: nothing is amplified, because what
  /// the configuration says may be meant for somebody else.
  case nothing
  case card(SignedPrescription)
}

extension HearingSettings {
  /// These settings with what is prescribed. Calibration, times and the greatest output stay the device's own.
  func following(_ prescribed: Prescribed) -> HearingSettings {
    var settings = self
    settings.adjustmentLimits = .usual
    switch prescribed {
    case .byConfiguration: break
    case .nothing: settings.audiograms = nil
    case .card(let signed):
      let adjustment = signed.prescription.adjustment
      settings.adjustmentLimits = AdjustmentLimits(volume: adjustment.volume, tone: adjustment.tone)
      settings.audiograms = signed.prescription.audiograms
      settings.plan = signed.prescription.plan
    }
    return settings
  }
}
