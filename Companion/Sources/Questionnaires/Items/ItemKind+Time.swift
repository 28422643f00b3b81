extension ItemKind {
  /// Time that people need for it, s. Own choice, after the rule of thumb of four to five closed questions a minute (from memory); the
  /// programme's days are planned with it, and rehearsals and real data will say better.
  public var usualSeconds: Double {
    switch self {
    case .yesNo, .yesNoDontKnow, .info: 10
    case .scale: 12
    case .number, .numberScroll, .minutesScroll, .single, .time, .date: 15
    case .email: 20
    case .multiple: 25
    case .text: 45
    case .group: 0
    }
  }
}

extension Questionnaire {
  /// Time that people need for all its items, min; those that answers hide are counted as well.
  public var usualMinutes: Double { allItems.reduce(0) { $0 + $1.kind.usualSeconds } / 60 }
}
