import Base
import Prescriptions
import Testing

@testable import Service

/// Words on the end of a trial: on the card, when it is begun, and when it is left.
@Suite("End of a trial") struct TrialEndTests {
  private let book: TrustingBook

  init() throws { book = try TrustingBook() }

  private func trial(_ wanted: String) throws -> String {
    try book.ask(PrescriptionMethods.Try(wanted, seconds: 600)).message
  }

  @Test("nothing is amplified after the first prescription's trial, as its card, the trial and its end say")
  func first() throws {
    let card = try book.clinic.prescription(1, trialEnds: book.clinic.now + 8 * 3600)
    let preview = try book.ask(PrescriptionMethods.Look(card: card))
    #expect(
      preview.effects.contains {
        $0.hasSuffix("After that nothing is amplified, for there is no former prescription.")
      })
    try book.load(card)
    // The clinic's own trial is not cut short.
    let refusal = try #require(throws: Failure.self) { try trial("1") }
    #expect(refusal.message.contains("Prescription 1 is on trial already, until "))
    #expect(refusal.exitStatus == .usage)
    _ = try book.ask(PrescriptionMethods.Revert())
    let begun = try trial("1")
    #expect(begun.hasPrefix("On trial until "))
    // That it is kept by the patient is not said: its card leaves that to the clinic.
    #expect(
      begun.hasSuffix(
        ": number 1, for quiet, from City Hearing Clinic (serial 1). "
          + "Then nothing is amplified, for there is no former one."))
    let left = try book.ask(PrescriptionMethods.Revert())
    #expect(left.message == "Nothing was prescribed before it: nothing is amplified now.")
    #expect(left.book.inForce == nil)
  }

  @Test("the former prescription returns after a trial of another one, and the patient may keep that")
  func former() throws {
    try book.load(book.clinic.prescription(1))
    try book.load(book.clinic.prescription(2, audiogram: .n4))
    #expect(
      try trial("1").hasSuffix("Then the former one returns by itself. Keep it with: auricle rx accept"))
  }

  @Test("a trial that ends a clinic's says so, how that is begun again, and that the final one returns")
  func endsAnother() throws {
    try book.load(book.clinic.prescription(1))
    try book.load(book.clinic.prescription(2, audiogram: .n4, trialEnds: book.clinic.now + 8 * 3600))
    #expect(
      try trial("1").hasSuffix(
        "(serial 1). It ends the clinic's trial of number 2; to begin that again: auricle rx use 2. "
          + "Then the final one returns by itself. Keep it with: auricle rx accept"))
    // Trying it longer ends nothing more.
    #expect(
      try trial("1").hasSuffix(
        "(serial 1). Then the former one returns by itself. Keep it with: auricle rx accept"))
    #expect(try book.ask(PrescriptionMethods.Use("2")).message.hasPrefix("On trial until "))
  }

  @Test("what is chosen, or gone back to, while it is on trial says until when, and who makes it final")
  func chosen() throws {
    let end = book.clinic.now + 8 * 3600
    try book.load(book.clinic.prescription(1))
    try book.load(book.clinic.prescription(2, for: .music, trialEnds: end))
    let trial =
      "until \(end.localText): number 2, for music, from City Hearing Clinic (serial 2). "
      + "The clinic makes it final with a new card."
    #expect(try book.ask(PrescriptionMethods.Use("2")).message == "On trial " + trial)
    #expect(
      try book.ask(PrescriptionMethods.Use("quiet")).message
        == "In force from now: number 1, for quiet, from City Hearing Clinic (serial 1).")
    #expect(try book.ask(PrescriptionMethods.Use("music")).message == "On trial " + trial)
    #expect(try book.ask(PrescriptionMethods.Use("quiet")).book.inForce?.trialEndsUnixSeconds == nil)
    #expect(try book.ask(PrescriptionMethods.Revert()).message == "In force again, on trial " + trial)
    // A trial of the patient's own, of a prescription that is final.
    _ = try self.trial("1")
    let own = try book.ask(PrescriptionMethods.Use("quiet")).message
    #expect(own.hasPrefix("On trial until "))
    #expect(own.hasSuffix("(serial 1). Keep it with: auricle rx accept"))
  }

  @Test("a prescription that is itself on trial returns where its trial lasts longer")
  func longerTrial() throws {
    let now = book.clinic.now
    try book.load(book.clinic.prescription(1, trialEnds: now + 8 * 3600))
    // The clinic's own trial, which could not be cut short, is left.
    _ = try book.ask(PrescriptionMethods.Revert())
    try book.load(book.clinic.prescription(2, for: .music, trialEnds: now + 3600))
    #expect(try trial("quiet").hasSuffix("Then the former one returns by itself."))
  }

  @Test(
    "a card whose trial takes the place of another one says that, and that the final prescription returns")
  func cardEndsAnother() throws {
    let now = book.clinic.now
    try book.load(book.clinic.prescription(1))
    try book.load(book.clinic.prescription(2, audiogram: .n4, trialEnds: now + 8 * 3600))
    let card = try book.clinic.prescription(3, audiogram: .n2, trialEnds: now + 3600)
    let effects = try book.ask(PrescriptionMethods.Look(card: card)).effects
    #expect(effects.count == 2)
    #expect(effects.first?.hasSuffix(" After that the final prescription returns.") == true)
    #expect(effects.last == "It ends the trial of number 2 for quiet, which stays in the book.")
    try book.load(card)
    #expect(try book.ask(PrescriptionMethods.Revert()).book.inForce?.number == 1)
  }
}
