import Acoustics
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Output safety stage by itself") struct OutputSafetyStageTests {
  static let rate = 44_100.0
  static let frames = 64
  /// Far below the limit, so that only ramp and lowering act.
  static let level: Float = 1e-3

  /// Limits at full scale.
  static func limits() throws -> OutputLimits {
    try OutputLimits(Binaural(both: ChainRig.ear(try ChainRig.flat(0), limit: 120)))
  }

  static func stage(rise: Double = 0.1) throws -> OutputSafety {
    OutputSafety(
      limits: try limits(), geometry: try ChainGeometry(sampleRate: rate, blockFrames: frames), rise: rise)
  }

  /// Hops of a constant; what comes out of both ears, and the last report.
  static func run(
    _ stage: inout OutputSafety, hops: Int = 1, left: Float = level, right: Float = -level,
    request: OutputRequest = .init()
  ) -> (left: [Float], right: [Float], report: OutputReport) {
    var (outLeft, outRight) = ([Float](), [Float]())
    var report = OutputReport()
    for _ in 0..<hops {
      var a = [Float](repeating: left, count: frames)
      var b = [Float](repeating: right, count: frames)
      var spanA = a.mutableSpan
      var spanB = b.mutableSpan
      report = stage.process(&spanA, &spanB, from: 0, frames: frames, request: request)
      (outLeft, outRight) = (outLeft + a, outRight + b)
    }
    return (outLeft, outRight, report)
  }

  /// 3x² − 2x³ at a share of the way.
  static func ramp(_ x: Double) -> Double { x * x * (3 - 2 * x) }

  @Test("a stage that was not opened is silent and says so; an opened one is not")
  func closed() throws {
    var stage = try Self.stage()
    var isSilent = stage.isSilent
    #expect(isSilent)
    let output = Self.run(&stage, hops: 3)
    #expect(output.left.allSatisfy { $0 == 0 } && output.right.allSatisfy { $0 == 0 })
    #expect(output.report.ramp == 0 && output.report.ears.left.factor == 0)
    stage.open()
    isSilent = stage.isSilent
    #expect(!isSilent)
    _ = Self.run(&stage)
    stage.close()
    isSilent = stage.isSilent
    // It still falls.
    #expect(!isSilent)
    _ = Self.run(&stage, hops: 20)
    isSilent = stage.isSilent
    #expect(isSilent)
  }

  @Test(
    "it rises from the moment it is opened until the ramp is complete, and neither before nor while it falls"
  )
  func rising() throws {
    var stage = try Self.stage()
    var isRising = stage.isRising
    #expect(!isRising)
    stage.open()
    isRising = stage.isRising
    #expect(isRising)
    // 0.1 s are 68.9 hops.
    _ = Self.run(&stage, hops: 68)
    isRising = stage.isRising
    #expect(isRising)
    _ = Self.run(&stage, hops: 1)
    isRising = stage.isRising
    #expect(!isRising)
    stage.close()
    _ = Self.run(&stage)
    isRising = stage.isRising
    #expect(!isRising)
  }

  @Test("sound rises sample by sample as 3x² − 2x³ in the time asked for", arguments: [0.1, 0.05, 0.3])
  func rise(seconds: Double) throws {
    var stage = try Self.stage(rise: seconds)
    stage.open()
    let output = Self.run(&stage, hops: 220)
    for n in 0..<output.left.count {
      let expected = Self.ramp(min(1, Double(n + 1) / (seconds * Self.rate)))
      // A position that is added up in single precision over 13,000 samples.
      #expect(abs(Double(output.left[n] / Self.level) - expected) < 5e-4, "\(n)")
      #expect(output.right[n] == -output.left[n])
    }
    #expect(output.left.last == Self.level && output.report.ramp == 1)
    #expect(output.report.ears.left.factor == 1 && output.report.ears.right.factor == 1)
  }

  @Test(
    "a rise shorter than 50 ms, negative or no number takes 50 ms",
    arguments: [0.049, 0, -1, .nan, -Double.infinity] as [Double])
  func shortest(seconds: Double) throws {
    var stage = try Self.stage(rise: seconds)
    stage.open()
    let output = Self.run(&stage, hops: 40)
    for n in stride(from: 0, to: output.left.count, by: 100) {
      let expected = Self.ramp(min(1, Double(n + 1) / (0.05 * Self.rate)))
      #expect(abs(Double(output.left[n] / Self.level) - expected) < 5e-4, "\(n)")
    }
  }

  @Test("sound falls in 20 ms, from where it is, and rises from there again")
  func fall() throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    stage.close()
    let fall = Self.run(&stage, hops: 5)
    for n in 0..<fall.left.count {
      let expected = Self.ramp(1 - Double(n + 1) / (0.02 * Self.rate))
      #expect(abs(Double(fall.left[n] / Self.level) - expected) < 5e-4, "\(n)")
    }
    stage.open()
    let x = 1 - 320 / (0.02 * Self.rate)
    let rise = Self.run(&stage)
    for n in 0..<64 {
      let expected = Self.ramp(x + Double(n + 1) / (0.05 * Self.rate))
      #expect(abs(Double(rise.left[n] / Self.level) - expected) < 5e-4, "\(n)")
    }
    stage.close()
    let end = Self.run(&stage, hops: 20)
    #expect(end.left.suffix(300).allSatisfy { $0 == 0 } && end.report.ramp == 0)
  }

  @Test(
    "after a gap it is silent at once and rises anew; other limits bring their own rise, or the usual one")
  func restart() throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    stage.restart()
    #expect(Self.run(&stage).left[0] < Self.level * 1e-4)
    for (rise, expected) in [(0.2 as Double?, 0.2), (nil, 0.05), (0.01, 0.05)] {
      stage.retarget(to: try Self.limits(), rise: rise)
      stage.restart()
      let output = Self.run(&stage, hops: 30)
      #expect(
        abs(Double(output.left[1919] / Self.level) - Self.ramp(min(1, 1920 / (expected * Self.rate))))
          < 5e-4)
    }
  }

  @Test("a request for silence is met in its hop, and sound rises anew behind it")
  func silence() throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    var request = OutputRequest()
    request.isSilent = true
    let output = Self.run(&stage, request: request)
    #expect(
      output.left.allSatisfy { $0 == 0 } && output.right.allSatisfy { $0 == 0 } && output.report.ramp == 0)
    let next = Self.run(&stage)
    #expect(abs(Double(next.left[63] / Self.level) - Self.ramp(64 / (0.05 * Self.rate))) < 1e-5)
    let brokenHops = stage.brokenHops
    #expect(brokenHops == 0)
  }

  @Test(
    "one ear that is not finite silences both, is counted and told, and both rise anew",
    arguments: [true, false])
  func broken(isLeft: Bool) throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    for count in 1...3 {
      let output = Self.run(
        &stage, left: isLeft ? .nan : Self.level, right: isLeft ? Self.level : .infinity)
      #expect(output.left.allSatisfy { $0 == 0 } && output.right.allSatisfy { $0 == 0 })
      #expect(output.report.isBroken && output.report.ears.left.isBroken == isLeft)
      #expect(output.report.ears.right.isBroken != isLeft)
      let broken = isLeft ? output.report.ears.left : output.report.ears.right
      #expect(broken.inputPower == 0 && broken.power == 0)
      let brokenHops = stage.brokenHops
      #expect(brokenHops == Int64(count))
    }
    let next = Self.run(&stage)
    #expect(!next.report.isBroken)
    #expect(abs(Double(next.left[63] / Self.level) - Self.ramp(64 / (0.05 * Self.rate))) < 1e-5)
  }

  @Test("each ear is lowered in a straight line over the hop, from the one factor to the other")
  func lowering() throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    var request = OutputRequest()
    (request.left, request.right) = (.init(from: 1, to: 0.5), .init(from: 0.25, to: 1))
    let output = Self.run(&stage, request: request)
    for n in 0..<64 {
      let share = Double(n + 1) / 64
      // Rounding of 64 steps.
      #expect(abs(Double(output.left[n] / Self.level) - (1 - 0.5 * share)) < 1e-5)
      #expect(abs(Double(-output.right[n] / Self.level) - (0.25 + 0.75 * share)) < 1e-5)
    }
    #expect(output.report.ears.left.lowering == 0.5 && output.report.ears.right.lowering == 1)
    #expect(output.report.ears.left.factor == 0.5 && output.report.ears.right.factor == 1)
    #expect(output.report.ramp == 1)
  }

  @Test(
    "an ear is lowered to silence and comes back from it over a hop; a request of nothing changes nothing")
  func toSilence() throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    for (from, to) in [(Float(1), Float(0)), (0, 1)] {
      var request = OutputRequest()
      request.left = .init(from: from, to: to)
      let output = Self.run(&stage, request: request)
      for n in 0..<64 {
        let expected = Double(from) + Double(to - from) * Double(n + 1) / 64
        #expect(abs(Double(output.left[n] / Self.level) - expected) < 1e-5)
      }
      #expect(output.right.allSatisfy { $0 == -Self.level })
    }
    let (none, whole) = (OutputRequest(), OutputRequest.Factor())
    #expect(!none.isSilent && whole.from == 1 && whole.to == 1 && none.left.from == 1 && none.right.to == 1)
  }

  @Test("a report before any hop is one of silence that nothing has limited or lowered")
  func reportOfNothing() {
    let report = OutputReport()
    #expect(report.ramp == 0 && !report.isBroken)
    for ear in [report.ears.left, report.ears.right] {
      #expect(
        ear.inputPower == 0 && ear.power == 0 && ear.limitShare == 0 && ear.limiterGain == 1
          && ear.factor == 0
          && ear.lowering == 1)
      #expect(!ear.isBroken)
    }
  }

  @Test(
    "no factor makes a sound louder: above 1 it is 1, below 0 and what is no number is 0",
    arguments: zip(
      [Float(1.5), .infinity, -0.5, .nan, -.infinity, 0, 1e-3], [Float(1), 1, 0, 0, 0, 0, 1e-3]))
  func bounded(factor: Float, expected: Float) throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    var request = OutputRequest()
    (request.left, request.right) = (.init(from: factor, to: factor), .init(from: 1, to: factor))
    let output = Self.run(&stage, request: request)
    #expect(output.left.allSatisfy { abs($0 / Self.level - expected) < 1e-6 })
    #expect(output.right.allSatisfy { abs($0) <= Self.level })
    #expect(output.report.ears.left.lowering == expected && output.report.ears.right.factor == expected)
  }

  @Test("a step towards 1 does not pass it by its rounding")
  func rounding() throws {
    var stage = try Self.stage(rise: 0.05)
    stage.open()
    _ = Self.run(&stage, hops: 40)
    for from in stride(from: Float(0), to: 1, by: 0.01) {
      var request = OutputRequest()
      request.left = .init(from: from, to: 1)
      let output = Self.run(&stage, request: request)
      #expect(output.left.allSatisfy { $0 <= Self.level }, "\(from)")
    }
  }
}
