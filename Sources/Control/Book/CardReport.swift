/// A card's text, as it was scanned.
public struct CardReport: Sendable, Codable, Equatable {
  public let card: String

  public init(card: String) { self.card = card }
}
