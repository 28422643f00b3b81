import Acoustics
import Base
import Glibc
import Procedures
import Testing

@testable import Service

/// The softest sounds that the format of a device resolves.
extension ProcedurePlanningTests {
  @Test(
    "a match goes down to the softest tone that the device resolves, and one that ends there is told so"
  )
  func softest() throws {
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency, order.threshold, order.trials) = (.left, 1000, 40, 1)
    func plan(_ resolution: Int?) throws -> LoudnessPlan {
      guard case .loudness(let plan) = try planning(order, resolution: resolution).plan().plan else {
        throw Failure("plan", found: "another one", exit: .software)
      }
      return plan
    }
    // A peak of four of 32768 steps, where 0 dB HL at 1 kHz are 5.5 − 120 dB FS.
    let softest = 20 * log10(4.0 / 32_768) + 120 - 5.5
    let coarse = try plan(16)
    #expect(abs(coarse.range.floor.decibels - softest) < 1e-9)
    #expect(coarse.range.threshold == HearingLevel(40))
    // From 45 dB HL: one turn leads to 40, two to the softest tone.
    for (turns, isAtLimit) in [(1, false), (2, true)] {
      var match = ProcedurePlan.loudness(coarse).begin(seed: 0)
      for answer in Array(repeating: ProcedureAnswer.turn(-5), count: turns) + [.accept] {
        let isTaken = match.take(answer)
        #expect(isTaken)
      }
      #expect(match.result?.loudness?.isAtLimit == isAtLimit)
    }
    // Of 24 bits four steps are −126.4 dB FS, −11.9 dB HL.
    for resolution in [24, nil] as [Int?] {
      #expect(try plan(resolution).range.floor == HearingLevel(-10))
    }
  }

  @Test("a threshold below all that the device resolves is refused, with its format and test as a way out")
  func unresolved() throws {
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 30)
    // 36.2 dB HL, as above.
    let failure = #expect(throws: Failure.self) { try planning(order, resolution: 16).plan() }
    #expect(
      failure?.message
        == "loudness: found a threshold of 30 dB HL at 1000 Hz, expected 37 dB HL or more, for this format of the "
        + "device resolves nothing softer. Take a device.format of 24 bits or more, or measure with this one: "
        + "auricle hearing-test --ear left --frequency 1000")
    // A log is told nothing of the threshold.
    #expect(
      failure?.logMessage == "loudness: found a sound that this format of the device does not resolve.")
  }

  @Test(
    "tones about a threshold measured with a finer format lie above it as others do, and no softer than the softest tone of this one"
  )
  func lifted() throws {
    let test = try RecordedProcedure.hearingTest([500: 60, 1000: 30, 4000: 60])
    // 36.2 dB HL, as above.
    let softest = 20 * log10(4.0 / 32_768) + 120 - 5.5
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      // 10 dB above each threshold, as no match tells more.
      let coarse = try curve([test], resolution: 16, name)
      for coarse in [coarse, try curve([test], resolution: 24, name)] {
        for (frequency, level) in [(500.0, 70.0), (1000, 40), (4000, 70)] {
          #expect(abs(coarse.level(at: frequency).decibels - level) < 1e-9)
        }
        #expect(coarse.uncertain.isEmpty)
      }
    }
    // Matched at 30 dB HL with 24 bits: 20 dB above the threshold, from 5 dB above it.
    let low = try RecordedProcedure.hearingTest([500: 50, 1000: 10, 4000: 50])
    let match = try loudness(threshold: 10, turns: -3)
    #expect(match.result?.loudness?.level == HearingLevel(30))
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      for (resolution, level, isRaised) in [(16, softest, true), (24, 30, false)]
        as [(Int, Double, Bool)]
      {
        let curve = try curve([low, match], resolution: resolution, name)
        for (frequency, level) in [(500.0, 70.0), (1000, level), (4000, 70)] {
          #expect(abs(curve.level(at: frequency).decibels - level) < 1e-9)
        }
        #expect(curve.uncertain.contains(1000) == isRaised)
        #expect(!curve.uncertain.contains(500) && !curve.uncertain.contains(4000))
      }
    }
  }

  @Test("where even the softest tone of the device lies more than 60 dB above the threshold none is played")
  func liftedFar() throws {
    // 20 dB above those of the other tests: 56.2 dB HL at 1 kHz.
    let calibration = OutputCalibration(
      device: RecordedProcedure.calibration.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(140))),
      transducer: Transducer.named("hda200"))
    let test = try RecordedProcedure.hearingTest(
      [500: 50, 1000: -10, 2000: 50, 4000: 50], by: calibration)
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    let plan = try planning(order, fullScale: 140, resolution: 16, records: [test]).plan().plan
    let curve = try #require(plan.pitchCurve)
    #expect(curve.unheard == [1000] && curve.unheardInDoubt.isEmpty && curve.range == 2000...4000)
  }
}
