/// Recorded sound, read block by block as left and right.
public protocol SoundSource: ~Copyable {
  /// Frames per second, Hz.
  var rate: Int { get }
  /// Frames in all.
  var frameCount: Int { get }

  /// Reads the next frames.
  ///
  /// - Shape: both spans have the same length; what is not filled is left alone.
  /// - Returns: Frames read, fewer than asked only at the end, then 0.
  /// - Throws: ``SoundFileError/damaged(path:frame:reason:)``.
  /// - Threads: control.
  mutating func read(
    left: inout MutableSpan<Float>, right: inout MutableSpan<Float>
  ) throws(SoundFileError) -> Int
}
