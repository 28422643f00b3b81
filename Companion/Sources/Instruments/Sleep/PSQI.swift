extension Instrument {
  /// Items by meaning, because their numbers differ between printed layouts. Limits of the components: University of Pittsburgh, "PSQI:
  /// Form Administration Instructions, References, and Scoring", after Buysse et al. 1989; those of efficiency, latency and dysfunction from
  /// memory.
  ///
  /// The form asks for the times of going to bed and getting up, from which "hours-in-bed" follows.
  ///
  /// The last disturbance, another reason (5j), counts 0 where it is missing: "IF Q5JCOM is null or Q5j is null, set the value of Q5j to 0".
  public static let psqi: Instrument = {
    let disturbances = (1...9).map { "disturbance.\($0)" }
    let names = [
      "quality", "latency", "duration", "efficiency", "disturbance", "medication", "dysfunction",
    ]
    let rated =
      ["quality", "not-asleep-within-30-minutes", "medication", "staying-awake", "enthusiasm"]
      + disturbances
    let component: @Sendable (String, ItemAnswers) -> Score.Outcome = { name, answers in
      PSQIComponent(name, answers, disturbances).outcome
    }
    return Instrument(
      "psqi", "Pittsburgh Sleep Quality Index", version: 2, .freeNonCommercial,
      by: "© 1989 University of Pittsburgh",
      source: "Buysse et al. 1989",
      items: rated.map { InstrumentItem($0, .whole(0...3)) } + [
        InstrumentItem("minutes-to-sleep", .number(0...720)),
        InstrumentItem("hours-asleep", .number(0...24), isReversed: true),
        InstrumentItem("hours-in-bed", .number(0...24)),
      ], range: 0...21, bands: [Band(0, "good"), Band(6, "poor")],
      parts: names.map { name in Part(name: name) { component(name, $0) } },
      rule: { answers in
        let components = names.map { ($0, component($0, answers)) }
        let absent = components.filter { $0.1.value == nil }.map(\.0)
        guard absent.isEmpty else { return .absent("no component \(absent.joined(separator: ", "))") }
        return .value(components.compactMap(\.1.value).reduce(0, +))
      })
  }()
}

/// One of the seven components, 0…3.
private struct PSQIComponent {
  let outcome: Score.Outcome

  init(_ name: String, _ answers: ItemAnswers, _ disturbances: [String]) {
    func step(_ value: Double, _ limits: [Double]) -> Double { Double(limits.count { value >= $0 }) }
    func rated(_ code: String) -> Score.Outcome { Rules.sum([code])(answers) }
    let sum: Score.Outcome
    switch name {
    case "latency":
      guard let minutes = answers["minutes-to-sleep"], let often = answers["not-asleep-within-30-minutes"]
      else {
        outcome = Rules.missing(["minutes-to-sleep", "not-asleep-within-30-minutes"], answers)
        return
      }
      // Up to 15, 16–30, 31–60, above 60 minutes.
      sum = .value(step(step(minutes, [(15.0).nextUp, (30.0).nextUp, (60.0).nextUp]) + often, [1, 3, 5]))
    case "duration":
      // DURAT: 7 hours or more, 6 up to 7, 5 up to 6, below 5.
      sum =
        answers["hours-asleep"].map { .value($0 >= 7 ? 0 : $0 >= 6 ? 1 : $0 >= 5 ? 2 : 3) }
        ?? Rules.missing(["hours-asleep"], answers)
    case "efficiency":
      guard let asleep = answers["hours-asleep"], let inBed = answers["hours-in-bed"], inBed > 0 else {
        outcome = .absent("hours asleep and in bed not known")
        return
      }
      let share = asleep / inBed * 100
      sum = .value(share >= 85 ? 0 : share >= 75 ? 1 : share >= 65 ? 2 : 3)
    case "disturbance":
      let asked = disturbances.dropLast()
      sum =
        Rules.sum(Array(asked))(answers).value.map { value in
          .value(step(value + (disturbances.last.flatMap { answers[$0] } ?? 0), [1, 10, 19]))
        } ?? Rules.missing(Array(asked), answers)
    case "dysfunction":
      let codes = ["staying-awake", "enthusiasm"]
      sum =
        Rules.sum(codes)(answers).value.map { .value(step($0, [1, 3, 5])) } ?? Rules.missing(codes, answers)
    default: sum = rated(name)
    }
    outcome = sum
  }
}
