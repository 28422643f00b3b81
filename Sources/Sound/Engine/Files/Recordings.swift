import Acoustics
import AudioIO
import Glibc
import HearingDSP
import Realtime

/// Sound files heard one after the other at one rate.
///
/// - Threads: `control`.
struct Recordings: ~Copyable {
  let paths: [String]
  /// Hz.
  let rate: Int
  /// Frames in all.
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
    for path in paths {
      let reader = try Self.reader(path)
      // Bounded by the reader, so that no sum of files that fit a command line overflows.
      frames += Int((Double(reader.frameCount) * Double(rate) / Double(reader.rate)).rounded())
    }
    self.paths = paths
    self.rate = rate
    frameCount = frames
  }

  /// Whether one of the files is the one that `path` names, by whatever way.
  func contains(_ path: String) -> Bool {
    guard let wanted = Self.identity(path) else { return false }
    return paths.contains { Self.identity($0).map { $0 == wanted } ?? false }
  }

  /// What the file system knows a file by; nil when there is none.
  private static func identity(_ path: String) -> (device: UInt, number: UInt)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return (UInt(status.st_dev), UInt(status.st_ino))
  }

  /// Equivalent level of both ears' louder one, dB FS.
  func equivalentLevel() throws(RenderingError) -> FullScaleLevel {
    var (leftSum, rightSum) = (0.0, 0.0)
    var count = 0
    try forEachBlock(of: 4096) { left, right, frames in
      for n in 0..<frames {
        // The chain hears what is not a number as silence, too.
        if left[n].isFinite { leftSum += Double(left[n]) * Double(left[n]) }
        if right[n].isFinite { rightSum += Double(right[n]) * Double(right[n]) }
      }
      count += frames
    }
    let mean = max(leftSum, rightSum) / Double(max(count, 1))
    return mean > 0 ? FullScaleLevel(rootMeanSquare: mean.squareRoot()) : FullScaleLevel(-.infinity)
  }

  /// Hands over all sound in blocks of `size` frames; the last one is filled up with silence and `frames` says how
  /// many of it are sound.
  func forEachBlock(
    of size: Int,
    _ body: (borrowing AlignedBuffer<Float>, borrowing AlignedBuffer<Float>, _ frames: Int)
      throws(RenderingError) -> Void
  ) throws(RenderingError) {
    var left = AlignedBuffer<Float>(count: size)
    var right = AlignedBuffer<Float>(count: size)
    var filled = 0
    for path in paths {
      let reader = try Self.reader(path)
      if reader.rate == rate {
        var source = reader
        try Self.drain(&source, &left, &right, &filled, body)
      } else {
        var source = reader.resampled(to: rate)
        try Self.drain(&source, &left, &right, &filled, body)
      }
    }
    guard filled > 0 else { return }
    for n in filled..<size {
      left[n] = 0
      right[n] = 0
    }
    try body(left, right, filled)
  }

  private static func drain<Source: SoundSource & ~Copyable>(
    _ source: inout Source, _ left: inout AlignedBuffer<Float>, _ right: inout AlignedBuffer<Float>,
    _ filled: inout Int,
    _ body: (borrowing AlignedBuffer<Float>, borrowing AlignedBuffer<Float>, _ frames: Int)
      throws(RenderingError) -> Void
  ) throws(RenderingError) {
    let size = left.count
    while true {
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      var leftRest = leftSpan._mutatingExtracting(filled..<size)
      var rightRest = rightSpan._mutatingExtracting(filled..<size)
      let got: Int
      do {
        got = try source.read(left: &leftRest, right: &rightRest)
      } catch {
        throw .sound(error)
      }
      if got == 0 { return }
      filled += got
      if filled == size {
        try body(left, right, size)
        filled = 0
      }
    }
  }

  private static func reader(_ path: String) throws(RenderingError) -> SoundFileReader {
    do {
      return try SoundFileReader(path: path, anyRate: true)
    } catch {
      throw .sound(error)
    }
  }
}
