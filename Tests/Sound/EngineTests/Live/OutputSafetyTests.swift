import Acoustics
import AudioIO
import Fitting
import Glibc
import HearingDSP
import Realtime
import Synchronization
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// A performer that means harm: what it plays is nobody's sound, and it asks for more than the whole of it.
struct HostilePerformer: Performer, ~Copyable {
  enum Sound: String, CaseIterable, Sendable {
    case square, direct, steps, greatest, infinite, notANumber, everyOtherHop
  }

  /// Nothing to change but the limits.
  final class Setting: PerformerSetting {
    let limits: OutputLimits
    init(_ limits: OutputLimits) { self.limits = limits }
  }

  let geometry: ChainGeometry
  let sound: Sound
  private var frame = 0

  init(_ sound: Sound, _ geometry: ChainGeometry) { (self.sound, self.geometry) = (sound, geometry) }

  var isPlaying: Bool { true }
  func read(into meters: inout ChainMeters) {}
  mutating func retarget(to setting: Setting) {}
  mutating func restart() {}
  mutating func processPlayed(
    left: borrowing MutableSpan<Float>, right: borrowing MutableSpan<Float>, from start: Int, frames: Int,
    played: OutputReport
  ) {}

  mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft left: inout MutableSpan<Float>, intoRight right: inout MutableSpan<Float>, from start: Int,
    frames: Int
  ) -> OutputRequest {
    for n in start..<start + frames {
      left[n] = sample(frame)
      right[n] = -sample(frame)
      frame += 1
    }
    var request = OutputRequest()
    request.left = .init(from: 1000, to: .infinity)
    request.right = .init(from: .nan, to: 7)
    return request
  }

  private func sample(_ n: Int) -> Float {
    switch sound {
    case .square: n / 50 % 2 == 0 ? 1 : -1
    case .direct: 1
    case .steps: n / 4000 % 2 == 0 ? 0.001 : 1e6
    case .greatest: n % 2 == 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
    case .infinite: .infinity
    case .notANumber: .nan
    // Between them sound that is loud at once.
    case .everyOtherHop: n / 6400 % 2 == 1 && n % 6400 == 0 ? .nan : 1
    }
  }
}

/// The last stage before the ears, behind which every performer plays: shown in the loop itself, on a
/// scripted card.
@Suite("Output safety, of every performer") struct OutputSafetyTests {
  enum Case: Sendable, CustomStringConvertible {
    /// The chain with all the gain that is accepted, in a room of full-scale noise.
    case aid
    /// A take of a factor.
    case take(Float)
    case hostile(HostilePerformer.Sound)

    var description: String {
      switch self {
      case .aid: "the aid with 80 dB gain in full-scale noise"
      case .take(let factor): "a take at \(factor)"
      case .hostile(let sound): "a hostile performer: \(sound.rawValue)"
      }
    }

    /// Whether it never makes what is not a number.
    var isFinite: Bool {
      switch self {
      case .aid: true
      case .take(let factor): factor.isFinite && abs(factor) < 1e18
      case .hostile(let sound): [.square, .direct, .steps].contains(sound)
      }
    }
  }

  static let finite: [Case] =
    [.aid] + [0.3, 1, 1e6].map { .take($0) } + [.square, .direct, .steps].map { .hostile($0) }
  static let broken: [Case] =
    [.nan, .infinity, -.infinity].map { .take($0) }
    + [.greatest, .infinite, .notANumber, .everyOtherHop].map { .hostile($0) }

  /// Limits of the ears, dB SPL, where full scale is 120.
  static let limit = Binaural(left: 100.0, right: 90.0)

  static func ears() throws -> Binaural<EarFitting> {
    let curve = try GainCurve(linear: EarFitting.gainCeiling)
    let fullScale = SoundPressureLevel(120)
    return limit.map { limit in
      EarFitting(
        curves: BandLayout.standard.centres.map { _ in curve },
        bandLimits: BandLayout.standard.centres.map { _ in SoundPressureLevel(120) },
        outputLimit: SoundPressureLevel(limit), inputAtFullScale: fullScale,
        outputAtFullScale: BandLayout.standard.centres.map { _ in fullScale })
    }
  }

  /// What happened to one performer in the loop.
  struct Outcome: Sendable {
    /// It was asked to end, and did.
    var isStopped: Bool
    /// It made what is not a number to the end.
    var isBroken: Bool
    var heard: Binaural<[Float]>
    /// Frames heard when the script acted.
    var moments: [Int]
  }

  /// A case's outcome, once it has been played.
  private final class Played: Sendable {
    let outcome = Mutex<Outcome?>(nil)
  }
  private static let played = Dictionary(
    uniqueKeysWithValues: (finite + broken).map { ($0.description, Played()) })

