import Base
import Synchronization

/// Who has the devices for a feedback test, and until when.
///
/// A loan belongs to a connection: the kernel ends that with its process, whatever ends the process. One that hangs
/// renews nothing, and loses the loan with its term.
///
/// - Threads: control.
final class DeviceLender: Sendable {
  /// Time in which a loan must be renewed, s: a test renews twice a second, and works on what it has recorded for some
  /// tenths in between; own choice, twenty times the one, for a machine that is slow.
  static let term = 10.0

  private struct State {
    var borrower: Peer?
    /// When the loan ends by itself, monotonic s.
    var due = 0.0
    /// How the last test broke off, a sentence; nil: it did not.
    var note: String?
  }

  private let state = Mutex(State())

  /// How the last test broke off, a sentence; nil: it did not.
  var note: String? { state.withLock { $0.note } }

  /// Lends to a connection.
  ///
  /// - Parameter now: Monotonic, s.
  /// - Throws: ``Failure`` when another one has the devices.
  func lend(to peer: Peer, now: Double) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      if let borrower = state.borrower, borrower != peer {
        throw Failure(
          "feedback test", found: "another one, process \(borrower.processID)", expected: "one at a time",
          remedy: "Wait for its end.", exit: .temporary)
      }
      state.borrower = peer
      state.due = now + Self.term
      state.note = nil
    }
  }

  /// Lends for another term.
  ///
  /// - Throws: ``Failure`` when nothing is lent to that connection any more.
  func renew(_ peer: Peer, now: Double) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      guard state.borrower == peer else {
        throw Failure(
          "feedback test", found: "that the daemon has taken its devices back",
          expected: "them until the test has ended",
          remedy: "It was stopped or muted meanwhile, or heard nothing of the test for too long; "
            + "auricle status says more.",
          exit: .temporary)
      }
      state.due = now + Self.term
    }
  }

  /// Takes the devices back.
  ///
  /// - Parameter peer: Of this connection only; nil: from whoever has them.
  /// - Returns: Who had them; nil: nobody, or another one.
  func takeBack(from peer: Peer? = nil) -> Peer? {
    state.withLock { state in
      guard let borrower = state.borrower, peer == nil || peer == borrower else { return nil }
      state.borrower = nil
      return borrower
    }
  }

  /// Takes the devices back from one that has not renewed in time.
  ///
  /// - Returns: Who that was; nil: nobody.
  func takeBackOverdue(now: Double) -> Peer? {
    state.withLock { state in
      guard let borrower = state.borrower, now >= state.due else { return nil }
      state.borrower = nil
      return borrower
    }
  }

  /// Keeps in mind how a test broke off, for the status, until the next one begins.
  func remember(_ note: String) { state.withLock { $0.note = note } }
}
