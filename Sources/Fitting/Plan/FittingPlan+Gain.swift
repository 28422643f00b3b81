public import Acoustics

extension FittingPlan {
  /// What makes gain for an ear: the target's rule or table, then fine tuning, then adaptation. Its name says
  /// all of it.
  public func rule(for ear: Ear) -> any FittingRule {
    let target: any FittingRule =
      switch self.target {
      case .rule(let prescribed): prescribed.rule
      case .tables(let tables, let source): ExplicitTargets(tables[ear], source: source)
      }
    return Adapted(FineTuned(target, by: fineTuning[ear]), share: adaptation)
  }

  /// Insertion gain for speech at 50, 65 and 80 dB SPL, dB, as a sheet shows it.
  ///
  /// What the bands are given at their own levels in such speech; between their centres linear in dB over
  /// log frequency, as the aid does it, beyond the outermost ones held.
  ///
  /// - Parameter frequencies: Hz, positive.
  /// - Returns: One value per frequency.
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points.
  public func targets(
    for ear: Ear, audiogram: Audiogram, at frequencies: [Double], bands: BandLayout = .standard
  ) throws(FittingError) -> [SpeechLevels<Double>] {
    let curves = try rule(for: ear).curves(for: audiogram, bands: bands)
    var columns = SpeechLevels<LogFrequencyTable?>(all: nil)
    for level in SpeechLevel.allCases {
      let gains = curves.indices.map { band in
        // A band without speech power has one gain at all levels.
        let speech = bands.speechLevel(inBand: band, overall: level.level)
        return curves[band].gain(at: speech.decibels.isFinite ? speech : level.level)
      }
      columns[level] = LogFrequencyTable(bands.centres, gains)
    }
    return frequencies.map { frequency in
      var gains = SpeechLevels(all: 0.0)
      for level in SpeechLevel.allCases { gains[level] = columns[level]?.held(at: frequency) ?? 0 }
      return gains
    }
  }
}

extension FittingPlan.Target {
  /// The rule's identifier, or the name of the tool that the tables come from.
  public var name: String {
    switch self {
    case .rule(let rule): rule.identifier
    case .tables(_, let source): source
    }
  }

  /// Of the rule that leaves it open; nil for all others.
  public var compressionRatio: Double? {
    if case .rule(let rule) = self { rule.compressionRatio } else { nil }
  }
}
