import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// A compressor with a slow average and a fast half, by the standard's step (see ``StepResponseTests``).
@Suite("Two speeds of compression") struct TwoSpeedTests {
  static let frequency = 2000.0
  static let rate = 44_100.0

  /// Level of the output, dB, sample by sample, for a tone of the given steps.
  static func output(
    _ steps: [(level: Double, seconds: Double)], _ dynamics: Dynamics, ratio: Double
  ) throws -> (levels: [Double], starts: [Int]) {
    let ear = ChainRig.ear(try ChainRig.compressive(ratio))
    var rig = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    let counts = steps.map { Int($0.seconds * rate) }
    let input = Signal.steps(frequency, zip(steps.map(\.level), counts).map { ($0, $1) })
    let levels = Measure.envelope(rig.run(input).left, frequency: frequency)
      .map { ChainRig.fullScale.decibels + 20 * log10(max($0, 1e-9)) }
    let starts = counts.indices.map { counts[..<$0].reduce(0, +) } + [counts.reduce(0, +)]
    return (levels, starts)
  }

  /// Time from `start` until the level stays within `tolerance` of `steady`, s. The block's last samples belong to what
  /// comes after.
  static func settling(
    _ levels: [Double], _ range: Range<Int>, to steady: Double, within tolerance: Double
  ) -> Double {
    let last = levels[range.lowerBound..<range.upperBound - 64]
      .lastIndex { abs($0 - steady) > tolerance }
    return Double((last ?? range.lowerBound - 1) + 1 - range.lowerBound) / rate
  }

  /// Level that comes out in the end, dB SPL: 20 dB of gain up to 40 dB SPL, compressed above.
  static func steady(_ level: Double, _ ratio: Double) -> Double { 60 + (level - 40) / ratio }

  static let settings: [Dynamics] = [
    .speech, .music, Dynamics(average: SlowAverage(attack: 0.5, release: 3)),
    Dynamics(attack: 0.005, release: 0.05, average: SlowAverage(attack: 0.25, release: 0.5, threshold: 6)),
  ]

  @Test(
    "after a long loud sound attack is the fast half's and release the average's, within 20 %",
    arguments: settings, cases([1.5, 2.0, 3.0]))
  func long(_ dynamics: Dynamics, ratio: Double) throws {
    let average = try #require(dynamics.average)
    let (levels, starts) = try Self.output(
      [(55, 2 + 2 * average.attack), (90, 1 + 4 * average.attack), (55, 1.5 * average.release)], dynamics,
      ratio: ratio)
    let attack = Self.settling(
      levels, starts[1]..<starts[2], to: Self.steady(90, ratio), within: 3)
    let release = Self.settling(
      levels, starts[2]..<starts[3], to: Self.steady(55, ratio), within: 4)
    #expect(abs(attack / dynamics.attack - 1) <= 0.2, "attack \(attack)")
    #expect(abs(release / dynamics.standardRelease - 1) <= 0.2, "release \(release)")
  }

  @Test(
    "after a short one release is the fast half's, within 20 %", arguments: settings,
    cases([1.5, 2.0, 3.0]))
  func short(_ dynamics: Dynamics, ratio: Double) throws {
    let average = try #require(dynamics.average)
    // Long enough for the fast half, too short to move the average by more than the standard's 4 dB of gain.
    let burst = 3 * dynamics.attack
    let (levels, starts) = try Self.output(
      [(55, 2 + 2 * average.attack), (90, burst), (55, 1)], dynamics, ratio: ratio)
    let release = Self.settling(
      levels, starts[2]..<starts[3], to: Self.steady(55, ratio), within: 4)
    #expect(abs(release / dynamics.release - 1) <= 0.2, "release \(release)")
    // Held while it lasted.
    let held = levels[starts[1] + Int(1.2 * dynamics.attack * Self.rate)..<starts[2] - 64]
    #expect(held.allSatisfy { $0 < Self.steady(90, ratio) + 3 })
  }

  @Test(
    "the average alone has its own times, within 20 %", arguments: settings.dropFirst(1),
    cases([1.5, 2.0, 3.0]))
  func alone(_ dynamics: Dynamics, ratio: Double) throws {
    var dynamics = dynamics
    // A threshold above the step's 35 dB: the fast half never takes over.
    dynamics.average?.threshold = 40
    let average = try #require(dynamics.average)
    let (levels, starts) = try Self.output(
      [(55, 2 + 3 * average.attack), (90, 1.5 * average.attack), (90, 3 * average.attack), (55, 0.1)],
      dynamics, ratio: ratio)
    let attack = Self.settling(
      levels, starts[1]..<starts[3], to: Self.steady(90, ratio), within: 3)
    #expect(abs(attack / average.attack - 1) <= 0.2, "attack \(attack)")
  }

