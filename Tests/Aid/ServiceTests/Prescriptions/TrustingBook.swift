import CommonTesting

@testable import Service

/// A book that trusts one clinic, as a patient uses it.
struct TrustingBook {
  let clinic: CardMaker
  private let folder = TemporaryFolder()
  private let store: PrescriptionStore

  init() throws {
    clinic = try CardMaker()
    store = PrescriptionStore(folder: folder.path + "/book")
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
