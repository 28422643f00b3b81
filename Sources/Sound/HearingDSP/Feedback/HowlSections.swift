import Realtime

/// An ear's two sections: one notches, the other asks, so that a howl beside one that is notched is found and notched too.
///
/// - Threads: `audio`.
struct HowlSections {
  private var first = HowlNotch()
  private var second = HowlNotch()
  private var firstIsAsking = true
  /// Most by which a depth moves per sample.
  let step: Float

  init(step: Float) { self.step = step }

  var isActive: Bool { first.isActive || second.isActive }

  /// Lowers or turns what is to be lowered or turned.
  mutating func apply(_ samples: inout MutableSpan<Float>, from start: Int, frames: Int) {
    if first.isActive { first.apply(&samples, from: start, frames: frames, step: step) }
    if second.isActive { second.apply(&samples, from: start, frames: frames, step: step) }
  }

  /// Turns the phase at a frequency.
  ///
  /// - Parameters:
  ///   - place: Half turns per sample.
  ///   - angle: Half turns.
  ///   - speed: Half turns per sample.
  mutating func turn(at place: Float, by angle: Float, speed: Float) {
    if firstIsAsking {
      first.rotate(at: place, by: angle, speed: speed)
    } else {
      second.rotate(at: place, by: angle, speed: speed)
    }
  }

  /// Makes a notch of what asked. Of two notches the older one is let go, to ask in turn.
  mutating func notch(at place: Float) {
    if firstIsAsking { first.notch(at: place) } else { second.notch(at: place) }
    firstIsAsking.toggle()
    endQuestion()
  }

  /// Turns back.
  mutating func endQuestion() {
    if firstIsAsking { first.release() } else { second.release() }
  }

  /// Opens the notch.
  mutating func endNotch() {
    if firstIsAsking { second.release() } else { first.release() }
  }
}
