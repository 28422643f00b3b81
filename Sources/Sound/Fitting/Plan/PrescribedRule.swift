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
  /// Versions 1, whose gain falls from 250 Hz down; no new prescription has them.
  case nalRFalling, nalRPFalling, nalRPCompressiveFalling(compressionRatio: Double)
  /// Version 2, which gave soft sounds as much more gain as the ratio makes of them whatever the loss, to a
  /// healthy ear too; no new prescription has it.
  case nalRPCompressiveByRatio(compressionRatio: Double)
  /// Version 2, which lifted soft speech to threshold also where normal ears do not hear it; no new
  /// prescription has it.
  case cambridgeCompressiveToThreshold
  /// Version 1, which read speech in the layout's own bands; no new prescription has it.
  case cambridgeCompressiveInOwnBands
}

extension PrescribedRule {
  /// Rules by identifier, in the order in which a list shows them; those with a ratio have the usual one,
  /// 2.
  public static let all: [PrescribedRule] = [
    .nalR, .nalRP, .nalRPCompressive(compressionRatio: 2), .halfGain, .pogoII, .cambridgeLinear,
    .cambridgeCompressive,
  ]

  /// Older versions, which cards written with them still mean.
  public static let former: [PrescribedRule] = [
    .nalRFalling, .nalRPFalling, .nalRPCompressiveFalling(compressionRatio: 2),
    .nalRPCompressiveByRatio(compressionRatio: 2), .cambridgeCompressiveInOwnBands,
    .cambridgeCompressiveToThreshold,
  ]

  /// Name on a card and on the command line.
  public var identifier: String {
    switch self {
    case .nalR, .nalRFalling: "NAL-R"
    case .nalRP, .nalRPFalling: "NAL-RP"
    case .nalRPCompressive, .nalRPCompressiveFalling, .nalRPCompressiveByRatio: "NAL-RP-compressive"
    case .halfGain: "half-gain"
    case .pogoII: "POGO-II"
    case .cambridgeLinear: "Cambridge-linear"
    case .cambridgeCompressive, .cambridgeCompressiveInOwnBands, .cambridgeCompressiveToThreshold: "CAMEQ"
    }
  }

  /// Version of the formula as built here.
  public var version: Int {
    switch self {
    case .nalRFalling, .nalRPFalling, .nalRPCompressiveFalling, .cambridgeCompressiveInOwnBands: 1
    case .halfGain, .pogoII, .cambridgeLinear: 1
    case .nalR, .nalRP, .nalRPCompressiveByRatio, .cambridgeCompressiveToThreshold: 2
    case .nalRPCompressive, .cambridgeCompressive: 3
    }
  }

  /// Input change over output change, for the rule that leaves it open; nil for all others.
  public var compressionRatio: Double? {
    switch self {
    case .nalRPCompressive(let ratio), .nalRPCompressiveFalling(let ratio),
      .nalRPCompressiveByRatio(let ratio):
      ratio
    default: nil
    }
  }

  /// Finds a rule by what a card says of it; nil when there is none of that name and version, or the ratio
  /// is missing, out of range or not the rule's to have.
  ///
  /// - Parameter version: nil: the newest.
  public init?(identifier: String, version: Int? = nil, compressionRatio: Double? = nil) {
    let named = (Self.all + Self.former).filter { $0.identifier == identifier }
    guard let rule = named.first(where: { version == nil || $0.version == version }) else { return nil }
    switch (rule.compressionRatio, compressionRatio) {
    case (_?, let ratio?) where NALRPCompressive.compressionRatios.contains(ratio):
      self = rule.with(compressionRatio: ratio)
    case (nil, nil): self = rule
    case (_?, _), (nil, _?): return nil
    }
  }

  /// The same rule and version with another ratio; itself where it has none to choose.
  public func with(compressionRatio: Double) -> PrescribedRule {
    switch self {
    case .nalRPCompressive: .nalRPCompressive(compressionRatio: compressionRatio)
    case .nalRPCompressiveFalling: .nalRPCompressiveFalling(compressionRatio: compressionRatio)
    case .nalRPCompressiveByRatio: .nalRPCompressiveByRatio(compressionRatio: compressionRatio)
    case .nalR, .nalRFalling, .nalRP, .nalRPFalling, .halfGain, .pogoII, .cambridgeLinear,
      .cambridgeCompressive, .cambridgeCompressiveInOwnBands, .cambridgeCompressiveToThreshold:
      self
    }
  }
}

extension PrescribedRule {
  /// The rule itself. A compression ratio out of range counts as the nearest accepted one, NaN as 1.
  public var rule: any FittingRule {
    switch self {
    case .nalR: NALR()
    case .nalRFalling: NALR(lowEdge: .falling)
    case .nalRP: NALRP()
    case .nalRPFalling: NALRP(lowEdge: .falling)
    case .nalRPCompressive(let ratio): Self.compressive(ratio, .byThreshold)
    case .nalRPCompressiveByRatio(let ratio): Self.compressive(ratio, .byRatio)
    case .nalRPCompressiveFalling(let ratio): Self.compressive(ratio, .byRatio, .falling)
    case .halfGain: HalfGain()
    case .pogoII: POGOII()
    case .cambridgeLinear: CambridgeLinear()
    case .cambridgeCompressive: CambridgeCompressive()
    case .cambridgeCompressiveToThreshold: CambridgeCompressive(minima: .toThreshold)
    case .cambridgeCompressiveInOwnBands: CambridgeCompressive(reference: .ownBands, minima: .toThreshold)
    }
  }

  private static func compressive(
    _ ratio: Double, _ addition: LowLevelAddition, _ lowEdge: LowFrequencyEdge = .heldTo125Hertz
  ) -> NALRPCompressive {
    let accepted = NALRPCompressive.compressionRatios
    let nearest = ratio >= accepted.lowerBound ? min(ratio, accepted.upperBound) : accepted.lowerBound
    return
      (try? NALRPCompressive(compressionRatio: nearest, lowLevelAddition: addition, lowEdge: lowEdge))
      ?? .standard
  }
}
