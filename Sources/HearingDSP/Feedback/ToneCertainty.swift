/// Whether a sound is taken for a steady tone, from which nothing can be learnt about a path.
///
/// - Threads: `any`.
enum ToneCertainty: Equatable {
  /// Something richer than a tone.
  case absent
  /// Perhaps the beginning of a steady tone.
  case possible
  /// A steady tone or a few harmonics of one.
  case certain
}
