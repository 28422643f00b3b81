import Acoustics
import Base
import Control
import Engine
import Prescriptions

/// The devices in the hands of a feedback test.
///
/// A loan belongs to a connection: the kernel ends that with its process, whatever ends the process. A test
/// that hangs renews nothing, and loses the devices with its term.
struct DeviceLoanState: Sendable, Equatable {
  /// Time in which a loan must be renewed, s: a test renews twice a second, and works on what it has
  /// recorded for some tenths in between; own choice, twenty times the one, for a machine that is slow.
  static let term = 10.0

  let borrower: Peer
  /// When it ends by itself, monotonic s.
  var due: Double
}

extension ServiceState {
  /// Takes over what was done to the file, and lets it be heard.
  ///
  /// - Throws: ``Failure``: of the file, which changes nothing; or of settings that cannot be played, which
  ///   leaves the former ones in force.
  mutating func hear(_ failure: Failure?, after change: (inout MeasuredFeedback) -> Void) throws(Failure) {
    if let failure { throw failure }
    change(&feedback)
    do throws(FittingFailure) {
      try hear(shortest: ProgramPace.byTurn) { _ in }
    } catch {
      throw Failure(error, configuration)
    }
  }

  /// Takes in what the devices and cancellers tell.
  mutating func followFeedback() {
    var measured = feedback
    let former = measured.distrusted
    let hasChanged = measured.look(
      audio.devices, reading: audio.reading, opens: audio.opens, now: now.monotonic)
    guard hasChanged else { return feedback = measured }
    for ear in measured.distrusted where !former.contains(ear) { log(.warning, Self.distrust(ear)) }
    do throws(Failure) {
      try hear(nil) { $0 = measured }
    } catch {
      log(.error, error.logMessage)
    }
  }

  static func distrust(_ ear: Ear) -> String {
    "\(ear.rawValue): the canceller did harm, or something howled: what was measured may no longer hold, and the gain "
      + "granted for it is taken back for some minutes. Look how the earpiece sits; if it comes again: auricle fit feedback"
  }

  // MARK: - The devices in the hands of a test

  /// Gives the devices to a feedback test, or leaves them to it.
  ///
  /// - Throws: ``Failure`` when another one has them.
  mutating func lend(to peer: Peer) throws(Failure) {
    if let borrower = loan?.borrower, borrower != peer {
      throw Failure(
        "feedback test", found: "another one, process \(borrower.processID)", expected: "one at a time",
        remedy: "Wait for its end.", exit: .temporary)
    }
    loan = DeviceLoanState(borrower: peer, due: now.monotonic + DeviceLoanState.term)
    loanNote = nil
    sound.give(
      to: "a feedback test has the devices, process \(peer.processID); sound comes back when it ends")
  }

  /// Leaves them to it for another term.
  ///
  /// - Throws: ``Failure`` when they are not lent to it any more.
  mutating func renewLoan(of peer: Peer) throws(Failure) {
    guard loan?.borrower == peer else {
      throw Failure(
        "feedback test", found: "that the daemon has taken its devices back",
        expected: "them until the test has ended",
        remedy: "It was stopped or muted meanwhile, or heard nothing of the test for too long; "
          + "auricle status says more.", exit: .temporary)
    }
    loan?.due = now.monotonic + DeviceLoanState.term
  }

  /// Takes them back from the test that gives them.
  mutating func endLoan(of peer: Peer) { if loan?.borrower == peer { takeBack() } }

  /// What sounded before sounds again.
  private mutating func takeBack() {
    loan = nil
    sound.takeBack()
  }

  /// Takes them back because a person, or the end of the daemon, wants something else.
  mutating func revokeLoan() {
    guard let borrower = loan?.borrower else { return }
    takeBack()
    log(.notice, "the feedback test of process \(borrower.processID) is ended: its devices are taken back")
  }

  /// Takes them back from a test that says nothing any more.
  mutating func endOverdueLoan() {
    guard let loan, now.monotonic >= loan.due else { return }
    breakOff(loan.borrower, "said nothing for \(Int(DeviceLoanState.term)) s")
  }

  /// Forgets a connection that has ended.
  mutating func forget(_ peer: Peer) {
    if loan?.borrower == peer { breakOff(peer, "was ended from outside") }
  }

  /// What sounded before sounds again, ramped, and why it was silent stays to be read.
  private mutating func breakOff(_ borrower: Peer, _ reason: String) {
    takeBack()
    let what =
      "The feedback test of process \(borrower.processID) broke off: it \(reason). Nothing of it is kept."
    loanNote = "\(Instant(seconds: Int(now.wall)).localText): \(what)"
    log(.warning, what + " What sounded before sounds again.")
  }
}
