import Acoustics
import Glibc
import HearingDSP
import Realtime

/// A sound path between a loudspeaker and two couplers, all in numbers: sound goes in and is read in dB SPL
/// by the stated sensitivity of microphones and earphones.
///
/// Sound runs on from one call to the next, as in a test box that is never switched off.
///
/// - Threads: control; one at a time.
struct Bench<Path: SoundPath & ~Copyable>: ~Copyable {
  var path: Path
  let microphones: Binaural<Sensitivity>
  let earphones: Binaural<Sensitivity>
  /// Least time that a level is let settle, s.
  var settling = 0.15
  /// Frames played so far.
  private(set) var clock = 0

  /// A level counts as steady when it moves by no more than this in ``steadyInterval``, dB. Own choice:
  /// with a time constant of 1 s the rest of the way is 0.1 dB.
  private static var steadyChange: Double { 0.01 }
  /// s.
  private static var steadyInterval: Double { 0.1 }
  /// Longest wait for a steady level, s.
  private static var patience: Double { 20 }

  var sampleRate: Double { path.sampleRate }

  /// Frames that a time lasts, rounded up to whole blocks.
  func frames(_ seconds: Double) -> Int { whole(Int((seconds * sampleRate).rounded(.up))) }

  /// Rounded up to whole blocks.
  func whole(_ frames: Int) -> Int {
    (max(frames, 1) + path.blockFrames - 1) / path.blockFrames * path.blockFrames
  }

  /// Plays digital sound, which a converter cuts off at full scale.
  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]> {
    clock += input.left.count
    return path.play(input.map { $0.map { min(max($0, -1), 1) } })
  }

  /// Plays silence for at least `seconds`.
  mutating func rest(_ seconds: Double) {
    let nothing = [Float](repeating: 0, count: frames(min(seconds, 1)))
    for _ in 0..<max(1, Int(seconds.rounded(.up))) { _ = play(Binaural(both: nothing)) }
  }

  /// Plays a tone for whole blocks.
  ///
  /// - Parameters:
  ///   - frequency: Hz.
  ///   - level: dB SPL at the microphone.
  mutating func tone(_ frequency: Double, level: Double, frames count: Int) -> Binaural<[Float]> {
    let step = 2 * .pi * frequency / sampleRate
    // The phase of the clock, so that tones of one frequency join.
    let turns = frequency / sampleRate * Double(clock)
    let sine = Self.sine(phase: 2 * .pi * (turns - turns.rounded(.down)), step: step, count: whole(count))
    return play(
      microphones.map { microphone in
        let amplitude = pow(10, (level - microphone.heldLevel(at: frequency).decibels) / 20)
        return sine.map { Float(amplitude * $0) }
      })
  }

  /// sin(phase + n·step), by rotation.
  private static func sine(phase: Double, step: Double, count: Int) -> [Double] {
    let (c, s) = (cos(step), sin(step))
    var (x, y) = (cos(phase), sin(phase))
    return (0..<count).map { _ in
      defer { (x, y) = (x * c - y * s, y * c + x * s) }
      return y
    }
  }

  /// Plays a tone until its level is steady at both ears, and then its last `count` frames.
  mutating func steadyTone(_ frequency: Double, level: Double, frames count: Int) -> Binaural<[Float]> {
    _ = tone(frequency, level: level, frames: frames(settling))
    let interval = frames(Self.steadyInterval)
    var former = Binaural(both: -1000.0)
    for _ in 0..<Int(Self.patience / Self.steadyInterval) {
      let heard = tone(frequency, level: level, frames: interval)
      let now = heard.map { ToneReading($0[...], at: frequency, sampleRate: sampleRate).level }
      let change = max(abs(now.left - former.left), abs(now.right - former.right))
      if change <= Self.steadyChange { break }
      former = now
    }
    return tone(frequency, level: level, frames: count).map { Array($0.suffix(count)) }
  }

  /// Level of the whole of a sound whose frequency is known, dB SPL.
  func level(_ samples: [Float], at frequency: Double, ear: Ear) -> Double {
    let square = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
    return 10 * log10(max(2 * square, 1e-30)) + earphones[ear].heldLevel(at: frequency).decibels
  }
}

/// Whatever lies on the bench: digital sound goes in at both microphones and comes out at both ears.
///
/// - Threads: control; one at a time.
protocol SoundPath: ~Copyable {
  /// Hz.
  var sampleRate: Double { get }
  /// Sound is taken in multiples of this many frames.
  var blockFrames: Int { get }

  /// Plays what follows on the last call.
  ///
  /// - Shape: both ears equally long, a multiple of ``blockFrames``; the answer is as long.
  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]>
}

/// The chain that the live aid plays, on the bench.
struct ChainPath: SoundPath, ~Copyable {
  let sampleRate: Double
  let blockFrames: Int
  private var chain: LimitedChain

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(
    _ parameters: ChainParameters, bands: BandLayout, geometry: ChainGeometry
  ) throws(ChainError) {
    sampleRate = geometry.sampleRate
    blockFrames = geometry.blockFrames
    // The shortest rise: nobody listens.
    chain = try LimitedChain(geometry: geometry, bands: bands, parameters: parameters, rise: 0.05)
    chain.open()
  }

  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]> {
    precondition(
      input.left.count == input.right.count && input.left.count % blockFrames == 0,
      "sound that is no whole number of blocks")
    var left = [Float](repeating: 0, count: input.left.count)
    var right = left
    let control = flushDenormals()
    for start in stride(from: 0, to: left.count, by: blockFrames) {
      let block = start..<start + blockFrames
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      var leftBlock = leftSpan._mutatingExtracting(block)
      var rightBlock = rightSpan._mutatingExtracting(block)
      chain.process(
        left: input.left.span.extracting(block), right: input.right.span.extracting(block),
        intoLeft: &leftBlock, intoRight: &rightBlock)
    }
    control.restore()
    return Binaural(left: left, right: right)
  }
}

/// A pair of devices to measure with where none are calibrated: numbers as such devices state them,
/// nobody's unit.
package enum SampleCalibration {
  /// A usual MEMS microphone: −26 dB FS at 94 dB SPL, hence 120 dB SPL at full scale.
  package static let microphones = InputCalibration(
    checked: device, channels: [Sensitivity(checkedFlat: SoundPressureLevel(120))])

  /// An earbud of 113.7 dB SPL at full scale, the figure that ResearchKit's tables give for AirPods Max at
  /// 1 kHz.
  package static let earphones = OutputCalibration(
    device: device, sensitivity: Binaural(both: Sensitivity(checkedFlat: SoundPressureLevel(113.7))))

  private static let device = DeviceCalibration(device: "sample", date: nil, status: .provisional)
}
