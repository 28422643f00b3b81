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