  /// Outcome of a case, which is played once for all tests that look at it.
  static func outcome(_ what: Case) throws -> Outcome {
    let own = try #require(Self.played[what.description])
    return try own.outcome.withLock { known in
      if let known { return known }
      let outcome = try play(what)
      known = outcome
      return outcome
    }
  }

  /// Lets a performer play as the aid does: mutes at 15 000 frames, unmutes at 20 000, makes a gap at 30
  /// 000 and stops at 45 000.
  private static func play(_ what: Case) throws -> Outcome {
    let geometry = try ChainGeometry(sampleRate: LiveBench.rate, blockFrames: LiveBench.period)
    let ears = try ears()
    let limits = try OutputLimits(ears)
    switch what {
    case .aid:
      let parameters = try ChainParameters(
        ears, dynamics: Dynamics(), bands: .standard, geometry: geometry)
      let chain = try HearingChain(geometry: geometry, bands: .standard, parameters: parameters)
      return try play(chain, Changes(parameters), limits)
    case .take(let factor):
      // A square of 100 frames; the other ear hears nothing.
      let sound = PeriodicSound((0..<100).map { $0 < 50 ? 1 : -1 })
      func take() -> Take {
        Take(
          .init(ear: .left, factor: factor, settling: 60_000, frames: 1), of: sound, limits: limits,
          wake: nil)
      }
      let changes = Changes(Take.none)
      changes.handover.publish(take())
      return try play(TakePerformer(geometry: geometry), changes, limits) {
        changes.handover.publish(take())
      }
    case .hostile(let sound):
      return try play(
        HostilePerformer(sound, geometry), Changes(HostilePerformer.Setting(limits)), limits)
    }
  }

  /// A hand-over that a script publishes to.
  private final class Changes<Setting: PerformerSetting>: Sendable {
    let handover: Handover<Setting>
    init(_ initial: Setting) { handover = Handover(initial) }
  }

  private static func play<P: Performer & ~Copyable>(
    _ performer: consuming P, _ changes: Changes<P.Setting>, _ limits: OutputLimits,
    afterGap: @escaping () -> Void = {}
  ) throws -> Outcome {
    let script = try CountedScript()
    let state = LoopState()
    script.rig.source = { [source = script.rig.source] frame, channel in
      // Runs the script.
      _ = source(frame, channel)
      var random = UInt64(truncatingIfNeeded: 2 * frame + channel) &* 0x9E37_79B9_7F4A_7C15
      random = (random ^ (random >> 29)) &* 0xBF58_476D_1CE4_E5B9
      return Float(Int32(truncatingIfNeeded: random >> 32)) / Float(1 << 31)
    }
    var moments: [Int] = []
    func at(_ frame: Int, _ action: @escaping () -> Void) {
      script.at(frame) {
        moments.append(script.rig.heardLeft.count)
        action()
      }
    }
    at(15_000) { state.isMuted.store(true, ordering: .relaxed) }
    at(20_000) { state.isMuted.store(false, ordering: .relaxed) }
    at(30_000) { script.rig.schedule(ScriptedFault(.playback, .write, .fail(.xrun))) }
    // A take does not outlive a gap: another one.
    at(32_000) { afterGap() }
    at(45_000) { script.stop.request() }
    var loop = AudioLoop(
      stream: script.stream(), settings: { CountedScript.settings }, state: state)
    try loop.stream.open()
    var limited = LimitedPerformer(performer, limits: limits, rise: LiveBench.rise)
    var block = SoundBlock(frames: LiveBench.period)
    var tap = MeterTap(state, blockTime: Double(LiveBench.period) / LiveBench.rate)
    let ending = loop.flow(
      &limited, as: .aid, changes: changes.handover, &block, &tap, until: script.stop)
    loop.stream.close()
    return Outcome(
      isStopped: ending == .stopped, isBroken: ending == .broken,
      heard: Binaural(left: script.rig.heardLeft, right: script.rig.heardRight),
      moments: moments)
  }

  /// Peak of a sine at an ear's limit, full scale ± 1.
  static func peak(_ ear: Ear) -> Double { pow(10, (limit[ear] - 120) / 20) }

  @Test("no sample is not finite, or above the limit's peak", arguments: finite + broken)
  func ceiling(_ what: Case) throws {
    let outcome = try Self.outcome(what)
    for ear in Ear.allCases {
      // Single precision: the last bit of a product.
      let bound = Float(Self.peak(ear) * 1.000_001)
      #expect(outcome.heard[ear].allSatisfy { $0.isFinite && abs($0) <= bound }, "\(ear)")
    }
    #expect(outcome.isStopped == what.isFinite && outcome.isBroken != what.isFinite)
  }