  @Test("syllables 10 dB apart leave the gain within 1.5 dB, where a fast compressor moves it by 4")
  func syllables() throws {
    func spread(_ dynamics: Dynamics) throws -> Double {
      let syllables = (0..<40).map { (level: $0 % 2 == 0 ? 65.0 : 55.0, seconds: 0.125) }
      let (levels, starts) = try Self.output([(62, 1.5)] + syllables, dynamics, ratio: 2)
      let gains = zip(levels, levels.indices).compactMap { level, n -> Double? in
        guard n >= starts[20], let step = starts.lastIndex(where: { $0 <= n }), n - starts[step] > 600,
          step < 40, n < starts[step + 1] - 64
        else { return nil }
        return level - (step % 2 == 1 ? 65 : 55)
      }
      return (gains.max() ?? 0) - (gains.min() ?? 0)
    }
    let (two, fast) = (try spread(.speech), try spread(Dynamics(attack: 0.005, release: 0.05)))
    #expect(two < 1.5, "\(two)")
    #expect(fast > 4, "\(fast)")
  }

  @Test("a chain that has heard nothing yet gives a steady sound its gain within half a second")
  func beginning() throws {
    let (levels, _) = try Self.output([(65, 1.5)], .music, ratio: 2)
    #expect(levels[Int(0.5 * Self.rate)...].dropLast(64).allSatisfy { abs($0 - Self.steady(65, 2)) < 1 })
  }

  @Test("speech after a minute of silence is held as quickly as after other speech")
  func afterSilence() throws {
    let (levels, starts) = try Self.output([(65, 1), (-40, 20), (65, 3)], .speech, ratio: 3)
    let attack = Self.settling(levels, starts[2]..<starts[3], to: Self.steady(65, 3), within: 3)
    // 20 dB of gain at most to take back, by a fast half made for a step of 35 dB.
    #expect(attack < 0.012, "\(attack)")
  }

  @Test(
    "a tone after silence begins louder than it stays, by what the average lets through, and settles in five times its attack",
    arguments: settings, cases([1.5, 2.0, 3.0]))
  func toneAfterSilence(_ dynamics: Dynamics, ratio: Double) throws {
    let average = try #require(dynamics.average)
    let settled = 5 * average.attack
    let (levels, starts) = try Self.output([(-40, 20), (65, settled + 1)], dynamics, ratio: ratio)
    // 4 dB for 8 dB and a ratio of 2: the fast half takes over what exceeds the average's gain curve by more.
    let most = average.threshold * (1 - 1 / ratio)
    let held = starts[1] + Int(10 * dynamics.attack * Self.rate)
    #expect(levels[held..<starts[2] - 64].allSatisfy { $0 < Self.steady(65, ratio) + most + 0.5 })
    let after = levels[starts[1] + Int(settled * Self.rate)..<starts[2] - 64]
    // The average's distance, dB, falls by the same share in each attack time: from the standard's 35 dB to where the gain is
    // within 3 dB. It begins at the floor, and the ripple of the reading adds some hundredths of a decibel.
    let share = 3 / (35 * (1 - 1 / ratio))
    let rest = (65 - Double(LevelMemory.floor)) * pow(share, 5) * (1 - 1 / ratio)
    let end = try #require(after.last)
    #expect(after.allSatisfy { abs($0 - end) < rest + 0.1 })
    // The prescribed gain within 1 dB: a band reads a tone at its centre softer by what its neighbours have of it.
    #expect(abs(end - Self.steady(65, ratio)) < 1)
  }

  @Test("an average faster than the fast half, or out of range, is refused with its name and range")
  func refused() throws {
    func error(_ average: SlowAverage, attack: Double = 0.005) -> ChainError? {
      do throws(ChainError) {
        try Dynamics(attack: attack, average: average).check()
        return nil
      } catch {
        return error
      }
    }
    #expect(error(SlowAverage()) == nil)
    #expect(
      error(SlowAverage(attack: 0.1), attack: 0.2)
        == .outOfRange(.time, name: "average attack", found: 0.1, range: 0.2...10))
    #expect(
      error(SlowAverage(release: 31))
        == .outOfRange(.time, name: "average release", found: 31, range: 0.1...30))
    #expect(
      error(SlowAverage(threshold: 2))
        == .outOfRange(.effect, name: "average threshold", found: 2, range: SlowAverage.thresholdRange))
    #expect(error(SlowAverage(attack: .nan)) != nil)
    #expect(error(SlowAverage(threshold: .infinity)) != nil)
  }
}
