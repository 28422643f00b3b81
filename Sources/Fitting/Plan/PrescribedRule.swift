/// A fitting rule by the name and version that a prescription carries.
///
/// A version names one published formula together with what this project decided where the formula is
/// silent. A change of either gets a new version; old ones stay, so that a card means what it meant when
/// it was signed.
public enum PrescribedRule: Sendable, Hashable {
  case nalR
  case nalRP
  /// `compressionRatio` 1…3.
  case nalRPCompressive(compressionRatio: Double)
  case halfGain
  case pogoII
  case cambridgeLinear
  case cambridgeCompressive
}

extension PrescribedRule {
  /// Rules by identifier, in the order in which a list shows them; those with a ratio have the usual one, 2.
  public static let all: [PrescribedRule] = [
    .nalR, .nalRP, .nalRPCompressive(compressionRatio: 2), .halfGain, .pogoII, .cambridgeLinear,
    .cambridgeCompressive,
  ]

  /// Name on a card and on the command line.
  public var identifier: String {
    switch self {
    case .nalR: "NAL-R"
    case .nalRP: "NAL-RP"
    case .nalRPCompressive: "NAL-RP-compressive"
    case .halfGain: "half-gain"
    case .pogoII: "POGO-II"
    case .cambridgeLinear: "Cambridge-linear"
    case .cambridgeCompressive: "CAMEQ"
    }
  }

  /// Version of the formula as built here.
  public var version: Int { 1 }

  /// Input change over output change, for the rule that leaves it open; nil for all others.
  public var compressionRatio: Double? {
    if case .nalRPCompressive(let ratio) = self { ratio } else { nil }
  }

  /// Finds a rule by what a card says of it; nil when there is none of that name and version, or the ratio
  /// is missing, out of range or not the rule's to have.
  public init?(identifier: String, version: Int = 1, compressionRatio: Double? = nil) {
    guard let rule = Self.all.first(where: { $0.identifier == identifier }), version == rule.version else {
      return nil
    }
    switch (rule, compressionRatio) {
    case (.nalRPCompressive, let ratio?) where NALRPCompressive.compressionRatios.contains(ratio):
      self = .nalRPCompressive(compressionRatio: ratio)
    case (.nalRPCompressive, _), (_, _?): return nil
    case (_, nil): self = rule
    }
  }
}
