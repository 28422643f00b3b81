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
    ///   - isPlayed: The ramp lets the output through.
    mutating func run(
      seconds: Double, _ output: Output, own: Float?, isOutside: Bool = false, isPlayed: Bool = true
    ) {
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
          power: 0.01 * heard * heard, stood: output.stood, output: isPlayed ? output.power : nil,
          isFree: true)
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

  // As above: 70, 120 and 350 ms, and 7 ms.
  @Test(
    "in a loop that is longer than the canceller reaches across, a howl is found within a second",
    arguments: [(0.07, 12), (0.07, 13), (0.12, 21), (0.35, 59)])
  func beyondReach(_ delay: Double, _ lag: Int) throws {
    var leak = try Leak()
    leak.lag = lag
    leak.relief.retarget(to: Self.beyond(delay, isMeasured: true))
    leak.run(seconds: 1, Self.suspects[0], own: nil)
    let (howls, lasting) = (leak.howls, leak.relief.lasting)
    #expect(howls >= 1 && lasting <= HowlRelief.step)
  }

  @Test("and where the devices tell 70 ms, one that comes back 24 ms later than that")
  func beyondReachTold() throws {
    var leak = try Leak()
    // 70, 24 and 7 ms.
    leak.lag = 16
    leak.relief.retarget(to: Self.beyond(0.07, isMeasured: false))
    leak.run(seconds: 1, Self.suspects[0], own: nil)
    let (howls, lasting) = (leak.howls, leak.relief.lasting)
    #expect(howls >= 1 && lasting <= HowlRelief.step)
  }

  /// A loop that the canceller does not reach across, told or measured.
  private static func beyond(_ delay: Double, isMeasured: Bool) -> FeedbackControl {
    var control = FeedbackControl()
    (control.loopDelay, control.wholeDelay) = (FeedbackControl.loopDelays.upperBound, delay)
    control.isDelayMeasured = isMeasured
    return control
  }

  @Test("other delays of any length in the middle of questions harm nothing")
  func otherDelays() throws {
    var leak = try Leak()
    for n in 0..<400 {
      leak.relief.retarget(to: Self.beyond([0.05, 0.35, 0.1][n % 3], isMeasured: n % 2 == 0))
      leak.run(seconds: 0.05, Self.suspects[0], own: nil, isOutside: n % 5 == 0)
    }
    // 24 dB of lasting attenuation and 3 dB of a question at most.
    let isBounded = leak.factors.allSatisfy { $0 > 0.044 && $0 <= 1 }
    #expect(isBounded)
  }

  @Test("5 s of calm end the rest after loud surroundings: a howl that follows is found within a second")
  func calm() throws {
    var leak = try Leak()
    // Asked after 0.3 s, and after rests of 1, 2, 4, 8 and 16 s; a question takes 0.3 s. The next rest ends at 49 s.
    leak.run(seconds: 34, Self.suspects[0], own: nil, isOutside: true)
    let questions = leak.questions
    #expect(questions == 6)
    leak.run(seconds: 6, Output(power: 1e-6, stood: 0), own: nil, isOutside: true)
    leak.run(seconds: 1, Self.suspects[0], own: nil)
    let (howls, lasting) = (leak.howls, leak.relief.lasting)
    #expect(howls >= 1 && lasting <= HowlRelief.step)
  }

  @Test("an output that the ramp holds back is not asked, and makes no rest for a howl that follows")
  func heldBack() throws {
    var leak = try Leak()
    leak.run(seconds: 60, Self.suspects[0], own: nil, isOutside: true, isPlayed: false)
    let (questions, isUntouched) = (leak.questions, leak.factors.allSatisfy { $0 == 1 })
    #expect(questions == 0 && isUntouched)
    // 0.3 s of patience: the ramp falls in the middle of a question, which ends without an answer.
    leak.run(seconds: 0.4, Self.suspects[0], own: nil)
    let isAsked = leak.relief.isProbing
    #expect(isAsked)
    leak.run(seconds: 0.1, Self.suspects[0], own: nil, isPlayed: false)
    let (isAskedStill, last) = (leak.relief.isProbing, leak.factors.last)
    #expect(!isAskedStill && last == 1)
    leak.run(seconds: 1, Self.suspects[0], own: nil)
    let (howls, lasting) = (leak.howls, leak.relief.lasting)
    #expect(howls >= 1 && lasting <= HowlRelief.step)
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
