import Prescriptions

/// The book's content at one moment, which goes on in time without the disk: a trial ends when it is to
/// end, though its end is not written yet.
///
/// - Threads: any.
package struct BookSnapshot: Sendable {
  /// Content at the latest moment that was told.
  package private(set) var state: BookState
  private var time: BookTime
  private let isHeadMissing: Bool
  /// By how much the wall clock is behind, s; nil: not worth saying.
  private var lag: Int?

  init(_ state: BookState, _ time: BookTime, isHeadMissing: Bool) {
    self.state = state
    self.time = time
    self.isHeadMissing = isHeadMissing
    lag = time.lag(wall: time.clock.wall())
  }

  /// Moves on to the present.
  ///
  /// - Parameters:
  ///   - wall: s since 1970-01-01 UTC; ``state`` follows it only forward.
  ///   - running: s since the system started, sleep included.
  package mutating func advance(wall: Double, running: Double) {
    let wall = Instant(seconds: Int(wall.rounded(.down)))
    state.advance(to: time.read(wall: wall, running: Int(running)))
    lag = time.lag(wall: wall)
  }

  /// Sentences for people about the book, its clock and the prescription in force.
  package var notices: [BookNotice] {
    state.notices + (isHeadMissing ? [.damage(.headMissing)] : [])
      + (lag.map { [.clockBehind(seconds: $0)] } ?? [])
  }
}
