import Acoustics
import AudioIO
import Glibc
import HearingDSP
import Realtime

/// Sound files heard one after the other at one rate.
///
/// - Threads: `control`.
struct Recordings {
  let paths: [String]
  /// Hz.
  let rate: Int
  /// Frames in all, as the files state them: more where nothing stands behind what a file states.
  let frameCount: Int

  /// Looks at every file, so that a bad one is found before the work begins.
  init(_ paths: [String], sampleRate: Int?) throws(RenderingError) {
    guard let first = paths.first else { throw .nothingToRender }
    let native = try Self.reader(first).rate
    let rate = sampleRate ?? (SoundFileReader.processedRates.contains(native) ? native : 44_100)
    guard ChainGeometry.sampleRates.contains(Double(rate)) else {
      throw .chain(.unsupportedSampleRate(Double(rate)))
    }
    var frames = 0
    // Bounded by the reader, so that no sum of files that fit a command line overflows.
    for path in paths { frames += try Self.reader(path).resampled(to: rate).frameCount }
    (self.paths, self.rate, frameCount) = (paths, rate, frames)
  }

  /// True when one of the files is the one that `path` names, by whatever way.
  func contains(_ path: String) -> Bool {
    var (wanted, status) = (stat(), stat())
    guard unsafe stat(path, &wanted) == 0 else { return false }
    return paths.contains {
      unsafe stat($0, &status) == 0 && status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino
    }
  }

  /// Frames that there are.
  func countFrames() throws(RenderingError) -> Int {
    var count = 0
    var block = SoundBlock(frames: 4096)
    try forEachBlock(in: &block) { _, frames in count += frames }
    return count
  }

  /// Equivalent level of both ears' louder one, dB FS, the frames that there are, and true where each sample was a number.
  func equivalentLevel() throws(RenderingError) -> (level: FullScaleLevel, frames: Int, isWhole: Bool) {
    var (leftSum, rightSum) = (0.0, 0.0)
    var count = 0
    var isWhole = true
    var block = SoundBlock(frames: 4096)
    try forEachBlock(in: &block) { block, frames in
      for n in 0..<frames {
        // The chain takes a sample that is not a number as silence, too.
        let (left, right) = (Double(block.leftInput[n]), Double(block.rightInput[n]))
        if left.isFinite { leftSum += left * left }
        if right.isFinite { rightSum += right * right }
        if !left.isFinite || !right.isFinite { isWhole = false }
      }
      count += frames
    }
    let mean = max(leftSum, rightSum) / Double(max(count, 1))
    let level =
      mean > 0 ? FullScaleLevel(rootMeanSquare: mean.squareRoot()) : FullScaleLevel(-.infinity)
    return (level, count, isWhole)
  }

  /// Gives all sound to `body`, block by block; the last one is filled up with silence.
  ///
  /// - Parameters:
  ///   - block: Its input is used; frames to a block are as many as it has.
  ///   - body: Told how many frames of the block are sound.
  func forEachBlock(
    in block: inout SoundBlock, _ body: (inout SoundBlock, _ frames: Int) throws(RenderingError) -> Void
  ) throws(RenderingError) {
    let size = block.leftInput.count
    var filled = 0
    for path in paths {
      var source = try Self.reader(path).resampled(to: rate)
      while true {
        let got = try Self.read(&source, &block.leftInput, &block.rightInput, filled..<size)
        if got == 0 { break }
        filled += got
        guard filled == size else { continue }
        try body(&block, size)
        filled = 0
      }
    }
    guard filled > 0 else { return }
    for n in filled..<size {
      block.leftInput[n] = 0
      block.rightInput[n] = 0
    }
    try body(&block, filled)
  }

  private static func read(
    _ source: inout SoundFileReader, _ left: inout AlignedBuffer<Float>,
    _ right: inout AlignedBuffer<Float>, _ range: Range<Int>
  ) throws(RenderingError) -> Int {
    var leftSpan = left.mutableSpan
    var rightSpan = right.mutableSpan
    var leftRest = leftSpan._mutatingExtracting(range)
    var rightRest = rightSpan._mutatingExtracting(range)
    do { return try source.read(left: &leftRest, right: &rightRest) } catch { throw .sound(error) }
  }

  /// A recording, at whatever rate it is.
  static func reader(_ path: String) throws(RenderingError) -> SoundFileReader {
    do { return try SoundFileReader(path: path, anyRate: true) } catch { throw .sound(error) }
  }
}
