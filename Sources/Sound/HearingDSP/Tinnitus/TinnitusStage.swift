import Acoustics
import Realtime

/// Adds both ears' tinnitus sound to the output before the limiter. Off, it costs nothing.
///
/// - Threads: built on `control`, run on `audio`.
struct TinnitusStage: ~Copyable {
  private var ears: Binaural<NoiseEar>
  private var frames: NoiseFrames
  private var row = SectionRow()
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

  /// Adds `count` samples of noise to each ear from `start`.
  mutating func process(
    _ leftOutput: inout MutableSpan<Float>, _ rightOutput: inout MutableSpan<Float>, from start: Int,
    count: Int
  ) {
    if ears.left.isSilent && ears.right.isSilent { return }
    // An ear that has not faded in yet may still hold its former colour: it starts from silence and ends in
    // one frame.
    if ears.left.processChange(frames: transition) { row.retarget(.left, to: ears.left.shape.sections) }
    if ears.right.processChange(frames: transition) { row.retarget(.right, to: ears.right.shape.sections) }
    let end = start + count
    precondition(start >= 0 && end <= leftOutput.count && end <= rightOutput.count)
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
        unsafe leftOutput[unchecked: next + n] += ears.left.process() * noise.left
        unsafe rightOutput[unchecked: next + n] += ears.right.process() * noise.right
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
  private var step: Float = 0

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
    target = isChanging ? 0 : wanted.amplitude
    step = abs(target - gain) / frames
  }

  /// Puts the next colour in force when this one has faded out.
  ///
  /// - Returns: True when it did.
  mutating func processChange(frames: Float) -> Bool {
    guard isChanging, gain == 0 else { return false }
    shape.copy(from: next)
    isChanging = false
    target = next.amplitude
    step = target / frames
    return true
  }

  /// Factor of the next sample.
  @inline(__always)
  mutating func process() -> Float {
    gain = gain < target ? min(target, gain + step) : max(target, gain - step)
    return gain
  }
}