  @Test("no 10 ms are more than half a decibel above the limit's level", arguments: finite)
  func level(_ what: Case) throws {
    let outcome = try Self.outcome(what)
    for ear in Ear.allCases {
      // 441 frames; a full-scale sine has the mean square ½.
      var (sum, greatest) = (0.0, 0.0)
      let heard = outcome.heard[ear].map { Double($0) * Double($0) }
      for n in heard.indices {
        sum += heard[n] - (n >= 441 ? heard[n - 441] : 0)
        greatest = max(greatest, sum)
      }
      #expect(120 + 10 * log10(max(2 * greatest / 441, 1e-30)) <= Self.limit[ear] + 0.5, "\(ear)")
    }
  }

  @Test(
    "every sound rises from silence by the ramp, also after a mute and a gap", arguments: finite + broken)
  func rise(_ what: Case) throws {
    let outcome = try Self.outcome(what)
    for ear in Ear.allCases {
      // The stage begins to rise with the first frame; the performer's delay is silence meanwhile.
      var (sinceSilence, hasSounded) = (0, false)
      let peak = Float(Self.peak(ear))
      for (n, sample) in outcome.heard[ear].enumerated() {
        hasSounded = hasSounded || sample != 0
        sinceSilence = hasSounded && sample == 0 ? 0 : sinceSilence + 1
        // Positions of the ramp are added up in single precision: 2205 roundings.
        let bound = peak * LiveBench.riseFactor(sinceSilence) * 1.003 + 1e-7
        if abs(sample) > bound {
          Issue.record("\(ear), frame \(n): \(sample) \(sinceSilence) frames after silence")
          return
        }
      }
    }
  }

  @Test("a mute, a gap and a stop make silence; what was muted comes back", arguments: finite)
  func silence(_ what: Case) throws {
    let outcome = try Self.outcome(what)
    let (muted, unmuted) = (outcome.moments[0], outcome.moments[1])
    let heard = outcome.heard.left
    // 20 ms of ramp, what was in the buffer, and the block that was on its way.
    let silentFrom = muted + LiveBench.fallFrames + LiveBench.prefill + LiveBench.period
    #expect(heard[silentFrom..<unmuted + LiveBench.prefill].allSatisfy { $0 == 0 })
    #expect(heard[muted - 100..<muted].contains { $0 != 0 })
    // By the ramp: half of the way it is not silent yet.
    #expect(heard[muted..<muted + LiveBench.fallFrames / 2].contains { $0 != 0 })
    #expect(heard[unmuted + 1000..<outcome.moments[2]].contains { abs($0) > 0.1 * Float(Self.peak(.left)) })
    for ear in Ear.allCases {
      #expect(outcome.heard[ear].suffix(LiveBench.period).allSatisfy { $0 == 0 }, "\(ear)")
    }
    #expect(heard.suffix(10_000).contains { $0 != 0 })
  }

  @Test("a performer may lower its sound behind the limiter, and never raise it")
  func request() throws {
    let geometry = try ChainGeometry(sampleRate: 48_000, blockFrames: 64)
    var safety = OutputSafety(limits: try OutputLimits(Self.ears()), geometry: geometry, rise: 0.05)
    safety.open()
    var request = OutputRequest()
    var (left, right) = ([Float](), [Float]())
    func hop() {
      left = [Float](repeating: 0.05, count: 64)
      right = [Float](repeating: 0.01, count: 64)
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      _ = safety.process(&leftSpan, &rightSpan, from: 0, frames: 64, request: request)
    }
    // 50 ms of rise are 2400 frames.
    for _ in 0..<40 { hop() }
    #expect(left.allSatisfy { $0 == 0.05 } && right.allSatisfy { $0 == 0.01 })
    request.left = .init(from: 5, to: .infinity)
    request.right = .init(from: 1, to: 0.5)
    hop()
    #expect(left.allSatisfy { $0 == 0.05 })
    #expect(abs(right[63] - 0.005) < 1e-6 && abs(right[31] - 0.0075) < 1e-6)
    request.left = .init(from: .nan, to: -1)
    hop()
    #expect(left.allSatisfy { $0 == 0 })
    request = OutputRequest()
    request.isSilent = true
    hop()
    #expect(left.allSatisfy { $0 == 0 } && right.allSatisfy { $0 == 0 })
    request = OutputRequest()
    hop()
    // From silence by the ramp: 64 of 2400 frames.
    #expect(left.allSatisfy { $0 >= 0 && $0 < 0.05 * 0.0022 })
  }
}
