import Glibc

/// A stretch of sound for both ears, full scale ± 1.
struct StereoSound {
  let left: [Float]
  let right: [Float]

  var count: Int { left.count }

  /// The same sound in both ears, the right one half a millisecond behind, as from the left side.
  init(_ samples: [Float], sampleRate: Double) {
    let lag = Int(0.0005 * sampleRate)
    left = samples
    right = samples.indices.map { samples[($0 + samples.count - lag) % samples.count] }
  }

  /// Two seconds of the value that `sample` gives at each frame.
  static func made(sampleRate: Double, _ sample: (Int) -> Float) -> StereoSound {
    StereoSound((0..<Int(2 * sampleRate)).map(sample), sampleRate: sampleRate)
  }

  /// Digital silence.
  static func silence(sampleRate: Double) -> StereoSound { made(sampleRate: sampleRate) { _ in 0 } }

  /// Numbers too small for a normal float, ± 1e-39: what a decaying filter leaves behind. Written as bits,
  /// because a thread that flushes denormals cannot compute one.
  static func denormals(sampleRate: Double) -> StereoSound {
    made(sampleRate: sampleRate) { Float(bitPattern: $0 % 2 == 0 ? 0x000A_E398 : 0x800A_E398) }
  }

  /// A square of about 500 Hz at full scale, which keeps the output limiter busy in every sample.
  static func square(sampleRate: Double) -> StereoSound {
    made(sampleRate: sampleRate) { $0 / Int(sampleRate / 1000) % 2 == 0 ? 1 : -1 }
  }

  /// The same sound at another level.
  ///
  /// - Parameter meanSquare: Of the left ear.
  func scaled(toMeanSquare meanSquare: Double) -> StereoSound {
    let found = left.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(count)
    let factor = Float(sqrt(meanSquare / found))
    return StereoSound(left: left.map { $0 * factor }, right: right.map { $0 * factor })
  }

  private init(left: [Float], right: [Float]) {
    self.left = left
    self.right = right
  }
}
