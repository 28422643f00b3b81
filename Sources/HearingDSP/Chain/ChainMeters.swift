/// What both ears heard: the whole of one meter reading.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct ChainMeters: BitwiseCopyable, Sendable {
  public var left = EarMeters()
  public var right = EarMeters()
  /// Frames processed since the chain began.
  public var frames: Int64 = 0
  /// Bands in use in the ears' arrays.
  public var bandCount: Int32 = 0
  /// What the surroundings are taken for.
  public var scene = SceneReading()

  public init() {}
}
