import Acoustics
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine

/// What a measured path leaves of the prescription.
@Suite("MaximumStableGain") struct StableGainTests {
  /// A path with the same |F| everywhere but in an octave, dB; `crossing` is what its earphone sends to the other ear.
  static func measured(
    _ level: Double, peak: Double? = nil, at frequency: Double = 3000, crossing: Double = FeedbackCell.floor
  ) -> FeedbackMeasurement {
    FeedbackMeasurement(
      moment: 0, captureName: "a", playbackName: "b", rate: 48_000, level: 65, delay: 0.006,
      deviceDelay: 0.004, response: [0.1],
      cells: FeedbackCell.frequencies(rate: 48_000).map {
        let isNear = abs(log2($0 / frequency)) < 0.05
        let level = isNear ? peak ?? level : level
        return FeedbackCell(frequency: $0, level: level, noise: -90, own: level, crossing: crossing)
      })
  }

  /// The same as a former version measured it.
  static func former(_ measured: FeedbackMeasurement) -> FeedbackMeasurement {
    var former = measured
    for index in former.cells.indices {
      former.cells[index].own = nil
      former.cells[index].crossing = nil
    }
    return former
  }

  static func settings(_ feedback: FeedbackMeasurement?) throws -> HearingSettings {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n4.audiogram))
    settings.microphones = try InputCalibration(
      device: HearingSettingsTests.device, channels: [Sensitivity(flat: SoundPressureLevel(110))])
    settings.earphones = OutputCalibration(
      device: HearingSettingsTests.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(118))))
    settings.feedback.measurements.left = feedback
    return settings
  }

  @Test(
    "every band may have −|F| less the margin, and the canceller's certain gain where it follows paths in full"
  )
  func formula() {
    let measured = Self.measured(-40, peak: -20)
    let off = MaximumStableGain.gains(measured, bands: .standard, isCancelling: false)
    let on = MaximumStableGain.gains(measured, bands: .standard, isCancelling: true)
    for (band, centre) in BandLayout.standard.centres.enumerated() {
      // The peak at 3 kHz acts on all bands whose gain is heard there: up to the neighbouring centres.
      let isNear = (2500...3500).contains(centre)
      #expect(abs(off[band] - (isNear ? 14 : 34)) < 1e-9, "\(centre)")
      // 1.5 to 6 kHz; a band that acts beyond, up to a neighbour's centre, is held by what lies there.
      let isWhole = (2400...4300).contains(centre)
      let isOutside = !(1000...9500).contains(centre)
      if isNear || isWhole { #expect(abs(on[band] - off[band] - 10) < 1e-9, "\(centre)") }
      if isOutside { #expect(on[band] == off[band], "\(centre)") }
      #expect(on[band] - off[band] >= 0 && on[band] - off[band] <= 10 + 1e-9)
    }
  }

  @Test("a band between measured frequencies is held by the stronger neighbour, never free")
  func sparse() {
    var measured = Self.measured(-40)
    measured.cells = [(100.0, -50.0), (1000, -30), (9000, -45)].map {
      FeedbackCell(frequency: $0, level: $1, noise: -90)
    }
    let gains = MaximumStableGain.gains(measured, bands: .standard, isCancelling: false)
    for (band, centre) in BandLayout.standard.centres.enumerated() {
      // −|F| less the margin of 6 dB; 375 Hz and 3 kHz act on no measured frequency.
      if centre == 375 || centre == 3000 { #expect(abs(gains[band] - 24) < 1e-9) }
      #expect(gains[band].isFinite, "\(centre)")
    }
  }

  @Test("the canceller counts for nothing where it does not begin with the path of these devices")
  func otherDevices() throws {
    var settings = try Self.settings(Self.measured(-40))
    settings.program = .quiet
    #expect(settings.treatment.feedback.isCancelling)
    let without = try #require(try settings.stableGains(for: .left))
    #expect(without.allSatisfy { abs($0 - (34 + 8)) < 1e-9 })
    settings.feedback.deviceDelay = 0.005
    settings.feedback.isOfTheseDevices.left = false
    #expect(try settings.stableGains(for: .left) == without)
    settings.feedback.isOfTheseDevices.left = true
    let with = try #require(try settings.stableGains(for: .left))
    #expect(abs((with.max() ?? 0) - (44 + 8)) < 1e-9 && with[0] == without[0])
  }

  @Test("the calibration says what gain in the digits an insertion gain is")
  func calibrated() throws {
    // Digital gain = insertion gain + 110 − 118.
    let limits = try #require(try Self.settings(Self.measured(-40)).stableGains(for: .left))
    for limit in limits { #expect(abs(limit - (34 + 8)) < 1e-9) }
    #expect(try Self.settings(Self.measured(-40)).stableGains(for: .right) == nil)
  }

  @Test(
    "at every level and band the gain is the lesser of prescribed and stable; the other ear stays as it is")
  func held() throws {
    let (free, held) = (try Self.settings(nil), try Self.settings(Self.measured(-30, peak: -12)))
    let limits = try #require(try held.stableGains(for: .left))
    let (before, after) = (try free.fitting(for: .left), try held.fitting(for: .left))
    var isHeldSomewhere = false
    for band in limits.indices {
      for level in stride(from: -20.0, through: 130, by: 0.5) {
        let level = SoundPressureLevel(level)
        let expected = min(before.curves[band].gain(at: level), limits[band])
        #expect(abs(after.curves[band].gain(at: level) - expected) < 1e-6)
        if expected < before.curves[band].gain(at: level) { isHeldSomewhere = true }
      }
    }
    #expect(isHeldSomewhere)
    #expect(try free.fitting(for: .right) == held.fitting(for: .right))
    #expect(after.bandLimits == before.bandLimits)
    // And what is told is where and by how much.
    let told = try held.gainLimits(for: .left).filter(\.isHolding)
    #expect(try held.gainLimits(for: .right).isEmpty && free.gainLimits(for: .left).isEmpty)
    for (band, centre) in BandLayout.standard.centres.enumerated() {
      let most = before.curves[band].knots.map(\.gain).max() ?? 0
      let reduction = most - limits[band]
      let line = told.first { $0.centre == centre }
      #expect((line == nil) == (reduction < 0.5))
      if let line { #expect(abs(line.reduction - reduction) < 1e-6 && line.limit == limits[band]) }
    }
  }

  @Test("volume and tone cannot turn a gain above what is stable")
  func turned() throws {
    var settings = try Self.settings(Self.measured(-30))
    settings.adjustmentLimits = AdjustmentLimits(volume: -10...20, tone: -6...6)
    settings.adjustment = SoundAdjustment(volume: 20, tone: 6)
    let limits = try #require(try settings.stableGains(for: .left))
    for (curve, limit) in zip(try settings.fitting(for: .left).curves, limits) {
      for level in stride(from: 0.0, through: 120, by: 5) {
        #expect(curve.gain(at: SoundPressureLevel(level)) <= limit + 1e-9)
      }
    }
  }

  @Test("a loop of 0 dB leaves a gain below 0 dB also to an ear without a prescription")
  func direct() throws {
    var settings = HearingSettings()
    settings.feedback.measurements.left = Self.measured(0)
    for curve in try settings.fitting(for: .left).curves {
      #expect(curve.gain(at: SoundPressureLevel(65)) == -6)
    }
    #expect(try settings.gainLimits(for: .left).filter(\.isHolding).count == 20)
    _ = try settings.parameters(for: ChainGeometry(sampleRate: 48_000, blockFrames: 64))
  }

  @Test("never a gain above the curve's own or above the limit, whatever the curve")
  func anyCurve() throws {
    var state: UInt64 = 7
    func random(_ range: ClosedRange<Double>) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) * 0x1p-53
    }
    for _ in 0..<2000 {
      let count = Int(random(1...8))
      var level = random(-20...40)
      var knots: [GainCurve.Knot] = []
      for _ in 0..<count {
        knots.append(.init(level: SoundPressureLevel(level), gain: random(-50...80)))
        level += random(1...20)
      }
      let curve = try GainCurve(knots: knots, slopeBelow: random(-2...2), slopeAbove: random(-2...2))
      let limit = random(-120...120)
      let held = curve.held(below: limit)
      for level in stride(from: -60.0, through: 160, by: 1.7) {
        let expected = min(curve.gain(at: SoundPressureLevel(level)), min(max(limit, -100), 100))
        #expect(abs(held.gain(at: SoundPressureLevel(level)) - expected) < 1e-6)
      }
    }
  }

  @Test("the loop's delay is the measured one with the devices of the measurement, else the devices' own")
  func loopDelay() throws {
    var settings = try Self.settings(Self.measured(-40))
    #expect(settings.treatment.feedback.loopDelay == 0)
    settings.feedback.deviceDelay = 0.005
    // Nothing but what the devices say now.
    #expect(abs(settings.treatment.feedback.loopDelay - 0.005) < 1e-12)
    settings.feedback.isOfTheseDevices.left = true
    settings.feedback.measurements.right = Self.measured(-40)
    settings.feedback.isOfTheseDevices.right = true
    // 6 ms measured when the devices said 4; now they say 5.
    #expect(abs(settings.treatment.feedback.loopDelay - 0.007) < 1e-12)
    let path = try #require(try settings.fitting(for: .left).feedbackPath)
    #expect(path.sampleRate == 48_000 && path.response == [0.1] && abs(path.delay - 0.007) < 1e-12)
    // Measured while the devices' delay moved: 7 ms that no air and no converter makes; it limits, and is not begun with.
    settings.feedback.measurements.left?.delay = 0.011
    #expect(try settings.fitting(for: .left).feedbackPath == nil)
    #expect(!settings.isCancelling(at: .left))
    settings.feedback.measurements.left?.delay = 0.006
    // A loop that no canceller reaches across: it limits, and is not cancelled by.
    settings.feedback.deviceDelay = 0.4
    #expect(try settings.fitting(for: .left).feedbackPath == nil)
    settings.program = .quiet
    _ = try settings.parameters(for: ChainGeometry(sampleRate: 48_000, blockFrames: 64))
    #expect(settings.treatment.feedback.loopDelay == 0.05 && !settings.treatment.feedback.isCancelling)
    settings.feedback.deviceDelay = 0.005
    #expect(
      settings.treatment.feedback.isCancelling == ListeningProgram.quiet.treatment.feedback.isCancelling)
  }

  @Test(
    "an ear at which nothing was found goes by the other's delay, and by what the devices do not tell there",
    arguments: [true, false])
  func otherEar(isTight: Bool) throws {
    var settings = try Self.settings(Self.measured(-40))
    settings.program = .quiet
    if isTight {
      settings.feedback.measurements.right = Self.measured(-60)
      settings.feedback.measurements.right?.delay = nil
      settings.feedback.isOfTheseDevices.right = true
    }
    settings.feedback.deviceDelay = 0.004
    // What the devices tell alone.
    #expect(settings.treatment.feedback.loopDelay == 0.004)
    #expect(!settings.treatment.feedback.isDelayMeasured && !settings.isCancelling(at: .left))
    settings.feedback.isOfTheseDevices.left = true
    #expect(abs(settings.treatment.feedback.loopDelay - 0.006) < 1e-12)
    #expect(settings.treatment.feedback.isDelayMeasured && settings.isCancelling(at: .left))
    // 12.2 ms with 8 that no device tells are a delay that moved, until they are measured, at either ear.
    settings.feedback.measurements.left?.delay = 0.0122
    #expect(!settings.isCancelling(at: .left))
    settings.feedback.delays.right = LoopDelayMeasurement(
      moment: 0, captureName: "a", playbackName: "b", rate: 48_000, period: 64, level: 55, delay: 0.012,
      spread: 0, repetitions: 5, deviceDelay: 0.004)
    settings.feedback.isDelayOfTheseDevices.right = true
    #expect(abs(settings.treatment.feedback.loopDelay - 0.012) < 1e-12)
    #expect(settings.isCancelling(at: .left))
  }

  @Test("a longer loop at the other ear takes no path away; the ear's own loop may")
  func longerOtherLoop() throws {
    var settings = try Self.settings(Self.measured(-40))
    settings.program = .quiet
    settings.feedback.deviceDelay = 0.004
    settings.feedback.isOfTheseDevices.left = true
    // The devices do not tell 2 ms of the left ear's path and 3.2 ms of the right ear's loop: 40 cm of air.
    let loop = LoopDelayMeasurement(
      moment: 0, captureName: "a", playbackName: "b", rate: 48_000, period: 64, level: 55, delay: 0.0072,
      spread: 0, repetitions: 5, deviceDelay: 0.004)
    settings.feedback.delays.right = loop
    settings.feedback.isDelayOfTheseDevices.right = true
    #expect(abs(settings.treatment.feedback.loopDelay - 0.006) < 1e-12)
    #expect(settings.isCancelling(at: .left))
    let path = try #require(try settings.fitting(for: .left).feedbackPath)
    #expect(abs(path.delay - 0.006) < 1e-12)
    // No path begins 1.2 ms before its own ear's loop.
    settings.feedback.delays.left = loop
    settings.feedback.isDelayOfTheseDevices.left = true
    #expect(abs(settings.treatment.feedback.loopDelay - 0.0072) < 1e-12)
    #expect(!settings.isCancelling(at: .left))
    #expect(try settings.fitting(for: .left).feedbackPath == nil)
  }

  @Test(
    "the canceller's certain gain is given where the path begins within 1 ms of the shorter loop's first trace"
  )
  func lateOnset() throws {
    var settings = try Self.settings(Self.measured(-40))
    settings.program = .quiet
    settings.feedback.deviceDelay = 0.004
    settings.feedback.measurements.right = Self.measured(-40)
    settings.feedback.isOfTheseDevices = Binaural(both: true)
    let granted = try #require(try settings.stableGains(for: .right))
    for (delay, isGranted) in [(0.006, true), (0.0069, true), (0.0071, false), (0.0085, false)] {
      settings.feedback.measurements.right?.delay = delay
      #expect(settings.isCancelling(at: .right) == isGranted && settings.isCancelling(at: .left))
      // It begins with the path all the same.
      #expect(try settings.fitting(for: .right).feedbackPath != nil)
      let gains = try #require(try settings.stableGains(for: .right))
      let taken = zip(granted, gains).map { $0 - $1 }.max() ?? 0
      #expect(abs(taken - (isGranted ? 0 : MaximumStableGain.certainAddedGain)) < 1e-9, "\(delay) s")
    }
  }

  @Test("a loop that is longer than the canceller reaches across is searched for howls at its own delay")
  func wholeDelay() throws {
    var settings = HearingSettings()
    settings.program = .quiet
    #expect(settings.treatment.feedback.isCancelling && settings.treatment.feedback.isNotching)
    // No more than the guard's own reach, 0.35 s; a delay that is no number is none.
    for (told, expected) in [
      (0.005, 0.0), (0.05, 0), (0.07, 0.07), (0.12, 0.12), (0.4, 0.35), (Double.infinity, 0),
      (Double.nan, 0),
    ] {
      settings.feedback.deviceDelay = told
      let feedback = settings.treatment.feedback
      #expect(feedback.wholeDelay == expected && feedback.isNotching, "\(told) s")
      #expect(feedback.isCancelling == (expected == 0) && !feedback.isDelayMeasured, "\(told) s")
      _ = try settings.parameters(for: ChainGeometry(sampleRate: 48_000, blockFrames: 64))
    }
    // Measured: 120 ms, 10 ms more than told.
    settings.feedback.deviceDelay = 0.11
    settings.feedback.delays.left = LoopDelayMeasurement(
      moment: 0, captureName: "a", playbackName: "b", rate: 48_000, period: 64, level: 55, delay: 0.12,
      spread: 0, repetitions: 5, deviceDelay: 0.11)
    settings.feedback.isDelayOfTheseDevices.left = true
    let feedback = settings.treatment.feedback
    #expect(abs(feedback.wholeDelay - 0.12) < 1e-12 && feedback.isDelayMeasured)
    #expect(feedback.loopDelay == FeedbackControl.loopDelays.upperBound)
  }

  @Test("the part of the loop's delay that the devices tell reaches the canceller, within what it accepts")
  func deviceDelay() throws {
    var settings = try Self.settings(Self.measured(-40))
    #expect(settings.treatment.feedback.deviceDelay == 0)
    for (told, expected) in [(0.005, 0.005), (0.4, 0.05), (Double.infinity, 0), (Double.nan, 0)] {
      settings.feedback.deviceDelay = told
      #expect(settings.treatment.feedback.deviceDelay == expected)
    }
  }
}
