import Acoustics
import Glibc
import Realtime

/// Adds both ears' tinnitus sound to the output before the limiter. Off, it costs nothing.
///
/// - Threads: built on `control`, run on `audio`.
struct TinnitusStage: ~Copyable {
  private var ears: Binaural<NoiseEar>
  private var frames: NoiseFrames
  private var row = SectionRow<SIMD8<Float>>()
  /// Next frame of ``NoiseFrames/ready`` to be heard.
  private var position: Int
  private let sampleRate: Float
  /// Length of the transition to another sound, frames.
  private var transition: Float = 1

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(geometry: ChainGeometry) throws(ChainError) {
    let length = NoiseShape.frameLength(geometry)
    frames = try NoiseFrames(length: length)
    ears = Binaural { _ in NoiseEar(frameLength: length) }
    position = length / 2
    sampleRate = Float(geometry.sampleRate)
  }

  /// Moves to other sounds.
  ///
  /// - Parameter time: Of the transition, s.
  mutating func retarget(to shapes: borrowing Binaural<NoiseShape>, time: Double) {
    let frames = max(1, Float(time) * sampleRate)
    transition = frames
    ears.forEach(shapes) { $0.retarget(to: $1, frames: frames) }
  }

  /// An ear has noise, or is to have it.
  var isPlaying: Bool { !ears.left.isSilent || !ears.right.isSilent }

  /// Adds `count` samples of noise to each ear from `start`.
  mutating func process(
    _ leftOutput: inout Samples, _ rightOutput: inout Samples, from start: Int, count: Int
  ) {
    guard isPlaying else { return }
    // An ear that has not faded in yet may still hold its former colour: it starts from silence and ends in
    // one frame.
    if ears.left.processChange(frames: transition) { row.retarget(.left, to: ears.left.shape.sections) }
    if ears.right.processChange(frames: transition) { row.retarget(.right, to: ears.right.shape.sections) }
    let end = start + count
    precondition(start >= 0 && end <= leftOutput.count && end <= rightOutput.count)
    let (left, right) = (ears.left.processGain(count: count), ears.right.processGain(count: count))
    var (leftGain, rightGain) = (left.from, right.from)
    var next = start
    while next < end {
      if position == frames.length / 2 {
        frames.process(ears.left.shape.magnitude, ears.right.shape.magnitude)
        position = 0
      }
      let part = min(end - next, frames.length / 2 - position)
      let ready = unsafe frames.ready.pointer + 2 * position
      // A copy, which stays in registers.
      var row = self.row
      for n in 0..<part {
        let noise = unsafe row.process(ready[2 * n], ready[2 * n + 1])
        leftGain += left.step
        rightGain += right.step
        unsafe leftOutput[unchecked: next + n] += leftGain * noise[3]
        unsafe rightOutput[unchecked: next + n] += rightGain * noise[7]
      }
      self.row = row
      position += part
      next += part
    }
  }
}

/// One ear's tinnitus sound and its transition from one setting to the next: a level moves, a colour fades
/// out and the next one in.
///
/// From one level to another it moves evenly in dB, as its pace is counted: a straight line over 1.9 s to a level 25 dB higher
/// would rise by 5 dB in the first 100 ms. From and to silence, which has no level in dB, it is a straight line; one that is left
/// half-way goes on in dB.
///
/// - Threads: `audio`.
struct NoiseEar: ~Copyable {
  /// Colour in force.
  private(set) var shape: NoiseShape
  /// Colour to come, once this one has faded.
  private var next: NoiseShape
  private var isChanging = false
  /// Factor on the noise now.
  private(set) var gain: Float = 0
  private var target: Float = 0
  /// Factor at which the way to ``target`` began.
  private var origin: Float = 0
  /// Share of the louder end of a straight line below which what has come of it is as good as silent: 20 dB below (own choice).
  private static let faintShare: Float = 0.1
  /// The way is a straight line, as from or to silence.
  private var isLine = true
  /// Octaves of the factor from ``origin`` to ``target``; 0 of a line.
  private var octaves: Float = 0
  /// Frames of the way, in all and so far.
  private var (length, done): (Float, Float) = (1, 0)

  init(frameLength: Int) {
    shape = NoiseShape(frameLength: frameLength)
    next = NoiseShape(frameLength: frameLength)
  }

  /// Nothing is heard, and nothing is to come.
  var isSilent: Bool { gain == 0 && target == 0 && !isChanging }

  /// Moves to another sound.
  ///
  /// - Parameter frames: Length of the transition; of either half when the colour changes.
  mutating func retarget(to wanted: borrowing NoiseShape, frames: Float) {
    next.copy(from: wanted)
    isChanging = wanted.isOn && !wanted.hasColour(of: shape)
    move(to: isChanging ? 0 : wanted.amplitude, frames: frames)
  }

