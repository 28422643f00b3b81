import Control

/// Methods of prescriptions.
package enum PrescriptionMethods {
  static let all: [any BookMethod.Type] = [
    Load.self, List.self, Card.self, Use.self, Try.self, Accept.self, Revert.self,
  ]

  /// A prescription, a pass, or a clinic's own card, which is only described.
  package struct Load: BookMethod {
    package static let description = MethodDescription(
      "prescription.load", for: .wearer, "Takes a card in: a prescription or a pass.",
      [MethodParameter("card", .text, "the card's text")], answer: BookAnswer.words)
    package static let beginsBook = true

    package let card: String

    package init(card: String) { self.card = card }

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.load(card))
    }
  }

  package struct List: BookMethod {
    package static let description = MethodDescription(
      "prescription.list", for: .any, "Lists all prescriptions that were ever loaded.",
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
      "prescription.card", for: .wearer, "Gives one card's text.",
      [
        MethodParameter(
          "number", .whole(1...999_999_999), isOptional: true,
          "in the book; the prescription in force when left out")
      ], answer: "'card'")

    let number: Int?

    /// - Parameter number: In the book; nil: the prescription in force.
    package init(number: Int?) { self.number = number }

    package func answer(in session: BookSession) throws(BookRefusal) -> CardReport {
      CardReport(card: try session.ownEntry(number).card.text.text)
    }
  }

  package struct Use: BookMethod {
    package static let description = MethodDescription(
      "prescription.use", for: .wearer, "Puts another prescription in force.",
      [MethodParameter("wanted", .text, "an environment or a number in the book")],
      answer: BookAnswer.words)

    let wanted: String

    /// - Parameter wanted: An environment's word or a number in the book.
    package init(_ wanted: String) { self.wanted = wanted }

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed("In force from now: \(try session.use(wanted).words).")
    }
  }

  package struct Try: BookMethod {
    package static let description = MethodDescription(
      "prescription.try", for: .wearer,
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

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.beginTrial(wanted, seconds))
    }
  }

  package struct Accept: BookMethod {
    package static let description = MethodDescription(
      "prescription.accept", for: .wearer, "Makes the trial final.", answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.accept())
    }
  }

  package struct Revert: BookMethod {
    package static let description = MethodDescription(
      "prescription.revert", for: .wearer, "Goes back to the former prescription, and ends a trial.",
      answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.revert())
    }
  }
}
