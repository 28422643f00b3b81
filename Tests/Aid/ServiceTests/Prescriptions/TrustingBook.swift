import CommonTesting

@testable import Service

/// A book that trusts one clinic, as a patient uses it.
struct TrustingBook {
  let clinic: CardMaker
  let folder = TemporaryFolder()
  let store: PrescriptionStore

  /// - Parameter isEnrolled: False: it trusts the clinic once that is enrolled.
  init(isEnrolled: Bool = true) throws {
    clinic = try CardMaker()
    store = PrescriptionStore(folder: folder.path + "/book")
    if isEnrolled { try enrol() }
  }

  func enrol() throws {
    let identity = clinic.key.identity
    _ = try ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
  }

  func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try store.answer(method, fromUser: 1000, process: 42)
  }

  /// As `auricle rx scan` does it: looked at, confirmed, taken in.
  @discardableResult func load(_ card: String) throws -> BookAnswer {
    let preview = try ask(PrescriptionMethods.Look(card: card))
    return try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
  }
}

/// A suite whose tests have a book each.
protocol BookSuite {
  var book: TrustingBook { get }
}

extension BookSuite {
  var folder: TemporaryFolder { book.folder }
  var clinic: CardMaker { book.clinic }
  var store: PrescriptionStore { book.store }

  func enrol() throws { try book.enrol() }

  func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply { try book.ask(method) }

  /// Asks a method of any type, for its refusal.
  func refusal(_ method: some BookMethod) throws { _ = try ask(method) }

  @discardableResult func load(_ card: String) throws -> BookAnswer { try book.load(card) }

  /// The same book, as the next process opens it.
  func otherStore() -> PrescriptionStore { PrescriptionStore(folder: folder.path + "/book") }
}
