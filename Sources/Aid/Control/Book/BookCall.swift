/// A request about prescriptions, clinics or the audit trail.
package enum BookCall: Sendable, Hashable {
  /// Takes a card in: a prescription, a pass, or a clinic's own card, which is only described.
  case load(card: String)
  /// Everything that was ever loaded.
  case list
  /// One card's text, by its number in the book; nil: that of the prescription in force.
  case card(number: Int?)
  /// Hears by another prescription: an environment's word or a number in the book.
  case use(String)
  /// Hears by a prescription for a while, s; nil: the one that is in force.
  case beginTrial(String?, seconds: Int)
  /// Makes the trial final.
  case accept
  /// Goes back to what was heard before.
  case revert
  /// Trusts a clinic from now on; `fingerprint` is what the person has compared.
  case enrol(card: String, fingerprint: String)
  /// Trusts a clinic no more: its fingerprint, or enough of its beginning.
  case revoke(fingerprint: String)
  case clinics
  /// The newest lines of the audit trail, at most `count`.
  case audit(count: Int)
  case verifyAudit
  /// Believes the system's clock although it is behind what the book has seen.
  case correctClock
  /// Writes the whole book into one file, sealed with a passphrase.
  case backUp(path: String, passphrase: String)

  /// Lines of the audit trail that one answer holds.
  package static let auditCounts = 1...1000

  /// Names of all methods.
  package static let methods = [
    "prescription.load", "prescription.list", "prescription.card", "prescription.use",
    "prescription.try", "prescription.accept", "prescription.revert", "trust.add", "trust.revoke",
    "trust.list", "audit.show", "audit.verify", "book.backup", "book.clock",
  ]

  /// The method's name.
  package var method: String {
    switch self {
    case .load: "prescription.load"
    case .list: "prescription.list"
    case .card: "prescription.card"
    case .use: "prescription.use"
    case .beginTrial: "prescription.try"
    case .accept: "prescription.accept"
    case .revert: "prescription.revert"
    case .enrol: "trust.add"
    case .revoke: "trust.revoke"
    case .clinics: "trust.list"
    case .audit: "audit.show"
    case .verifyAudit: "audit.verify"
    case .backUp: "book.backup"
    case .correctClock: "book.clock"
    }
  }

  /// Whether the call acts on the book, which not everybody may do. A card's text is health data and is
  /// therefore given only to those who may.
  package var isChange: Bool {
    switch self {
    case .list, .clinics, .audit, .verifyAudit: false
    case .load, .card, .use, .beginTrial, .accept, .revert, .enrol, .revoke, .backUp, .correctClock: true
    }
  }

  /// Parameters by name; nil when the call has none.
  package var parameters: RPCValue? {
    switch self {
    case .load(let card): .object(["card": .string(card)])
    case .card(let number): number.map { .object(["number": .integer(Int64($0))]) }
    case .use(let wanted): .object(["wanted": .string(wanted)])
    case .beginTrial(let wanted, let seconds):
      .object(
        ["seconds": .integer(Int64(seconds))].merging(
          wanted.map { ["wanted": .string($0)] } ?? [:], uniquingKeysWith: { first, _ in first }))
    case .enrol(let card, let fingerprint):
      .object(["card": .string(card), "fingerprint": .string(fingerprint)])
    case .revoke(let fingerprint): .object(["fingerprint": .string(fingerprint)])
    case .audit(let count): .object(["count": .integer(Int64(count))])
    case .backUp(let path, let passphrase):
      .object(["path": .string(path), "passphrase": .string(passphrase)])
    case .list, .accept, .revert, .clinics, .verifyAudit, .correctClock: nil
    }
  }

  /// Reads a method with its parameters; nil when the method is none of these.
  ///
  /// - Throws: ``ControlFailure`` with code `invalidParameters`.
  init?(method: String, fields: [String: RPCValue]) throws(ControlFailure) {
    let parameters = CallParameters(fields)
    switch method {
    case "prescription.load": self = .load(card: try parameters.text("card"))
    case "prescription.list": self = .list
    case "prescription.card": self = .card(number: try parameters.optionalWhole("number", 1...999_999_999))
    case "prescription.use": self = .use(try parameters.text("wanted"))
    case "prescription.try":
      self = .beginTrial(
        try parameters.optionalText("wanted"), seconds: try parameters.whole("seconds", 1...100_000_000))
    case "prescription.accept": self = .accept
    case "prescription.revert": self = .revert
    case "trust.add":
      self = .enrol(card: try parameters.text("card"), fingerprint: try parameters.text("fingerprint"))
    case "trust.revoke": self = .revoke(fingerprint: try parameters.text("fingerprint"))
    case "trust.list": self = .clinics
    case "audit.show": self = .audit(count: try parameters.whole("count", Self.auditCounts))
    case "audit.verify": self = .verifyAudit
    case "book.clock": self = .correctClock
    case "book.backup":
      self = .backUp(path: try parameters.text("path"), passphrase: try parameters.text("passphrase"))
    default: return nil
    }
  }
}
