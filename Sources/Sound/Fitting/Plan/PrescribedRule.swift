/// A fitting rule by the name and version that a prescription carries.
///
/// A version names one published formula together with what this project decided where the formula is
/// silent. A change of either gets a new version; old ones stay, so that a card means what it meant when
/// it was signed.
public struct PrescribedRule: Sendable, Hashable {
  /// Published formulas, by their names on a card.
  private enum Formula: String {
    case nalR = "NAL-R"
    case nalRP = "NAL-RP"
    case nalRPCompressive = "NAL-RP-compressive"
    case halfGain = "half-gain"
    case pogoII = "POGO-II"
    case cambridgeLinear = "Cambridge-linear"
    case cambridgeCompressive = "CAMEQ"
  }

  private let formula: Formula
  /// Version of the formula as built here.
  public let version: Int
  /// Input change over output change, for the rule that leaves it open; nil for all others.
  public private(set) var compressionRatio: Double?

  /// NAL-R (``NALR``).
  public static let nalR = PrescribedRule(.nalR, 2)
  /// NAL-RP (``NALR``).
  public static let nalRP = PrescribedRule(.nalRP, 2)
  /// ``HalfGain``.
  public static let halfGain = PrescribedRule(.halfGain, 1)
  /// ``POGOII``.
  public static let pogoII = PrescribedRule(.pogoII, 1)
  /// ``CambridgeLinear``.
  public static let cambridgeLinear = PrescribedRule(.cambridgeLinear, 1)
  /// ``CambridgeCompressive``.
  public static let cambridgeCompressive = PrescribedRule(.cambridgeCompressive, 3)

  /// ``NALRPCompressive``.
  ///
  /// - Parameter compressionRatio: 1…3.
  public static func nalRPCompressive(compressionRatio: Double) -> PrescribedRule {
    PrescribedRule(.nalRPCompressive, 3, compressionRatio)
  }

  private init(_ formula: Formula, _ version: Int, _ compressionRatio: Double? = nil) {
    (self.formula, self.version, self.compressionRatio) = (formula, version, compressionRatio)
  }

  /// Name on a card and on the command line.
  public var identifier: String { formula.rawValue }
}

extension PrescribedRule {
  /// Rules by identifier, in the order in which a list shows them; those with a ratio have the usual one,
  /// 2.
  public static let all: [PrescribedRule] = [
    .nalR, .nalRP, .nalRPCompressive(compressionRatio: 2), .halfGain, .pogoII, .cambridgeLinear,
    .cambridgeCompressive,
  ]

  /// Older versions, which cards written with them still mean; no new prescription has them.
  ///
  /// Versions 1 of the NAL rules let the gain fall from 250 Hz down. Version 2 of the compressive one gave
  /// soft sounds as much more gain as the ratio makes of them whatever the loss, to a healthy ear too.
  /// CAMEQ read speech in the layout's own bands by version 1, and by versions 1 and 2 lifted soft speech
  /// to threshold also where normal ears do not hear it.
  public static let former: [PrescribedRule] = [
    PrescribedRule(.nalR, 1), PrescribedRule(.nalRP, 1), PrescribedRule(.nalRPCompressive, 1, 2),
    PrescribedRule(.nalRPCompressive, 2, 2), PrescribedRule(.cambridgeCompressive, 1),
    PrescribedRule(.cambridgeCompressive, 2),
  ]

  /// Finds a rule by what a card says of it; nil when there is none of that name and version, or the ratio
  /// is missing, out of range or not the rule's to have.
  ///
  /// - Parameter version: nil: the newest.
  public init?(identifier: String, version: Int? = nil, compressionRatio: Double? = nil) {
    let named = (Self.all + Self.former).filter { $0.identifier == identifier }
    guard let rule = named.first(where: { version == nil || $0.version == version }),
      (rule.compressionRatio == nil) == (compressionRatio == nil),
      compressionRatio.map(NALRPCompressive.compressionRatios.contains) ?? true
    else { return nil }
    self = rule.with(compressionRatio: compressionRatio ?? 0)
  }

  /// The same rule and version with another ratio; itself where it has none to choose.
  public func with(compressionRatio: Double) -> PrescribedRule {
    PrescribedRule(formula, version, self.compressionRatio.map { _ in compressionRatio })
  }

  /// The rule itself. A compression ratio out of range counts as the nearest accepted one, NaN as 1.
  public var rule: any FittingRule {
    switch formula {
    case .nalR: NALR(lowEdge: lowEdge)
    case .nalRP: NALR(revised: true, lowEdge: lowEdge)
    case .nalRPCompressive: compressive
    case .halfGain: HalfGain()
    case .pogoII: POGOII()
    case .cambridgeLinear: CambridgeLinear()
    case .cambridgeCompressive:
      CambridgeCompressive(
        reference: version == 1 ? .ownBands : .wideBands, minima: version == 3 ? .byLoss : .toThreshold)
    }
  }

  private var lowEdge: LowFrequencyEdge { version == 1 ? .falling : .heldTo125Hertz }

  private var compressive: NALRPCompressive {
    let (ratio, accepted) = (compressionRatio ?? 2, NALRPCompressive.compressionRatios)
    let nearest = ratio >= accepted.lowerBound ? min(ratio, accepted.upperBound) : accepted.lowerBound
    let rule = try? NALRPCompressive(
      compressionRatio: nearest, lowLevelAddition: version == 3 ? .byThreshold : .byRatio, lowEdge: lowEdge)
    return rule ?? .standard
  }
}
