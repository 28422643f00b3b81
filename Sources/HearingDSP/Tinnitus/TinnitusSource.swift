import Realtime

/// Adds both ears' tinnitus sound to what goes to the limiter. Off, it costs nothing.
///
/// - Threads: built on `control`, run on `audio`.
struct TinnitusSource: ~Copyable {
  private var left: NoiseEar
  private var right: NoiseEar
  private var frames: NoiseFrames
  private var row = SectionRow()
  /// Next frame of ``NoiseFrames/ready`` to be heard.
  private var position: Int
  private let sampleRate: Float
  /// Length of the way to another sound, frames.
  private var way: Float = 1

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(geometry: ChainGeometry) throws(ChainError) {
    let length = NoiseShape.frameLength(geometry)
    left = NoiseEar(frameLength: length)
    right = NoiseEar(frameLength: length)
    frames = try NoiseFrames(length: length)
    position = length / 2
    sampleRate = Float(geometry.sampleRate)
  }

  /// Sets out for other sounds.
  ///
  /// - Parameter time: Of the way, s.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func retarget(
    _ leftShape: borrowing NoiseShape, _ rightShape: borrowing NoiseShape, time: Double
  ) {
    way = max(1, Float(time) * sampleRate)
    left.retarget(leftShape, frames: way)
    right.retarget(rightShape, frames: way)
  }

  /// Adds `count` samples of noise to each ear from `start`.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func add(
    to leftOutput: inout MutableSpan<Float>, _ rightOutput: inout MutableSpan<Float>, from start: Int,
    count: Int
  ) {
    if left.isSilent && right.isSilent { return }
    // What an ear has not faded in yet may be of its former colour: heard from silence, and gone in one frame.
    if left.turn(frames: way) { row.set(left.shape.sections, isLeft: true) }
    if right.turn(frames: way) { row.set(right.shape.sections, isLeft: false) }
    for n in start..<start + count {
      if position == frames.length / 2 {
        frames.advance(left.shape.magnitude, right.shape.magnitude)
        position = 0
      }
      let noise = row.step(frames.ready[2 * position], frames.ready[2 * position + 1])
      leftOutput[n] += left.advance() * noise.left
      rightOutput[n] += right.advance() * noise.right
      position += 1
    }
  }
}
