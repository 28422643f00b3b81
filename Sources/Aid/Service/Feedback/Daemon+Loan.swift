import Base
import Control
import Prescriptions
import Realtime

extension Daemon {
  /// Gives the devices to a feedback test, or leaves them to it.
  func lend(to peer: Peer) throws(Failure) -> DeviceLoan {
    try lender.lend(to: peer, now: SystemTime.monotonic)
    pilot.lend(
      because: "a feedback test has the devices, process \(peer.processID); sound comes back when it ends")
    _ = settled { _ in true }
    return loan
  }

  /// Leaves them to it for another term.
  func renewLoan(of peer: Peer) throws(Failure) -> DeviceLoan {
    try lender.renew(peer, now: SystemTime.monotonic)
    return loan
  }

  private var loan: DeviceLoan {
    DeviceLoan(areDevicesFree: pilot.isAtRest, term: DeviceLender.term)
  }

  /// Takes them back as the test gives them: what sounded before sounds again.
  func endLoan(of peer: Peer) -> StatusReport.State {
    if lender.takeBack(from: peer) != nil { pilot.takeBack() }
    return settled { $0.name != .starting }
  }

  /// Takes them back because the wearer, or the end of the daemon, wants something else.
  func revokeLoan() {
    guard let borrower = lender.takeBack() else { return }
    pilot.takeBack()
    write(
      LogLine(
        .notice, "the feedback test of process \(borrower.processID) is ended: its devices are taken back"))
  }

  /// Takes them back from a test that says nothing any more.
  func lookAtLoan() {
    guard let borrower = lender.takeBackOverdue(now: SystemTime.monotonic) else { return }
    restore(after: borrower, "said nothing for \(Int(DeviceLender.term)) s")
  }

  func hasGone(_ peer: Peer) {
    guard let borrower = lender.takeBack(from: peer) else { return }
    restore(after: borrower, "was ended from outside")
  }

  /// What sounded before sounds again, ramped, and why it was silent stays to be read.
  private func restore(after borrower: Peer, _ reason: String) {
    pilot.takeBack()
    ring()
    let what =
      "The feedback test of process \(borrower.processID) broke off: it \(reason). Nothing of it is kept."
    lender.remember("\(Instant(seconds: Int(SystemTime.wall)).localText): \(what)")
    write(LogLine(.warning, what + " What sounded before sounds again."))
  }
}
