public import Acoustics

/// Whatever lies on the bench: digital sound goes in at both microphones and comes out at both ears.
///
/// - Threads: control; one at a time.
public protocol SoundPath: ~Copyable {
  /// Hz.
  var sampleRate: Double { get }
  /// Sound is taken in multiples of this many frames.
  var blockFrames: Int { get }

  /// Plays what follows on the last call.
  ///
  /// - Shape: both ears equally long, a multiple of ``blockFrames``; the answer is as long.
  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]>
}
