import Acoustics
import Base
import Glibc
import Procedures
import Testing

@testable import Service

/// The levels and ranges that plans make of thresholds and matches.
extension ProcedurePlanningTests {
  /// The curve of a match of the left ear's pitch.
  func curve(
    _ records: [ProcedureSummary], resolution: Int? = nil, _ name: ProcedureOrder.Name = .pitch
  ) throws -> LevelCurve {
    var order = ProcedureOrder(name)
    order.ear = .left
    switch try planning(order, resolution: resolution, records: records).plan().plan {
    case .pitch(let plan): return plan.curve
    case .likeness(let plan): return plan.curve
    default: throw Failure("plan", found: "another one", exit: .software)
    }
  }

  /// A loudness match of one trial in the left ear, turned down from its beginning by steps of 5 dB, or up where there are less than none; by 0
  /// turned up and back.
  func loudness(
    threshold: Double, turns: Int, at began: Double = 1_790_000_000
  ) throws -> ProcedureSummary {
    let range = try #require(
      MatchRange(
        threshold: HearingLevel(threshold), reference: SoundPressureLevel(5.5),
        limit: SoundPressureLevel(110)))
    let plan = LoudnessPlan(ear: .left, frequency: 1000, range: range, trialCount: 1)
    let changes: [Double] = turns == 0 ? [5, -5] : Array(repeating: turns < 0 ? 5 : -5, count: abs(turns))
    var count = 0
    return try RecordedProcedure.summary(.loudness, .loudness(plan), at: began) { _ in
      count += 1
      return count > changes.count ? .accept : .turn(changes[count - 1])
    }
  }

  @Test("behind a loudness match below the threshold no tone of a pitch match lies below its own threshold")
  func softMatch() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    // The first trial begins 5 dB above the threshold: five turns lead 20 dB below.
    let soft = try loudness(threshold: 40, turns: 5)
    let found = try #require(soft.result?.loudness)
    #expect(found.sensationLevel == SensationLevel(-20) && !found.isAtLimit)
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      let curve = try curve([test, soft], name)
      for (frequency, threshold) in [(500.0, 30.0), (1000, 40), (4000, 50)] {
        #expect(abs(curve.level(at: frequency).decibels - threshold) < 1e-9)
      }
      // Thresholds lie on straight lines over the octaves.
      for point in curve.points {
        let octaves = log2(point.frequency / 1000)
        #expect(point.level.decibels >= 40 + octaves * (octaves < 0 ? 10 : 5) - 1e-9)
      }
    }
  }

  @Test(
    "a loudness match counts above the threshold that is known now, whichever it went by, and above its own where none is"
  )
  func corrected() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    // Matched at 45 dB HL by a threshold that was given, from 5 dB above it: 45 dB SL were kept, or −15.
    for (given, turns) in [(0, -8), (60, 4)] as [(Double, Int)] {
      let match = try loudness(threshold: given, turns: turns)
      #expect(try #require(match.result?.loudness).level == HearingLevel(45))
      for name in [ProcedureOrder.Name.pitch, .likeness] {
        let curve = try curve([test, match], name)
        for (frequency, threshold) in [(500.0, 30.0), (1000, 40), (4000, 50)] {
          #expect(abs(curve.level(at: frequency).decibels - (threshold + 5)) < 1e-9)
        }
      }
      // No threshold is known at 1000 Hz: as far above the others as the match lay above the one it went by.
      let elsewhere = try RecordedProcedure.hearingTest([500: 30, 4000: 20])
      let level = try curve([elsewhere, match]).level(at: 4000).decibels
      #expect(abs(level - (20 + max(0, 45 - given))) < 1e-9)
    }
  }

  @Test(
    "a match of bandwidth by the threshold that the loudness match was given too is as loud as that match")
  func givenTwice() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    let match = try loudness(threshold: 20, turns: -4)
    #expect(try #require(match.result?.loudness).level == HearingLevel(45))
    var order = ProcedureOrder(.bandwidth)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 20)
    guard case .bandwidth(let plan) = try planning(order, records: [test, match]).plan().plan else {
      Issue.record("another plan")
      return
    }
    #expect(plan.tone.level == HearingLevel(45))
    // At another frequency it is 5 dB above what is given, as the match lay above what was measured.
    #expect(try bandwidth([test, match], threshold: 30).tone.level == HearingLevel(35))
  }

  @Test("a loudness match that ended at the softest tone below the threshold says nothing of the tinnitus")
  func matchAtFloor() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    // The softest tone is the lower one of −10 dB HL and 10 dB below the threshold: five turns from 15 dB HL.
    let silent = try loudness(threshold: 10, turns: 5, at: Self.january + 20)
    let found = try #require(silent.result?.loudness)
    #expect(found.sensationLevel == SensationLevel(-20) && found.isAtLimit)
    // 10 dB above the threshold unless a match tells more, and 5 dB by one that was turned and back.
    let unknown = try curve([test, silent])
    #expect(abs(unknown.level(at: 1000).decibels - 50) < 1e-9)
    let usual = try loudness(threshold: 40, turns: 0)
    let known = try curve([test, usual, silent])
    #expect(abs(known.level(at: 1000).decibels - 45) < 1e-9)
  }

  /// The match of bandwidth at 4 kHz of the left ear with this audiogram.
  private func bandwidth(
    _ records: [ProcedureSummary], threshold: Double? = nil
  ) throws -> BandwidthPlan {
    var order = ProcedureOrder(.bandwidth)
    (order.ear, order.frequency, order.threshold) = (.left, 4000, threshold)
    guard case .bandwidth(let plan) = try planning(order, records: records).plan().plan else {
      throw Failure("plan", found: "another one", exit: .software)
    }
    return plan
  }

  @Test(
    "with a sloping loss no band of a bandwidth match's broad noise lies further above its threshold than the tone"
  )
  func slopingBandwidth() throws {
    let sloping = try RecordedProcedure.hearingTest([250: 10, 1000: 20, 4000: 55])
    // 10 dB above the threshold, as no match tells more: at 4 kHz, and of the noise at 250 Hz, where it is lowest.
    let plan = try bandwidth([sloping])
    #expect(plan.tone.level == HearingLevel(65) && plan.narrowNoise.level == HearingLevel(65))
    #expect(plan.broadNoise.level == HearingLevel(20))
    // 5 dB above it by a match that was turned and back.
    let soft = try bandwidth([sloping, try loudness(threshold: 20, turns: 0)])
    #expect(soft.tone.level == HearingLevel(60) && soft.broadNoise.level == HearingLevel(15))
    // A threshold that is given holds at its frequency: at 250 Hz the ear hears as before.
    #expect(try bandwidth([sloping], threshold: 50).broadNoise.level == HearingLevel(20))
  }

  @Test("the broad noise of a bandwidth match is 10 dB softer than the narrow noise, or softer still")
  func flatBandwidth() throws {
    let flat = try RecordedProcedure.hearingTest([250: 40, 4000: 40])
    #expect(try bandwidth([flat]).narrowNoise.level == HearingLevel(50))
    #expect(try bandwidth([flat]).broadNoise.level == HearingLevel(40))
    // Where the ear hears best at the pitch, thresholds elsewhere make nothing louder.
    let rising = try RecordedProcedure.hearingTest([250: 60, 4000: 30])
    #expect(try bandwidth([rising]).broadNoise.level == HearingLevel(30))
    // Nothing is known but the threshold that is given.
    #expect(try bandwidth([], threshold: 40).broadNoise.level == HearingLevel(40))
  }

  @Test(
    "a pitch is not searched between thresholds less than an octave apart, as no profile is made of them"
  )
  func narrow() throws {
    let close = try RecordedProcedure.hearingTest([3000: 30, 3150: 30])
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      let failure = #expect(throws: Failure.self) { try curve([close], name) }
      #expect(
        failure?.message
          == "\(name.rawValue): found thresholds from 3000 to 3150 Hz, expected a wider range, 500 to 8000 Hz for "
          + "example. Measure more frequencies: auricle hearing-test --ear left")
      #expect(failure?.logMessage == "\(name.rawValue): found too few thresholds for this match.")
    }
    let octave = try RecordedProcedure.hearingTest([1500: 30, 3000: 30])
    #expect(try curve([octave]).range == 1500...3000)
  }

  @Test(
    "no tone of a match of pitch lies about a frequency that is not heard: comparisons keep to the widest part, ratings leave it out",
    arguments: [80, .infinity] as [Double])
  func unheardTones(threshold: Double) throws {
    // A notch of noise. HDA 200: 85 dB SPL are 75.5 dB HL at 4 kHz (ISO 389-8), below a threshold of 80.
    let notch = try RecordedProcedure.hearingTest([
      500: 20, 1000: 20, 2000: 30, 3000: 55, 4000: threshold, 6000: 60, 8000: 40,
    ])
    let pitch = try curve([notch])
    #expect(pitch.range == 500...3000 && pitch.parts == [500...3000] && pitch.unheard == [4000])
    let likeness = try curve([notch], .likeness)
    #expect(likeness.parts == [500...3000, 6000...8000] && likeness.unheard == [4000])
    #expect(!likeness.points.contains { 3000 < $0.frequency && $0.frequency < 6000 })
    for curve in [pitch, likeness] { #expect(abs(curve.level(at: 3000).decibels - 65) < 1e-9) }
    // Where it hears 4 kHz there is nothing to be left out.
    let heard = try curve([try RecordedProcedure.hearingTest([500: 20, 3000: 55, 4000: 60, 8000: 40])])
    #expect(heard.range == 500...8000 && heard.unheard.isEmpty)
  }

  @Test("a match of pitch with too little beside a frequency that is not heard says at which one")
  func unheardEnds() throws {
    let edge = try RecordedProcedure.hearingTest([4000: .infinity, 6000: 60, 8000: 40])
    let failure = #expect(throws: Failure.self) { try curve([edge]) }
    #expect(
      failure?.message
        == "pitch: found thresholds from 6000 to 8000 Hz, and no tone that may be played is heard at 4000 Hz, expected a "
        + "wider range, 500 to 8000 Hz for example. Measure more frequencies: auricle hearing-test --ear left"
    )
    // One that stands alone between two has no tone beside it.
    let alone = try RecordedProcedure.hearingTest([2000: .infinity, 4000: 30, 8000: .infinity])
    let alike = #expect(throws: Failure.self) { try curve([alone]) }
    #expect(
      alike?.found
        == "1 thresholds of the left ear from 500 Hz up that tones can be heard above, and no tone that may be played is "
        + "heard at 2000 and 8000 Hz")
    // Beyond the highest threshold the range ends there.
    let high = try curve([try RecordedProcedure.hearingTest([500: 20, 4000: 30, 8000: .infinity])])
    #expect(high.range == 500...4000 && high.unheard == [8000])
  }

  @Test(
    "the list of records says of each pitch whether it lies at an end of its range, and of nothing otherwise"
  )
  func listedEdge() throws {
    let plan = ProcedurePlan.pitch(PitchPlan(ear: .left, curve: RecordedProcedure.curve))
    // A pitch is more like the nearer tone on the axis of octaves. The range is 500 to 4000 Hz.
    for (pitch, isAtEdge) in [(12_000.0, true), (200, true), (1400, false)] {
      let record = try RecordedProcedure.summary(.pitch, plan) { step in
        let distances = step.cues.compactMap { $0.stimulus.map { abs(log2($0.frequency / pitch)) } }
        return distances[0] < distances[1] ? .first : .second
      }
      #expect(ProcedureList.Entry(record).isPitchAtEdge == isAtEdge)
      // An octave from each end lies within the range, and so do both from the middle of its three octaves.
      let octave = pitch > 4000 ? PitchMatchResult.Octave.above : .below
      #expect(ProcedureList.Entry(record).uncomparedOctaves == (isAtEdge ? [octave] : []))
    }
    let other = ProcedureList.Entry(try loudness(threshold: 10, turns: 0))
    #expect(other.isPitchAtEdge == nil && other.uncomparedOctaves == nil)
  }
}
