import Testing

@testable import HearingDSP

@Suite("Howl relief") struct HowlReliefTests {
  static let readingTime = 0.006

  /// Suspicion after each reading of a sound from outside.
  private static func suspicion(
    _ relief: inout HowlRelief, seconds: Double, power: Float, output: Float
  ) -> [Bool] {
    var suspicion: [Bool] = []
    for _ in 0..<Int(seconds / readingTime) {
      _ = relief.process(power: power, stood: 0, output: output, isFree: true)
      suspicion.append(relief.isSuspicious)
    }
    return suspicion
  }

  @Test("after an hour of loud surroundings 1.5 s of quiet end all suspicion and every probe")
  func forgotten() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var relief = HowlRelief(geometry, readingTime: Self.readingTime)
    let loud = Self.suspicion(&relief, seconds: 3600, power: 0.01, output: 0.5)
    #expect(loud.last == true)
    #expect(relief.lasting == 1)
    // 1.2 s of suspicion are kept at most and fade twice as fast, beside a probe of 0.6 s.
    let quiet = Self.suspicion(&relief, seconds: 20, power: 1e-6, output: 1e-6)
    let isSuspectLater = quiet[Int(1.5 / Self.readingTime)...].contains(true)
    #expect(!isSuspectLater)
  }

  /// Output of an ear, power relative to the limit's, and readings for which one tone has lasted.
  struct Output: Sendable {
    var power: Float
    var stood: Int
  }

  /// Near the limit, and 20 dB below it as one tone that has stood for longer than 1 s.
  static let suspects = [Output(power: 0.5, stood: 0), Output(power: 0.01, stood: 200)]

  /// An ear whose microphone hears nothing but its earphone, some readings later.
  struct Leak: ~Copyable {
    /// Hops of a reading.
    static let hops = 4
    /// Readings until the output is heard at the microphone.
    var lag = 3
    var relief: HowlRelief
    /// The output's factor at each reading.
    var factors: [Float] = []
    var howls = 0
    /// Questions that were begun.
    var questions = 0

    init() throws {
      relief = HowlRelief(
        try ChainGeometry(sampleRate: 44_100, blockFrames: 64), readingTime: HowlReliefTests.readingTime)
    }

    /// - Parameters:
    ///   - own: Share of the microphones' sound in the power before the limiter; nil: nothing is added.
    ///   - isOutside: The microphone hears a steady sound instead.
    mutating func run(seconds: Double, _ output: Output, own: Float?, isOutside: Bool = false) {
      for _ in 0..<Int(seconds / HowlReliefTests.readingTime) {
        var factor: Float = 1
        for _ in 0..<Self.hops {
          relief.processPowers(own: own, whole: 1)
          factor = relief.process(frames: 64).to
        }
        factors.append(factor)
        let heard = !isOutside && factors.count > lag ? factors[factors.count - 1 - lag] : 1
        let wasAsked = relief.isProbing
        let isHowl = relief.process(
          power: 0.01 * heard * heard, stood: output.stood, output: output.power, isFree: true)
        if isHowl { howls += 1 }
        if relief.isProbing, !wasAsked { questions += 1 }
      }
    }
  }

  @Test(
    "what follows the output is taken for a howl within a second and lowered by 6 dB", arguments: suspects)
  func howl(_ output: Output) throws {
    var leak = try Leak()
    leak.run(seconds: 1, output, own: nil)
    let (howls, lasting) = (leak.howls, leak.relief.lasting)
    #expect(howls >= 1 && lasting <= HowlRelief.step)
  }

  /// A loop of 4 ms, told or measured.
  private static func control(isMeasured: Bool) -> FeedbackControl {
    var control = FeedbackControl()
    (control.loopDelay, control.isDelayMeasured) = (0.004, isMeasured)
    return control
  }

  // In readings of 6 ms, with 7 ms for the chain and half a spectrum's window.
  @Test(
    "where the devices tell the delay, a howl that comes back up to 30 ms later is found too",
    arguments: [2, 3, 4, 5, 6])
  func toldTooLittle(_ lag: Int) throws {
    var leak = try Leak()
    leak.lag = lag
    leak.relief.retarget(to: Self.control(isMeasured: false))
    leak.run(seconds: 1, Self.suspects[0], own: nil)
    let (howls, lasting) = (leak.howls, leak.relief.lasting)
    #expect(howls >= 1 && lasting <= HowlRelief.step)
  }

  @Test("a measured delay is taken as it is: what comes back 24 ms later is no howl")
  func measured() throws {
    var leak = try Leak()
    leak.relief.retarget(to: Self.control(isMeasured: true))
    leak.lag = 6
    leak.run(seconds: 1, Self.suspects[0], own: nil)
    let howls = leak.howls
    #expect(howls == 0)
  }

  @Test(
    "what is added behind the microphones is not suspected, and the output keeps its level, until they are 6 dB above it",
    arguments: suspects)
  func added(_ output: Output) throws {
    var leak = try Leak()
    // Nothing of the microphones', as much as is added, and 5 dB more: 10^0.5 to 1 is a share of 0.76.
    for own: Float in [0, 0.5, 0.76] {
      leak.run(seconds: 5, output, own: own)
      let (howls, isSuspicious) = (leak.howls, leak.relief.isSuspicious)
      #expect(howls == 0 && !isSuspicious, "share \(own)")
    }
    let isUntouched = leak.factors.allSatisfy { $0 == 1 }
    #expect(isUntouched)
    // A howl 7 dB above it: 10^0.7 to 1 is 0.83.
    leak.run(seconds: 2, output, own: 0.83)
    let howls = leak.howls
    #expect(howls >= 1)
  }

  @Test("a question ends without an answer when added sound becomes the greater part meanwhile")
  func interrupted() throws {
    var leak = try Leak()
    // 0.3 s of patience.
    leak.run(seconds: 0.4, Self.suspects[0], own: nil)
    let isAsked = leak.relief.isProbing
    #expect(isAsked)
    leak.run(seconds: 5, Self.suspects[0], own: 0.1)
    let (howls, isAskedStill, last) = (leak.howls, leak.relief.isProbing, leak.factors.last)
    #expect(howls == 0 && !isAskedStill && last == 1)
  }

  @Test("questions that a stream in bursts interrupts come the later the oftener they were asked")
  func bursts() throws {
    var leak = try Leak()
    for _ in 0..<120 {
      leak.run(seconds: 0.6, Self.suspects[0], own: nil, isOutside: true)
      leak.run(seconds: 0.4, Self.suspects[0], own: 0.1, isOutside: true)
    }
    // At once, then after 1, 2, 4, 8, 16, 16 … s: eleven in two minutes, each up to a second late.
    let (questions, howls) = (leak.questions, leak.howls)
    #expect((5...11).contains(questions) && howls == 0, "\(questions)")
  }
}
