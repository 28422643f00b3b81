/// Content whose signature was checked, with the clinic that signed it.
public struct Signed<Content: Sendable & Hashable>: Sendable, Hashable {
  public let content: Content
  public let clinic: ClinicIdentity
  public let card: CardText

  init(_ content: Content, _ clinic: ClinicIdentity, _ card: CardText) {
    self.content = content
    self.clinic = clinic
    self.card = card
  }
}

public typealias SignedPrescription = Signed<Prescription>
public typealias SignedPass<Pass: Sendable & Hashable> = Signed<Pass>

extension Signed where Content == Prescription {
  public var prescription: Prescription { content }
}
