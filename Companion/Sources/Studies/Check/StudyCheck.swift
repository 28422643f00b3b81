import Almanac
import Base
import Questionnaires

/// Search for everything that would leave a participant before something that cannot be done, or a researcher without data that can be read.
///
/// - Threads: any.
public struct StudyCheck: Sendable {
  let use: BundleUse
  let isPublished: Bool
  let registry: TaskRegistry
  /// Zones over whose clock changes schedules are expanded.
  let zones: [Zone]

  /// One zone that changes its clocks at 01:00 UTC and one that does at 02:00 of its own wall.
  public static let zoneNames = ["Europe/Berlin", "America/New_York"]

  /// - Parameters:
  ///   - use: Its day decides which licences hold and which clock changes come next.
  ///   - isPublished: True for an edition that is signed and may recruit: what loses some of its data and hurts nobody is a warning.
  /// - Throws: ``ZoneError`` where the system has no zone database.
  public init(
    _ use: BundleUse, isPublished: Bool = false, zones: some ZoneSource = ZoneFolder(),
    registry: TaskRegistry = TaskRegistry()
  ) throws(ZoneError) {
    var found: [Zone] = []
    for name in Self.zoneNames { found.append(try zones.zone(name)) }
    (self.use, self.isPublished, self.registry, self.zones) = (use, isPublished, registry, found)
  }

  /// - Returns: All that was found, errors first; without an error the study may be published.
  public func findings(in bundle: StudyBundle) -> [StudyFinding] {
    let all =
      bundle.fileFindings + bundle.study.memberFindings + bundle.study.nameFindings
      + bundle.referenceFindings
      + questionnaireFindings(in: bundle) + bundle.conditionFindings + bundle.languageFindings
      + bundle.study.tasks.enumerated().flatMap { scheduleFindings(of: $1, $0, in: bundle.study) }
      + bundle.study.tasks.enumerated().flatMap { measurementFindings(of: $1, $0) }
      + licenceFindings(in: bundle) + bundle.selfHarmFindings + bundle.tableFindings
      + dayFindings(in: bundle)
      + bundle.dictionaryFindings
    let found = isPublished ? all.map(\.ofPublished) : all
    return found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
  }

  private func questionnaireFindings(in bundle: StudyBundle) -> [StudyFinding] {
    bundle.study.questionnaires.flatMap { entry -> [StudyFinding] in
      let findings = bundle.questionnaires[entry.id]?.findings(languages: bundle.study.translations) ?? []
      return findings.map { finding in
        StudyFinding(
          StudyFinding.Kind(finding.kind), entry.file, finding.item ?? "", finding.found,
          remedy: finding.remedy, severity: finding.isWarning ? .warning : .error)
      }
    }
  }

  private func measurementFindings(of task: StudyTask, _ index: Int) -> [StudyFinding] {
    guard case .measurement(let key, let settings) = task.work else { return [] }
    let place = "tasks[\(index)].measurement"
    guard let kind = registry[key] else {
      let known = registry.keys.map(\.description).joined(separator: ", ")
      return [
        StudyFinding(
          .measurement, Study.file, place, "no program here measures \(key)", remedy: "name one of \(known)"
        )
      ]
    }
    let missing = kind.settings.filter { settings[$0.name] == nil }.map { setting in
      StudyFinding(
        .measurement, Study.file, "\(place).settings",
        "\(setting.name) is not stated, and has no value by itself",
        remedy: "state a number from \(setting.range.lowerBound) to \(setting.range.upperBound)")
    }
    let wrong = settings.sorted { $0.key < $1.key }.compactMap { name, value -> StudyFinding? in
      let setting = kind.settings.first { $0.name == name }
      guard let fault = Self.fault(of: value, for: setting, of: key) else { return nil }
      return StudyFinding(
        .measurement, Study.file, "\(place).settings.\(name)", fault.found, remedy: fault.remedy)
    }
    return missing + wrong + undoable(settings, of: kind, place) + unheeded(settings, of: kind, place)
  }

  /// Fault of a number that a study states.
  ///
  /// - Parameter setting: Nil where the kind has no such one.
  /// - Returns: Nil for a number that it takes.
  private static func fault(
    of value: Double, for setting: TaskKind.Setting?, of key: TaskKind.Key
  ) -> (found: String, remedy: String)? {
    guard let setting else { return ("\(key) has no such setting", "remove it") }
    guard !setting.takes(value) else { return nil }
    let (least, greatest) = (setting.range.lowerBound, setting.range.upperBound)
    guard setting.range.contains(value) else {
      return ("\(value) is out of range", "state a number from \(least) to \(greatest)")
    }
    return (
      "\(NumberText.exact(value)) is not a whole number",
      "state a whole number from \(NumberText.exact(least)) to \(NumberText.exact(greatest))"
    )
  }

  /// A microphone that a study allows and the aid's own command does not: it measures as if it were not allowed.
  private func unheeded(
    _ settings: [String: Double], of kind: TaskKind, _ place: String
  ) -> [StudyFinding] {
    let name = TaskKind.allowsRelativeLevel
    guard kind.settings.contains(where: { $0.name == name }), settings[name] == 1 else { return [] }
    return [
      StudyFinding.warning(
        .measurement, Study.file, "\(place).settings.\(name)",
        "the aid's own command listens to the room by a calibrated microphone alone: without one the task stays due there",
        remedy: "state 0")
    ]
  }

  /// Settings with which a site may measure, and the aid's own command does not.
  private func undoable(
    _ settings: [String: Double], of kind: TaskKind, _ place: String
  ) -> [StudyFinding] {
    kind.settings.compactMap { setting in
      guard let value = settings[setting.name], setting.takes(value), !setting.doable.contains(value)
      else { return nil }
      let (least, greatest) = (setting.doable.lowerBound, setting.doable.upperBound)
      return StudyFinding.warning(
        .measurement, Study.file, "\(place).settings.\(setting.name)",
        "the aid's own command does not measure with \(NumberText.exact(value)): the task stays due there",
        remedy: least == greatest
          ? "state \(NumberText.exact(least))"
          : "state a number from \(NumberText.exact(least)) to \(NumberText.exact(greatest))")
    }
  }
}

extension StudyFinding.Kind {
  fileprivate init(_ kind: Finding.Kind) {
    self =
      switch kind {
      case .structure: .structure
      case .unreachable: .unreachable
      case .requiredButHidden: .requiredButHidden
      case .condition: .condition
      case .kind, .joinedCodes: .question
      case .untranslated: .untranslated
      }
  }
}
