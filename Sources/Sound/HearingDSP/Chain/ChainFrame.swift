public import Acoustics

/// Numbers of one hop from which the gain of each band follows, as plain numbers that cross threads.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct ChainFrame: BitwiseCopyable, Sendable {
  /// Both ears' numbers.
  public internal(set) var ears = Binaural(both: GainFrame())
  /// ``ChainParameters/number`` of the setting in force; 0 where no chain played.
  public internal(set) var setting = 0
  /// Scene around the wearer.
  public internal(set) var scene = SceneReading()
  /// Factor of the rise from silence at the hop's end, linear, 0...1.
  public internal(set) var ramp: Float = 0
  /// Factor of the microphones' sound because of streamed sound, linear, 0...1.
  public internal(set) var microphones: Float = 1
  /// Greatest share of a period that a block took since the frame before, 0...1.
  public var load: Float = 0
  /// Count of the last sample of the hop in the sound that the tap handed on.
  public var position = 0
  /// True when sound before this hop was lost on its way to control.
  public var isBroken = false
  /// Frames of sound lost since the frame before.
  public var lost = 0
  /// Count of the sound, as ``position``, at which the first is missing; of no meaning where ``lost`` is 0.
  public var lostAt = 0

  /// Nothing played.
  public init() {}
}

extension ChainFrame {
  /// Gain of each band of an ear, with its parts.
  ///
  /// - Parameter setting: The setting in force, whose number is ``setting``.
  public func gains(_ ear: Ear, setting: ChainParameters) -> [BandGain] {
    (0..<setting.bands.count).map { band in
      BandGain(band, of: ears[ear], fitting: setting.fittings[ear], ramp: ramp, streaming: microphones)
    }
  }
}
