import Acoustics
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine

/// Two earphones at one microphone.
extension StableGainTests {
  @Test("the canceller takes its certain gain from the own earphone's part; the other one's counts whole")
  func ownPart() {
    var measured = Self.measured(-40)
    // As much comes from the other earphone.
    for index in measured.cells.indices { measured.cells[index].level = -40 + 20 * log10(2) }
    let off = MaximumStableGain.gains(measured, bands: .standard, isCancelling: false)
    let on = MaximumStableGain.gains(measured, bands: .standard, isCancelling: true)
    for (band, centre) in BandLayout.standard.centres.enumerated() {
      #expect(abs(off[band] - (40 - 20 * log10(2) - 6)) < 1e-9, "\(centre)")
      // A tenth of the own part's power remains: |F| is 0.01 · (√0.1 + 1), and the gain around the loop a half of the edge's.
      guard (2400...4300).contains(centre) else { continue }
      #expect(abs(on[band] - (40 - 20 * log10(0.1.squareRoot() + 1) - 6)) < 1e-9, "\(centre)")
    }
  }

  @Test("ears that were measured one after the other count what each earphone sends to the other ear, once")
  func oneByOne() throws {
    var (left, right) = (Self.measured(-40), Self.measured(-50, crossing: -40))
    // 0.01 from each earphone, and 6 dB.
    let expected = 40 - 20 * log10(2.0) - 6
    var settings = try Self.settings(left)
    settings.feedback.measurements.right = right
    // The calibration makes 8 dB more of it as insertion gain.
    for limit in try #require(try settings.stableGains(for: .left)) {
      #expect(abs(limit - (expected + 8)) < 1e-9)
    }
    for limit in try settings.gainLimits(for: .left) { #expect(abs(limit.limit - (expected + 8)) < 1e-9) }
    // The left earphone sends nothing to the right microphone.
    for gain in MaximumStableGain.gains(right, other: left, bands: .standard, isCancelling: false) {
      #expect(abs(gain - (50 - 6)) < 1e-9)
    }
    // Where the test has heard both.
    for index in left.cells.indices { left.cells[index].level = -40 + 20 * log10(2) }
    for gain in MaximumStableGain.gains(left, other: right, bands: .standard, isCancelling: false) {
      #expect(abs(gain - expected) < 1e-9)
    }
    // And where less is sent now: what was heard together counts until it is measured again.
    right = Self.measured(-50, crossing: -60)
    for gain in MaximumStableGain.gains(left, other: right, bands: .standard, isCancelling: false) {
      #expect(abs(gain - expected) < 1e-9)
    }
  }

  @Test("where a former version measured one of the ears, the canceller counts for nothing at either")
  func formerVersion() throws {
    var settings = try Self.settings(Self.measured(-40))
    settings.program = .quiet
    settings.feedback.deviceDelay = 0.004
    settings.feedback.measurements.right = Self.measured(-60)
    settings.feedback.isOfTheseDevices = Binaural(both: true)
    #expect(settings.isCancelling(at: .left) && settings.isCancelling(at: .right))
    settings.feedback.measurements.right = Self.former(Self.measured(-60))
    #expect(!settings.isCancelling(at: .left) && !settings.isCancelling(at: .right))
    // It begins with its path all the same, and the limit is that without a canceller.
    #expect(try settings.fitting(for: .left).feedbackPath != nil)
    for limit in try #require(try settings.stableGains(for: .left)) {
      #expect(abs(limit - (34 + 8)) < 1e-9)
    }
    // What the other ear's new test adds may be in it already, and counts twice then.
    settings.feedback.measurements.left = Self.former(Self.measured(-40))
    settings.feedback.measurements.right = Self.measured(-60, crossing: -40)
    #expect(!settings.isCancelling(at: .left) && !settings.isCancelling(at: .right))
    for limit in try #require(try settings.stableGains(for: .left)) {
      #expect(abs(limit - (34 - 20 * log10(2) + 8)) < 1e-9)
    }
  }

  @Test(
    "an ear at which nobody knows the other earphone's part has no gain of the canceller; the other ear has it"
  )
  func unknownPart() throws {
    var left = Self.measured(-40)
    for index in left.cells.indices { left.cells[index].crossing = nil }
    #expect(left.isOwnKnown && !left.isCrossingKnown)
    var settings = try Self.settings(left)
    settings.program = .quiet
    settings.feedback.deviceDelay = 0.004
    settings.feedback.isOfTheseDevices = Binaural(both: true)
    #expect(settings.isCancelling(at: .left))
    settings.feedback.measurements.right = Self.measured(-60)
    #expect(settings.isCancelling(at: .left) && !settings.isCancelling(at: .right))
    for limit in try #require(try settings.stableGains(for: .right)) {
      #expect(abs(limit - (54 + 8)) < 1e-9)
    }
  }
}
