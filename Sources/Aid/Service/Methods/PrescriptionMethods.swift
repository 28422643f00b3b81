import Base
import Book
import Control
import Prescriptions

/// Methods of prescriptions.
package enum PrescriptionMethods {
  /// A card before it is taken in. Its answer is health data.
  package struct Look: BookMethod {
    package static let description = MethodDescription(
      "prescription.look", for: [.wearer, .audiologist],
      "Shows whose card this is, whose device, and what it would change; changes nothing.",
      [MethodParameter("card", .text, "the card's text")], answer: CardPreview.words)
    package static let beginsBook = true

    package let card: String

    package init(card: String) { self.card = card }

    package func answer(in session: BookSession) throws(Failure) -> CardPreview {
      let card = try session.read(card)
      if case .prescription(let prescription) = card { try session.check(prescription) }
      let confirmation = try session.carryOut(try session.book.consider(card, by: session.actor))
      return CardPreview(card, in: session.book.state, confirmation: confirmation)
    }
  }

  /// Takes in a prescription or a pass that a person has seen.
  package struct Load: BookMethod {
    package static let description = MethodDescription(
      "prescription.load", for: [.wearer, .audiologist],
      "Takes a card in, a prescription or a pass, which a person has confirmed.",
      [
        MethodParameter("card", .text, "the card's text"),
        MethodParameter(
          "confirmation", .text, isOptional: true,
          "as prescription.look answered, once the wearer has seen that and agreed; it holds until wearer or"
            + " prescription change; without it the card is refused"),
      ], answer: BookAnswer.words)
    package static let beginsBook = true

    package let card: String
    package let confirmation: String?

    package init(card: String, confirmation: String?) {
      self.card = card
      self.confirmation = confirmation
    }

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let (book, actor) = (session.book, session.actor)
      let card = try session.read(card)
      try session.carryOut(try book.check(confirmation ?? "", of: card, by: actor))
      switch card {
      case .clinic, .returnPass: throw Failure(BookError.notConfirmed)
      case .developerPass(let pass):
        let end = try session.carryOut(try book.openDeveloperMode(pass, by: actor))
        return session.changed("Developer mode is open until \(end.localText).")
      case .bindingPass(let pass):
        let former = book.state.boundPatient
        try session.carryOut(try book.rebind(pass, by: actor))
        return session.changed(Self.outcome(ofBindingTo: pass.content.patient, insteadOf: former))
      case .prescription(let card):
        try session.check(card)
        return session.changed(to: try session.carryOut(try book.load(card, by: actor)))
      }
    }

    /// Whole sentences on a binding pass that was taken.
    ///
    /// - Parameter former: Patient that the device belonged to; nil: to nobody.
    private static func outcome(ofBindingTo patient: Patient, insteadOf former: Patient?) -> String {
      guard let former else {
        return "This device belongs to this patient from now on. "
          + "Nothing is prescribed until a card of theirs is scanned."
      }
      guard former.identity != patient.identity else {
        return "This device is this patient's already, and stays so; what is prescribed does not change."
      }
      return "This device belongs to another patient from now on. "
        + "Nothing is prescribed until that patient's card is scanned."
    }
  }

  package struct List: BookMethod {
    package static let description = MethodDescription(
      "prescription.list", for: [.wearer, .audiologist, .operator],
      "Lists all prescriptions that were ever loaded.",
      answer: "what auricle rx list --json prints")

    package init() {}

    package static var answerWithoutBook: BookReport? {
      BookReport(prescriptions: [], inForce: nil, isBound: false)
    }

    package func answer(in session: BookSession) -> BookReport { BookReport(session.book) }
  }

  /// A card's text is health data, and therefore given only to those who may change.
  package struct Card: BookMethod {
    package static let description = MethodDescription(
      "prescription.card", for: [.wearer, .audiologist], "Gives one card's text.",
      [
        MethodParameter(
          "number", .whole(1...999_999_999), isOptional: true,
          "in the book; the prescription in force when left out")
      ], answer: "'card'")

    let number: Int?

    /// - Parameter number: In the book; nil: the prescription in force.
    package init(number: Int?) { self.number = number }

    package func answer(in session: BookSession) throws(Failure) -> CardReport {
      CardReport(card: try session.ownEntry(number).card.text.text)
    }
  }

  /// The same for another program or a picture, which the audit trail notes.
  package struct Export: BookMethod {
    package static let description = MethodDescription(
      "prescription.export", for: [.wearer, .audiologist],
      "Gives one card's text for a file that leaves the device, and notes it in the audit trail.",
      Card.description.parameters, answer: "'card'")

    let number: Int?

    /// - Parameter number: In the book; nil: the prescription in force.
    package init(number: Int?) { self.number = number }

    package func answer(in session: BookSession) throws(Failure) -> CardReport {
      let entry = try session.ownEntry(number)
      try session.carryOut(try session.book.noteExport(of: entry, by: session.actor))
      return CardReport(card: entry.card.text.text)
    }
  }

  package struct Use: BookMethod {
    package static let description = MethodDescription(
      "prescription.use", for: [.wearer, .audiologist], "Puts another prescription in force.",
      [MethodParameter("wanted", .text, "an environment or a number in the book")], answer: BookAnswer.words
    )

    let wanted: String

    /// - Parameter wanted: An environment's word or a number in the book.
    package init(_ wanted: String) { self.wanted = wanted }

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let (book, actor) = (session.book, session.actor)
      let entry: BookEntry
      if let number = Int(wanted) {
        entry = try session.carryOut(try book.use(entry: number, by: actor))
      } else {
        let environment = try session.prescribed(wanted)
        let latest = session.ownEntries.last { $0.environment == environment }
        if book.state.inForce(in: environment) == nil, let latest {
          let usable = session.usable(for: environment) ?? latest
          // Where no other may be used either, the refusal of the latest says why.
          _ = try session.carryOut(try book.state.using(usable.number))
          throw Failure(
            "prescription book", inWords: "No prescription for \(environment.word) is in force",
            remedy: BookSession.advice(usable), exit: .usage)
        }
        entry = try session.choose(in: environment, try book.use(environment, by: actor))
      }
      return session.changed(to: entry)
    }
  }

  package struct Try: BookMethod {
    package static let description = MethodDescription(
      "prescription.try", for: [.wearer, .audiologist],
      "Puts a prescription in force for a while; then the former one returns by itself.",
      [
        MethodParameter(
          "wanted", .text, isOptional: true,
          "an environment or a number in the book; the one that was loaded last when left out"),
        MethodParameter("seconds", .whole(1...100_000_000), "duration, s"),
      ], answer: BookAnswer.words)

    let wanted: String?
    let seconds: Int

    package init(_ wanted: String?, seconds: Int) {
      self.wanted = wanted
      self.seconds = seconds
    }

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let entry = try chosen(in: session)
      let former = session.book.state.trials[entry.environment]
      let trial = try session.carryOut(
        try session.book.beginTrial(of: entry.number, for: seconds, by: session.actor))
      let isOwn = !session.book.state.isClinicsTrial(entry) || entry.prescription.wearerMayAccept
      let keeping = isOwn ? " Keep it with: auricle rx accept" : ""
      let ended = former.flatMap { $0.entry == entry.number ? nil : session.book.state.entry($0.entry) }
        .flatMap { session.book.state.isClinicsTrial($0) ? $0.number : nil }
      let ending = ended.map {
        " It ends the clinic's trial of number \($0); to begin that again: auricle rx use \($0)."
      }
      // A prescription that was on trial does not return.
      let returning =
        ended != nil && session.book.state.active[entry.environment] != nil ? "final" : "former"
      let then =
        session.book.state.isInForce(at: trial.ends)
        ? "Then the \(returning) one returns by itself."
        : "Then nothing is amplified, for there is no \(ended == nil ? "former" : "final") one."
      return session.changed(
        "On trial until \(trial.ends.localText): \(entry.words).\(ending ?? "") \(then)\(keeping)")
    }

    /// The entry of a number; otherwise the patient's latest one for an environment that may be used, unless that is the one in force or
    /// older; or the latest of all.
    private func chosen(in session: BookSession) throws(Failure) -> BookEntry {
      if let number = wanted.flatMap({ Int($0) }) { return try session.entry(number) }
      let entries = session.ownEntries
      guard let wanted else {
        guard let entry = entries.last else { throw Failure(BookError.nothingInForce) }
        return entry
      }
      let environment = try session.prescribed(wanted)
      guard let latest = entries.last(where: { $0.environment == environment }) else {
        throw Failure(BookError.nothing(for: environment))
      }
      let state = session.book.state
      guard (try? state.using(latest.number)) == nil else { return latest }
      let usable = entries.last { $0.environment == environment && (try? state.using($0.number)) != nil }
      // Whoever names the environment of the one in force does not mean an older one: then, and where no other may be used, the refusal
      // of the latest says why.
      let isOlder =
        state.inForce.flatMap { inForce in
          usable.map { $0.number <= inForce.number && inForce.environment == environment }
        } ?? false
      return isOlder ? latest : usable ?? latest
    }
  }

  package struct Accept: BookMethod {
    package static let description = MethodDescription(
      "prescription.accept", for: [.wearer, .audiologist], "Makes the trial final.",
      answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let entry = try session.carryOut(try session.book.accept(by: session.actor))
      return session.changed("Kept: \(entry.words).")
    }
  }

  package struct Revert: BookMethod {
    package static let description = MethodDescription(
      "prescription.revert", for: [.wearer, .audiologist],
      "Goes back to the former prescription, and ends a trial.",
      answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let entry = try session.choose(
        in: session.book.state.selected, try session.book.revert(by: session.actor))
      return entry.map { session.changed(to: $0, isAgain: true) }
        ?? session.changed("Nothing was prescribed before it: nothing is amplified now.")
    }
  }
}
