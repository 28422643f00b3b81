extension PrescribedRule {
  /// The rule itself. A compression ratio out of range counts as the nearest accepted one, NaN as 1.
  public var rule: any FittingRule {
    switch self {
    case .nalR: return NALR()
    case .nalRP: return NALRP()
    case .nalRPCompressive(let ratio):
      let accepted = NALRPCompressive.compressionRatios
      let nearest = ratio >= accepted.lowerBound ? min(ratio, accepted.upperBound) : accepted.lowerBound
      return (try? NALRPCompressive(compressionRatio: nearest)) ?? NALRPCompressive.standard
    case .halfGain: return HalfGain()
    case .pogoII: return POGOII()
    case .cambridgeLinear: return CambridgeLinear()
    case .cambridgeCompressive: return CambridgeCompressive()
    case .cambridgeCompressiveInOwnBands: return CambridgeCompressive(reference: .ownBands)
    }
  }
}
