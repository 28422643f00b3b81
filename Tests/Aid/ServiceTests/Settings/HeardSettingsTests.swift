import Acoustics
import Base
import Engine
import Fitting
import Prescriptions
import Testing

@testable import Service

/// The one composition, which daemon and commands share.
@Suite struct HeardSettingsTests {
  private var configured: HearingSettings {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n4.audiogram))
    settings.dynamics.binauralLink = 0.5
    return settings
  }

  @Test("a prescription brings thresholds, plan and limits; the rest stays the configuration's")
  func card() throws {
    let adjustment = try PatientAdjustment(volume: -5...3, tone: -1...1)
    let heard = HearingSettings.heard(
      configured, prescribed: try .sample(adjustment), program: .music,
      adjustment: SoundAdjustment(volume: 9, tone: -9))
    #expect(heard.audiograms == Binaural(both: StandardAudiogram.n3.audiogram))
    #expect(heard.plan.target == .rule(.nalRP))
    #expect(heard.adjustmentLimits == AdjustmentLimits(volume: -5...3, tone: -1...1))
    #expect(heard.adjustment == SoundAdjustment(volume: 3, tone: -1))
    #expect(heard.program == .music && heard.dynamics.binauralLink == 0.5)
  }

  @Test("a book with nothing in force amplifies nothing; without a book the configuration counts")
  func without() {
    #expect(HearingSettings.heard(configured, prescribed: .nothing).audiograms == nil)
    let heard = HearingSettings.heard(configured, prescribed: .byConfiguration)
    #expect(heard.audiograms == configured.audiograms && heard.adjustmentLimits == .usual)
  }

  @Test("limits of an earlier prescription do not outlast it")
  func formerLimits() throws {
    let former = HearingSettings.heard(
      configured, prescribed: try .sample(PatientAdjustment(volume: -5...3)))
    #expect(HearingSettings.heard(former, prescribed: .nothing).adjustmentLimits == .usual)
  }
}

extension Prescribed {
  /// N3 in both ears by NAL-RP.
  static func sample(_ adjustment: PatientAdjustment = .none) throws -> Prescribed {
    let clinic = try CardMaker()
    let birth = try #require(CalendarDate(year: 1950, month: 2, day: 3))
    let prescription = try Prescription(
      serial: 1, patient: Patient(givenName: "Ada", familyName: "Example", birthDate: birth),
      prescriber: Prescriber(name: "Dr. Ear", clinic: clinic.key.identity.name), environment: .quiet,
      audiograms: Binaural(both: StandardAudiogram.n3.audiogram),
      plan: FittingPlan(target: .rule(.nalRP)), adjustment: adjustment, issued: clinic.now)
    return .card(prescription, signedBy: clinic.key.identity.fingerprint)
  }
}
