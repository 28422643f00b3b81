import Questionnaires

extension StudyCheck {
  /// Share by which the sum of a day's minutes may differ from what people are told. Own choice.
  private static let tolerance = 0.2

  /// Days and modules that do not fit together.
  func dayFindings(in bundle: StudyBundle) -> [StudyFinding] {
    let study = bundle.study
    return study.days.enumerated().flatMap { findings(of: $1, $0, in: bundle) }
      + fillingFindings(in: bundle)
      + unusedFindings(in: study)
  }

  private func findings(of day: StudyDay, _ index: Int, in bundle: StudyBundle) -> [StudyFinding] {
    let place = "days[\(index)]"
    guard day.number <= bundle.study.dayCount else {
      return [
        StudyFinding(
          .days, Study.file, place, "it is day \(day.number) of a study of \(bundle.study.dayCount) days",
          remedy: "remove it, or lengthen \"duration-days\"")
      ]
    }
    let modules = StudyEdition(bundle, use).modules(day.modules)
    let minutes = modules.reduce(bundle.study.dailyMinutes(in: day.number...day.number)) { $0 + $1.minutes }
    guard abs(minutes - day.minutes) > day.minutes * Self.tolerance + 1e-9 else { return [] }
    return [
      StudyFinding.warning(
        .days, Study.file, "\(place).minutes",
        "people are told \(day.minutes) minutes, and its tasks and modules take \(Self.shown(minutes))",
        remedy: "state their sum, or move a module")
    ]
  }

  /// Sums of tenths of minutes are not exact in binary: a message has hundredths.
  private static func shown(_ minutes: Double) -> Double { (minutes * 100).rounded() / 100 }

  private func fillingFindings(in bundle: StudyBundle) -> [StudyFinding] {
    let study = bundle.study
    guard let filling = study.filling else { return [] }
    var found: [StudyFinding] = []
    if filling.days.upperBound > study.dayCount {
      found.append(
        StudyFinding(
          .days, Study.file, "filling.to",
          "it is day \(filling.days.upperBound) of a study of \(study.dayCount) days",
          remedy: "end earlier, or lengthen \"duration-days\""))
    }
    let called = StudyEdition(bundle, use).modules(study.gateways.flatMap(\.modules))
    let room = filling.mostMinutes - study.dailyMinutes(in: filling.days)
    for module in called where module.minutes > room + 1e-6 {
      found.append(
        StudyFinding(
          .days, Study.file, "modules",
          "\"\(module.id)\" takes \(module.minutes) minutes, and a day has \(Self.shown(room)) left",
          remedy: "divide it, or raise \"most-minutes\""))
    }
    let plan = DayPlan(
      called.map(\.module), on: filling.days, most: filling.mostMinutes,
      daily: study.dailyMinutes(in: filling.days))
    let overflow = plan.overflow.filter { id in called.contains { $0.id == id && $0.minutes <= room + 1e-6 }
    }
    if !overflow.isEmpty {
      found.append(
        StudyFinding.warning(
          .days, Study.file, "filling",
          "when all gateways are open, \(overflow.joined(separator: ", ")) find no day",
          remedy: "add days or minutes"))
    }
    return found
  }

  /// Modules that nobody is ever asked.
  private func unusedFindings(in study: Study) -> [StudyFinding] {
    let used = Set(
      study.days.flatMap(\.modules) + study.gateways.flatMap(\.modules)
        + study.modules.compactMap(\.substitute))
    return study.modules.enumerated().filter { !used.contains($1.id) }.map { index, module in
      StudyFinding.warning(
        .unreachable, Study.file, "modules[\(index)]", "no day and no gateway asks \"\(module.id)\"",
        remedy: "name it in a day or a gateway, or remove it")
    }
  }
}
