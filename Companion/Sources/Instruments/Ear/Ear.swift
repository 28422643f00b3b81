extension Instrument {
  /// Yes 4, sometimes 2, no 0. Membership of the parts: from memory.
  public static let thi: Instrument = {
    let parts = [
      ("functional", [1, 2, 4, 7, 9, 12, 13, 15, 18, 20, 24]),
      ("emotional", [3, 6, 10, 14, 16, 17, 21, 22, 25]),
      ("catastrophic", [5, 8, 11, 19, 23]),
    ]
    return Instrument(
      "thi", "Tinnitus Handicap Inventory", .permission, by: "© C. W. Newman; American Medical Association",
      source: "Newman, Jacobson & Spitzer 1996",
      items: InstrumentItem.numbered(25, .listed([0, 2, 4])), range: 0...100,
      bands: [
        Band(0, "slight or no handicap"), Band(18, "mild"), Band(38, "moderate"), Band(58, "severe"),
        Band(78, "catastrophic"),
      ], parts: parts.map { name, numbers in Part(name: name, rule: Rules.sum(Rules.codes(numbers))) },
      rule: Rules.sum(Rules.codes(25)))
  }()

  /// Answers 0–10; those to items 1 and 3, from 0 to 100 %, count a tenth. At least 19 answered; in each part at most one missing: from
  /// memory.
  public static let tfi: Instrument = {
    let parts = [
      ("intrusive", 1...3), ("control", 4...6), ("cognitive", 7...9), ("sleep", 10...12),
      ("auditory", 13...15), ("relaxation", 16...18),
      ("quality of life", 19...22), ("emotional", 23...25),
    ]
    return Instrument(
      "tfi", "Tinnitus Functional Index", version: 2, .permission,
      by: "© Oregon Health & Science University",
      source: "Meikle et al. 2012",
      items: (1...25).map { number in
        InstrumentItem("\(number)", .number(0...10), percentPerPoint: [1, 3].contains(number) ? 10 : nil)
      }, range: 0...100,
      bands: [
        Band(0, "no problem"), Band(18, "small"), Band(32, "moderate"), Band(54, "big"),
        Band(73, "very big"),
      ],
      parts: parts.map { name, numbers in
        Part(name: name, rule: Rules.mean(numbers.map { "\($0)" }, atLeast: numbers.count - 1, times: 10))
      }, rule: Rules.mean(Rules.codes(25), atLeast: 19, times: 10))
  }()

  public static let hhieS = Instrument(
    "hhie-s", "Hearing Handicap Inventory for the Elderly, screening", .permission,
    by: "© Ventry & Weinstein; ASHA",
    source: "Ventry & Weinstein 1983", items: InstrumentItem.numbered(10, .listed([0, 2, 4])),
    range: 0...40,
    bands: [Band(0, "no handicap"), Band(10, "mild to moderate"), Band(26, "severe")],
    rule: Rules.sum(Rules.codes(10)))

  public static let miniTQ = summed(
    "mini-tq", "Mini Tinnitus Questionnaire", .permission, by: "© Hiller, Goebel, Hallam",
    source: "Hiller & Goebel 2004", 12, 0...2,
    bands: [
      Band(0, "compensated"), Band(8, "moderately distressed"), Band(13, "severely distressed"),
      Band(19, "most severely distressed"),
    ])
}
