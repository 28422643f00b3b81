extension Instrument {
  public static let isi = summed(
    "isi", "Insomnia Severity Index", .permission, by: "© C. M. Morin, 1993, 1996, 2000, 2006",
    source: "Bastien, Vallières & Morin 2001", 7,
    0...4,
    bands: [
      Band(0, "no clinically significant insomnia"), Band(8, "subthreshold"), Band(15, "moderate"),
      Band(22, "severe"),
    ])

  /// Bands above 10: from memory.
  public static let ess = summed(
    "ess", "Epworth Sleepiness Scale", .permission, by: "© M. W. Johns 1990–1997", source: "Johns 1991", 8,
    0...3,
    bands: [Band(0, "normal"), Band(11, "mild"), Band(13, "moderate"), Band(16, "severe")])

  /// A mean above 3.8 is unhelpful (Carney et al. 2010). Two missing items are allowed: from memory.
  public static let dbas16 = Instrument(
    "dbas-16", "Dysfunctional Beliefs and Attitudes about Sleep, 16 items", .permission,
    by: "© C. M. Morin",
    source: "Morin, Vallières & Ivers 2007", items: InstrumentItem.numbered(16, .whole(0...10)),
    range: 0...10,
    bands: [Band(0, "usual"), Band((3.8).nextUp, "above 3.8")],
    // Membership of the four parts: from memory.
    parts: [
      Part(name: "consequences", rule: Rules.mean(Rules.codes([5, 7, 9, 12, 16]))),
      Part(name: "worry", rule: Rules.mean(Rules.codes([3, 4, 8, 10, 11, 14]))),
      Part(name: "expectations", rule: Rules.mean(Rules.codes([1, 2]))),
      Part(name: "medication", rule: Rules.mean(Rules.codes([6, 13, 15]))),
    ],
    rule: Rules.mean(Rules.codes(16), atLeast: 14))

  /// No cut-off is agreed on. Order of the parts: from memory.
  public static let psas = summed(
    "psas", "Pre-Sleep Arousal Scale", .permission,
    by: "Nicassio, Mendlowitz, Fussell & Petras, © Elsevier", source: "Nicassio et al. 1985",
    16, 1...5, bands: [],
    parts: [
      Part(name: "somatic", rule: Rules.sum(Rules.codes(8))),
      Part(name: "cognitive", rule: Rules.sum((9...16).map { "\($0)" })),
    ])

  public static let fss = Instrument(
    "fss", "Fatigue Severity Scale", .freeNonCommercial, by: "© L. B. Krupp", source: "Krupp et al. 1989",
    items: InstrumentItem.numbered(9, .whole(1...7)), range: 1...7,
    bands: [Band(1, "below 4"), Band(4, "4 and above")],
    rule: Rules.mean(Rules.codes(9)))

  /// Items by meaning, two to three of each part; what does not apply is left out. The cut of 17.9 is not settled.
  public static let fosq10: Instrument = {
    let parts = [
      ("productivity", 2), ("activity", 3), ("vigilance", 3), ("social", 1), ("intimacy", 1),
    ]
    let codes = parts.map { name, count in (name, (1...count).map { "\(name).\($0)" }) }
    return Instrument(
      "fosq-10", "Functional Outcomes of Sleep Questionnaire, 10 items", .permission, by: "© T. E. Weaver",
      source: "Chasens, Ratcliffe & Weaver 2009",
      items: codes.flatMap { $0.1.map { InstrumentItem($0, .whole(1...4)) } },
      range: 5...20,
      bands: [Band(5, "impaired"), Band(17.9, "usual")],
      parts: codes.map { name, codes in Part(name: name, rule: Rules.mean(codes, atLeast: 1)) },
      rule: { answers in
        let means = codes.compactMap { Rules.mean($0.1, atLeast: 1)(answers).value }
        guard !means.isEmpty else { return .absent("no item answered") }
        return .value(means.reduce(0, +) / Double(means.count) * 5)
      })
  }()

  /// Ranges of the 19 items: from memory; they add up to 16…86.
  public static let meq: Instrument = {
    let items = (1...19).map { number in
      let values: InstrumentItem.Values =
        switch number {
        case 1, 2, 10, 17, 18: .whole(1...5)
        case 11, 19: .listed([0, 2, 4, 6])
        case 12: .listed([0, 2, 3, 5])
        default: .whole(1...4)
        }
      return InstrumentItem("\(number)", values)
    }
    return Instrument(
      "meq", "Morningness–Eveningness Questionnaire", .unknown, by: "Horne & Östberg 1976",
      source: "Horne & Östberg 1976", items: items,
      range: 16...86,
      bands: [
        Band(16, "definite evening"), Band(31, "moderate evening"), Band(42, "intermediate"),
        Band(59, "moderate morning"),
        Band(70, "definite morning"),
      ], rule: Rules.sum(Rules.codes(19)))
  }()
}
