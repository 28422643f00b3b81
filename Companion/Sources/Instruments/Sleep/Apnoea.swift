extension Instrument {
  private static let stop = ["snoring", "tired", "observed", "pressure"]
  private static let bang = ["bmi", "age", "neck", "gender"]

  /// Yes 1, no 0, not known: left out, which gives a range. Limits of body mass, age and neck are the site's text's, whose version says
  /// which.
  public static let stopBang = Instrument(
    "stop-bang", "STOP-BANG", .permission, by: "© F. Chung, University Health Network",
    source: "Chung et al. 2008, 2016",
    items: (stop + bang).map { InstrumentItem($0, .whole(0...1)) }, range: 0...8,
    bands: [Band(0, "low risk"), Band(3, "intermediate risk"), Band(5, "high risk")],
    parts: [
      Part(name: "high risk by rule") { answers in
        let (pairs, body) = (stop, ["gender", "bmi", "neck"])
        let symptoms = answers.of(pairs).reduce(0, +)
        let unknown = Double(pairs.count { answers[$0] == nil })
        let hasBody = answers.of(body).contains(1)
        if symptoms >= 2, hasBody { return .value(1) }
        let mayHaveBody = hasBody || body.contains { answers[$0] == nil }
        return symptoms + unknown >= 2 && mayHaveBody ? .range(0...1) : .value(0)
      }
    ],
    rule: { answers in
      let codes = stop + bang
      let found = answers.of(codes)
      guard !found.isEmpty else { return .absent("no item answered") }
      let sum = found.reduce(0, +)
      let unknown = Double(codes.count - found.count)
      return unknown == 0 ? .value(sum) : .range(sum...sum + unknown)
    })

  /// Points of each item as the site's text gives them: the category of snoring from 2 on, that of sleepiness from 2 on, and that of blood
  /// pressure or a body mass index above 30; high risk from two categories on. Netzer et al. 1999.
  ///
  /// Items 2 to 4 of snoring are put to people who snore, and count 0 of everybody besides (the form of 1999, from memory).
  public static let berlin = Instrument(
    "berlin", "Berlin Questionnaire", version: 2, .unknown, by: "Netzer et al. 1999",
    source: "Netzer et al. 1999",
    items: (1...4).map { InstrumentItem("snoring.\($0)", .whole(0...1)) } + [
      InstrumentItem("snoring.5", .listed([0, 2]))
    ]
      + (6...8).map { InstrumentItem("sleepiness.\($0)", .whole(0...1)) }
      + [InstrumentItem("pressure", .whole(0...1)), InstrumentItem("bmi", .number(8...120))], range: 0...3,
    bands: [Band(0, "low risk"), Band(2, "high risk")],
    rule: { given in
      let answers = countingUnasked(given)
      let categories = [
        category((1...5).map { "snoring.\($0)" }, greatest: [1, 1, 1, 1, 2], answers),
        category((6...8).map { "sleepiness.\($0)" }, greatest: [1, 1, 1], answers), bodyCategory(answers),
      ]
      let least = categories.count { $0 == true }
      let most = categories.count { $0 != false }
      return least == most ? .value(Double(least)) : .range(Double(least)...Double(most))
    })

  /// The answers with 0 for what is asked of people who snore, where somebody does not.
  private static func countingUnasked(_ answers: ItemAnswers) -> ItemAnswers {
    guard answers["snoring.1"] == 0 else { return answers }
    let unasked = (2...4).map { ("snoring.\($0)", 0.0) }
    return ItemAnswers(answers.values.merging(unasked) { given, _ in given })
  }

  /// True from 2 points on; nil while what is missing decides.
  private static func category(_ codes: [String], greatest: [Double], _ answers: ItemAnswers) -> Bool? {
    let sum = answers.of(codes).reduce(0, +)
    let open = zip(codes, greatest).filter { answers[$0.0] == nil }.map(\.1).reduce(0, +)
    return sum >= 2 ? true : sum + open >= 2 ? nil : false
  }

  private static func bodyCategory(_ answers: ItemAnswers) -> Bool? {
    let (pressure, mass) = (answers["pressure"].map { $0 == 1 }, answers["bmi"].map { $0 > 30 })
    if pressure == true || mass == true { return true }
    return pressure == false && mass == false ? false : nil
  }
}
