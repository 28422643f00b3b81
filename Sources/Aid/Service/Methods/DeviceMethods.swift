import Base
import Book
import Control

/// Methods of a device that a clinic has handed out.
package enum DeviceMethods {
  package struct Show: DaemonMethod {
    package static let description = MethodDescription(
      "device.show", for: .any, "Tells whose device this is, a clinic's or its owner's.",
      answer: DeviceAnswer.words)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<DeviceAnswer> {
      .now(state.device)
    }
  }

  /// Asked by `auricle device hand-over` and `device return`, which write the machine's mark: only root can.
  package struct Follow: DaemonMethod {
    package static let description = MethodDescription(
      "device.follow", for: [.operator],
      "Looks at the machine's mark anew: where it names a clinic, notes the hand-over in the book and goes by it from"
        + " then on; where there is none, and a pass has ended the hand-over, the device is its owner's.",
      answer: DeviceAnswer.words)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<DeviceAnswer> {
      state.work(.book) { [standing = state.facts.standing] _ in
        { disk in
          let failure = disk.store.follow(standing(), beginning: true)
          return (failure: failure, known: disk.store.known, owner: disk.configuredOwner)
        }
      } then: { (state, found) throws(Failure) -> Outcome<DeviceAnswer> in
        if let owner = found.owner { state.facts.configuredOwner = owner }
        state.take(found.known)
        if let failure = found.failure { throw failure }
        return .now(state.device)
      }
    }
  }

  package struct Return: BookMethod {
    package static let description = MethodDescription(
      "device.return", for: [.operator],
      "Takes a return pass of the clinic whose device this is. The machine's mark is then taken away by who asked.",
      [MethodParameter("card", .text, "the pass")], answer: BookAnswer.words)

    let card: String

    package init(card: String) { self.card = card }

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let (book, actor) = (session.book, session.actor)
      guard case .returnPass(let pass) = try session.carryOut(try book.read(card, by: actor)) else {
        throw Failure(
          "card", found: "another kind of card", expected: "a return pass",
          remedy: "The clinic makes one: auricle clinic pass return", exit: .badData)
      }
      try session.carryOut(try book.giveBack(pass, by: actor))
      return session.changed(
        "This device belongs to \(pass.clinic.name) no longer. Clinics that were trusted before it was handed over are trusted"
          + " again only when they are enrolled anew.")
    }
  }

  /// Of a program that has refused to its own user what only the system's daemon may do.
  package struct Note: DaemonMethod {
    package static let description = MethodDescription(
      "device.note", for: .any,
      "Notes in the audit trail of a clinic's device that a program of this user was refused something; of many a few.",
      [
        MethodParameter(
          "attempt", .text,
          English.list(DeviceAttempt.allCases.map(\.rawValue), "or")
            + ": a daemon, sound, configuration or book of one's own")
      ], answer: "")

    let attempt: String

    package func check() throws(ControlFailure) {
      guard DeviceAttempt(rawValue: attempt) == nil else { return }
      throw .parameter(
        "attempt", found: "\"\(LogLine.printable(attempt.prefix(16)))\"",
        expected: English.list(DeviceAttempt.allCases.map { "\"\($0.rawValue)\"" }, "or"))
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<[String: Bool]> {
      if state.known.clinicName != nil { state.noteRefusal("own \(attempt)", to: peer) }
      return .now([:])
    }
  }
}
