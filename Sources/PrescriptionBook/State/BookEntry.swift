public import Prescriptions

/// A prescription in the book.
public struct BookEntry: Sendable, Hashable {
  /// Counts the book's prescriptions from 1, in the order of loading. People name an entry by it.
  public let number: Int
  /// When it was loaded.
  public let loaded: Instant
  /// The card as its clinic signed it.
  public let card: SignedPrescription

  public init(number: Int, loaded: Instant, card: SignedPrescription) {
    self.number = number
    self.loaded = loaded
    self.card = card
  }

  public var prescription: Prescription { card.prescription }
  public var environment: ListeningEnvironment { card.prescription.environment }
}
