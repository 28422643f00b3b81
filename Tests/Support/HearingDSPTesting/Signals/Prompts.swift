import Glibc

/// The voice of Debian's alsa-utils, 48 kHz: eight short prompts with pauses, again and again.
enum Prompts {
  static let rate = 48_000.0
  private static let folder = "/usr/share/sounds/alsa"
  private static let names = [
    "Front_Center", "Front_Left", "Front_Right", "Rear_Center", "Rear_Left", "Rear_Right", "Side_Left",
    "Side_Right",
  ]

  /// All prompts as they are, one after the other; nil without the package.
  static var recorded: [Float]? {
    var sound: [Float] = []
    for name in names {
      guard let prompt = samples("\(folder)/\(name).wav") else { return nil }
      sound += prompt
    }
    return sound
  }

  /// Samples of a level, pauses included, dB SPL on a rig with 120 dB SPL at full scale; nil without the package.
  static func speech(level: Double, seconds: Double) -> [Float]? {
    var round: [Float] = []
    for name in names {
      guard let prompt = samples("\(folder)/\(name).wav") else { return nil }
      // A prompt ends in a long silence: a speaker's pause of 0.3 s instead.
      let end = (prompt.lastIndex { abs($0) > 0.01 } ?? 0) + 1
      round += prompt[..<end]
      round += [Float](repeating: 0, count: Int(0.3 * rate))
    }
    let count = Int(seconds * rate)
    let sound = (0..<count).map { round[$0 % round.count] }
    let factor = Float(pow(10, (level - Measure.level(of: sound[...])) / 20))
    return sound.map { $0 * factor }
  }

  /// Samples of a WAV file of 16-bit integers, one channel.
  private static func samples(_ path: String) -> [Float]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    let mark = Array("data".utf8)
    guard let start = (12..<bytes.count - 8).first(where: { Array(bytes[$0..<$0 + 4]) == mark }) else {
      return nil
    }
    return stride(from: start + 8, to: bytes.count - 1, by: 2).map {
      Float(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)) / 32_768
    }
  }
}
