/// Numbers that a sound device answers, held within what can be: a device may be a plugin, which is another
/// program's code, and arithmetic on the audio thread must not overflow whatever it says.
///
/// - Threads: audio.
enum DeviceAnswer {
  /// Longest period and buffer that are taken, frames: three minutes at 96 kHz.
  static let greatestLength = 1 << 24

  /// Frames, or a negative error code: within 32 bits, as no ring is longer.
  static func frames(_ answer: Int) -> Int { min(max(answer, Int(Int32.min)), Int(Int32.max)) }

  /// Frames or descriptors of those that there is room for, or a negative error code.
  static func count(_ answer: Int, atMost room: Int) -> Int { min(answer, room) }

  /// True when a granted period and buffer can be used.
  static func isUsable(period: Int, buffer: Int) -> Bool {
    period >= 1 && buffer >= period && buffer <= greatestLength
  }
}
