import Base
import Prescriptions
import Sealing

/// Time that never goes back: from the latest moment seen, it goes on as fast as the clock that nobody can
/// set, and follows the wall clock only forward.
struct BookTime {
  /// A wall clock behind by more than this is worth saying, s. Clocks that are corrected over the network
  /// differ by seconds.
  static let tolerance = 120

  let clock: BookClock
  private(set) var latest: Instant
  private var anchor: Int

  init(clock: BookClock, latest: Instant) {
    self.clock = clock
    self.latest = latest
    anchor = clock.running()
  }

  /// The present.
  mutating func read() -> Instant { read(wall: clock.wall(), running: clock.running()) }

  /// The present by given clocks.
  mutating func read(wall: Instant, running: Int) -> Instant {
    latest = max(wall, latest + max(0, running - anchor))
    anchor = running
    return latest
  }

  /// Moves on to the present of a former reading that is ahead by a second: both clocks are read in whole
  /// seconds, which do not begin at one moment. What is ahead by more was corrected since.
  mutating func keepUp(with former: BookTime) {
    if former.latest - latest == 1 { latest = former.latest }
  }

  /// Seconds by which a wall clock is behind; nil within ``tolerance``.
  func lag(wall: Instant) -> Int? {
    let lag = latest - wall
    return lag > Self.tolerance ? lag : nil
  }

  /// Believes the wall clock.
  mutating func correct() {
    latest = clock.wall()
    anchor = clock.running()
  }
}

/// The two clocks that the book reads.
package struct BookClock: Sendable {
  /// The system's time. Anybody may have set it.
  package let wall: @Sendable () -> Instant
  /// s since the system started, sleep included. Nobody can set it.
  package let running: @Sendable () -> Int

  package init(wall: @escaping @Sendable () -> Instant, running: @escaping @Sendable () -> Int) {
    (self.wall, self.running) = (wall, running)
  }

  /// The system's.
  package static let system = BookClock(
    wall: { Instant(seconds: Int(SystemTime.wall.rounded(.down))) }, running: { Int(SystemTime.running) })
}

extension BookState {
  /// The entry that was issued last, where a clock shows less than that: it cannot be believed. Nil: it can.
  func newest(issuedAfter wall: Instant) -> BookEntry? {
    guard let newest = entries.max(by: { $0.prescription.issued < $1.prescription.issued }),
      newest.prescription.issued - wall > BookTime.tolerance
    else { return nil }
    return newest
  }
}

/// The prescription that was in force when the book was last written, read without the database.
package struct LastGood: Sendable, Hashable {
  package let card: Signed<Prescription>
  /// Moment of the note.
  package let noted: Instant
}

extension PrescriptionBook {
  /// The prescription for a device whose book cannot be opened: its database damaged, its disk read-only.
  ///
  /// The note is sealed with the book's key and the card in it verified again with its clinic. A trial may
  /// have ended since; its prescription is better than none.
  ///
  /// - Returns: Nil when nothing was in force, the folder is another user's, or the note is damaged or of
  ///   another key.
  /// - Threads: control.
  package static func lastGood(in folder: String, key: SealingKey) -> LastGood? {
    guard BookFolder(folder).isOwn, let note = try? HeadNote(from: BookFolder(folder).head, key: key),
      let card = note.card,
      let clinic = note.clinic, let loaded = note.loaded
    else { return nil }
    let moment = Instant(seconds: loaded)
    guard case .clinic(let identity) = try? Card.read(clinic, trusting: [], at: moment),
      case .prescription(let signed) = try? Card.read(
        card, trusting: [TrustedClinic(identity: identity, enrolled: moment)], at: moment)
    else { return nil }
    return LastGood(card: signed, noted: Instant(seconds: note.latest))
  }
}

/// The book's content at one moment, which goes on in time without the disk: a trial ends when it is to
/// end, though its end is not written yet.
///
/// - Threads: any.
package struct BookSnapshot: Sendable {
  /// Content at the latest moment that was told.
  package private(set) var state: BookState
  private var time: BookTime
  /// By how much the wall clock is behind, s; nil: not worth saying.
  private var lag: Int?

  init(_ state: BookState, _ time: BookTime) {
    self.state = state
    self.time = time
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

  /// Takes back nothing that had ended by a former reading.
  package mutating func keepUp(with former: BookSnapshot) {
    time.keepUp(with: former.time)
    state.advance(to: time.latest)
  }

  /// Sentences for people about the book, its clock and the prescription in force.
  package var notices: [BookNotice] {
    guard let lag else { return state.notices }
    let newest = state.newest(issuedAfter: time.latest + -lag)
    return state.notices + [.clockBehind(seconds: lag, before: newest?.number)]
  }
}
