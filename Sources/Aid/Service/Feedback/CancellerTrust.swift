/// Trust in one ear's canceller: none for a while after it did harm, or a howl was found.
///
/// The measurement no longer holds then, and the gain that was granted for it is taken back. A telephone
/// goes away again, so it is given back after some minutes; each further time it takes twice as long, up to ``longestPause``, and
/// as at first after so long a time without any.
struct CancellerTrust: Sendable {
  /// Time of the first pause, s: own choice, a telephone call.
  static let firstPause = 300.0
  /// Longest one, and time without mishaps after which the next one is the first again, s. Own choice: whatever lay at the ear an hour
  /// ago lies there no longer.
  static let longestPause = 3600.0

  private var mishaps: Int64 = 0
  private var pause = firstPause
  private var end = -Double.infinity
  /// True while the gain counts on it.
  private(set) var isGiven = true

  /// Looks at what happened.
  ///
  /// - Parameters:
  ///   - mishaps: New beginnings and howls since the sound began.
  ///   - now: Monotonic, s.
  /// - Returns: True when ``isGiven`` has changed.
  mutating func look(mishaps: Int64, now: Double) -> Bool {
    let former = isGiven
    // Another sound began, which counts from nothing. It says nothing of the path: whatever did harm is still there.
    if mishaps < self.mishaps { self.mishaps = 0 }
    if mishaps > self.mishaps {
      if now >= end + Self.longestPause { pause = Self.firstPause }
      end = now + pause
      pause = min(2 * pause, Self.longestPause)
    }
    self.mishaps = mishaps
    isGiven = now >= end
    return isGiven != former
  }

  /// It was measured anew: what happened until now says nothing of that.
  mutating func renew() {
    let known = mishaps
    self = CancellerTrust()
    mishaps = known
  }
}
