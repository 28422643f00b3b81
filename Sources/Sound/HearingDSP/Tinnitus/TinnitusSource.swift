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
  mutating func retarget(
    _ leftShape: borrowing NoiseShape, _ rightShape: borrowing NoiseShape, time: Double
  ) {
    way = max(1, Float(time) * sampleRate)
    left.retarget(leftShape, frames: way)
    right.retarget(rightShape, frames: way)
  }

  /// Adds `count` samples of noise to each ear from `start`.
  mutating func add(
    to leftOutput: inout MutableSpan<Float>, _ rightOutput: inout MutableSpan<Float>, from start: Int,
    count: Int
  ) {
    if left.isSilent && right.isSilent { return }
    // What an ear has not faded in yet may be of its former colour: heard from silence, and gone in one frame.
    if left.turn(frames: way) { row.set(left.shape.sections, isLeft: true) }
    if right.turn(frames: way) { row.set(right.shape.sections, isLeft: false) }
    let end = start + count
    precondition(start >= 0 && end <= leftOutput.count && end <= rightOutput.count)
    var next = start
    while next < end {
      if position == frames.length / 2 {
        frames.advance(left.shape.magnitude, right.shape.magnitude)
        position = 0
      }
      let part = min(end - next, frames.length / 2 - position)
      let ready = unsafe frames.ready.pointer + 2 * position
      // A copy of its own, which stays in registers.
      var row = self.row
      for n in 0..<part {
        let noise = unsafe row.step(ready[2 * n], ready[2 * n + 1])
        unsafe leftOutput[unchecked: next + n] += left.advance() * noise.left
        unsafe rightOutput[unchecked: next + n] += right.advance() * noise.right
      }
      self.row = row
      position += part
      next += part
    }
  }
}