  /// Begins another way from the factor now.
  private mutating func move(to wanted: Float, frames: Float) {
    // A level that has hardly left silence, or was almost there, is as good as silent.
    let isFaint = gain < Self.faintShare * max(origin, target)
    isLine = gain == 0 || wanted == 0 || (isLine && gain != target && isFaint)
    (origin, target, length, done) = (gain, wanted, frames, 0)
    guard !isLine else { return octaves = 0 }
    octaves = (Decibel.fromPower(target) - Decibel.fromPower(origin)) / Decibel.perPowerDoubling
  }

  /// Puts the next colour in force when this one has faded out.
  ///
  /// - Returns: True when it did.
  mutating func processChange(frames: Float) -> Bool {
    guard isChanging, gain == 0 else { return false }
    shape.copy(from: next)
    isChanging = false
    move(to: next.amplitude, frames: frames)
    return true
  }

  /// Moves by `count` samples.
  ///
  /// - Returns: Factor before the first of them, and its change from each to the next, so that a sample costs an addition.
  mutating func processGain(count: Int) -> (from: Float, step: Float) {
    let from = gain
    guard gain != target, count > 0 else { return (from, 0) }
    done += Float(count)
    if done >= length {
      gain = target
    } else {
      let share = done / length
      gain =
        isLine
        ? origin + share * (target - origin) : origin * ComplexExponential.magnitude(octaves * share)
    }
    return (from, (gain - from) / Float(count))
  }
}

/// Independent noise of two ears, in overlapping frames: random signs in the spectrum, one
/// inverse transform for both ears, a window whose squares add up to 1.
///
/// - Threads: built on `control`, run on `audio`.
struct NoiseFrames: ~Copyable {
  let length: Int
  /// Newest half frame. - Shape: `length / 2` frames, interleaved.
  private(set) var ready: Buffer
  /// The fading half of the newest frame, interleaved.
  private var tail: Buffer
  private var spectrum: Buffer
  private var time: Buffer
  /// sin(π(n + ½)/N): squares of two halves add up to 1, so that independent frames join at equal power.
  private let window: Buffer
  private let transform: InverseTransform
  /// Four xorshift generators (Marsaglia 2003, J. Stat. Softw. 8:14: shifts 13, 17, 5).
  private var state: SIMD4<UInt32>

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(length: Int) throws(ChainError) {
    self.length = length
    transform = try InverseTransform(length: length, isMeasured: false)
    ready = AlignedBuffer(count: length)
    tail = AlignedBuffer(count: length)
    // Room for the mirror of 0 Hz, which is written and not used.
    spectrum = AlignedBuffer(count: 2 * (length + 1))
    time = AlignedBuffer(count: 2 * length)
    window = AlignedBuffer(count: 2 * length) { Float(sin(.pi * (Double($0 / 2) + 0.5) / Double(length))) }
    // Any words that are not zero (Weyl's golden ratio steps).
    state = SIMD4(0x9E37_79B9, 0x3C6E_F372, 0xDAA6_6D2B, 0x78DD_E6E4)
  }

  /// Computes the next half frame.
  ///
  /// - Parameters:
  ///   - left: Amplitude of each bin of the left ear, `length / 2` of them.
  ///   - right: Of the right ear.
  mutating func process(_ left: borrowing Buffer, _ right: borrowing Buffer) {
    fill(left, right)
    transform.process(spectrum, into: &time)
    precondition(ready.count == length && tail.count == length)
    precondition(window.count == 2 * length && time.count == 2 * length)
    let (rising, falling) = unsafe (window.pointer, window.pointer + length)
    let (first, second) = unsafe (time.pointer, time.pointer + length)
    for n in 0..<length {
      unsafe ready[unchecked: n] = tail[unchecked: n] + rising[n] * first[n]
      unsafe tail[unchecked: n] = falling[n] * second[n]
    }
  }

  /// A spectrum with the given magnitudes and random quadrants: `Z[k] = L + jR` and `Z[N−k] = L* + jR*`.
  private mutating func fill(_ left: borrowing Buffer, _ right: borrowing Buffer) {
    precondition(left.count >= length / 2 && right.count >= length / 2)
    let (l, r, z) = unsafe (left.pointer, right.pointer, spectrum.pointer)
    for k in stride(from: 0, to: length / 2, by: 4) {
      state ^= state &<< 13
      state ^= state &>> 17
      state ^= state &<< 5
      let (own, other) = unsafe (l[lanes: k], r[lanes: k])
      let (a, b) = (Self.signed(own, state), Self.signed(own, state &<< 5))
      let (c, d) = (Self.signed(other, state &<< 11), Self.signed(other, state &<< 17))
      unsafe z.store(ComplexLanes(a - d, b + c), at: 2 * k)
      unsafe z.store(ComplexLanes(a + d, c - b).reversed, at: 2 * (length - k - 3))
    }
  }

  /// Values with the signs of the words' highest bits.
  @inline(__always) private static func signed(
    _ values: SIMD4<Float>, _ words: SIMD4<UInt32>
  ) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(values, to: SIMD4<UInt32>.self)
    return unsafe unsafeBitCast(bits ^ (words & 0x8000_0000), to: SIMD4<Float>.self)
  }
}
