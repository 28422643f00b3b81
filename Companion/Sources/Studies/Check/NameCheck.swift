import Questionnaires

extension StudyBundle {
  /// Files that cannot be read, are named and not there, or there and not named.
  var fileFindings: [StudyFinding] {
    let unreadable = faults.map { fault in
      StudyFinding(
        .unreadable, fault.file, fault.place, "found \(fault.found); expected \(fault.expected)",
        remedy: fault.remedy)
    }
    let licensed = Set(
      study.instruments.filter { $0.instrument?.licence.shipsText == false }.map(\.questionnaire))
    let missing = study.questionnaires.enumerated().filter {
      content[$1.file] == nil && !licensed.contains($1.id)
    }
    .map { index, entry in
      StudyFinding(
        .file, Study.file, "questionnaires[\(index)].file", "there is no \(entry.file)",
        remedy: "add the file or correct the path")
    }
    let named = Set(
      study.questionnaires.map(\.file) + study.texts.flatMap(\.files.values)
        + study.instruments.compactMap(\.table) + [Study.file])
    let unnamed = content.paths.filter { !named.contains($0) }.map { path in
      StudyFinding.warning(
        .file, path, "", "\(Study.file) does not name it, so nobody sees it", remedy: "name it or remove it"
      )
    }
    return unreadable + missing + unnamed
  }
}

extension Study {
  /// Members that a study of its kind must have.
  var memberFindings: [StudyFinding] {
    var found: [StudyFinding] = []
    func need(_ isThere: Bool, _ member: String, _ reason: String) {
      guard !isThere else { return }
      found.append(
        StudyFinding(.incomplete, Study.file, member, "it is missing, and \(reason)", remedy: "state it"))
    }
    if kind == .site {
      need(institution != nil, "institution", "people are told who asks them")
      need(investigator != nil, "investigator", "people are told who asks them")
      need(
        texts.contains { $0.id == StudyBundle.consentText }, "texts",
        "without one named \"\(StudyBundle.consentText)\" nobody can agree to take part")
    }
    need(!tasks.isEmpty, "tasks", "without one nothing is ever due")
    need(!dataTypes.isEmpty, "data-types", "without one nothing may be kept")
    let hasModules = tasks.contains { $0.work == .modulesOfDay }
    if !days.isEmpty || filling != nil { need(hasModules, "tasks", "days have modules that no task asks") }
    if !gateways.isEmpty {
      need(filling != nil, "filling", "gateways call for modules that then have no day")
    }
    if eligibility.criteria.contains(where: { $0.showsHelp == true }) {
      need(helpText != nil, "help-text", "a criterion shows it to whoever it keeps from taking part")
    }
    return found + unstatedHelp
  }

  /// A help page that comes after every exclusion, because no criterion says after which.
  private var unstatedHelp: [StudyFinding] {
    guard helpText != nil, !eligibility.exclusion.isEmpty, !eligibility.statesHelp else { return [] }
    return [
      StudyFinding.warning(
        .safety, Study.file, "help-text",
        "the page is shown after every exclusion, because no criterion states \"shows-help\"",
        remedy: "state it, true with the criterion after which the page comes, such as a crisis, or false")
    ]
  }

  /// Ids that are given twice.
  var nameFindings: [StudyFinding] {
    let lists: [(String, [String])] = [
      ("data-types", dataTypes.map(\.id)), ("questionnaires", questionnaires.map(\.id)),
      ("instruments", instruments.map(\.id)), ("derived", derived.map(\.id)), ("texts", texts.map(\.id)),
      ("tasks", tasks.map(\.id)),
      ("pillars", pillars.map(\.id)), ("modules", modules.map(\.id)), ("gateways", gateways.map(\.id)),
      ("dictionary", dictionary.map(\.column)), ("dictionary", dictionary.map(\.item)),
      ("days", days.map { "\($0.number)" }),
      ("eligibility", eligibility.criteria.map(\.id)),
    ]
    return lists.flatMap { list, ids in
      var seen: Set<String> = []
      return ids.enumerated().filter { !seen.insert($1).inserted }.map { index, id in
        StudyFinding(
          .repeated, Study.file, "\(list)[\(index)]", "\"\(id)\" is given twice",
          remedy: "give each its own")
      }
    }
  }
}

extension StudyBundle {
  /// Ids that name nothing, and two questionnaires with the same URL or items of the same id.
  var referenceFindings: [StudyFinding] {
    var found: [StudyFinding] = []
    func expect(_ id: String?, in ids: [String], _ place: String, _ noun: String) {
      guard let id, !ids.contains(id) else { return }
      found.append(
        StudyFinding(
          .reference, Study.file, place, "there is no \(noun) \"\(id)\"",
          remedy: "correct the name or add it"))
    }
    let (questionnaires, pillars) = (study.questionnaires.map(\.id), study.pillars.map(\.id))
    let (modules, types) = (study.modules.map(\.id), study.dataTypes.map(\.id))
    expect(
      study.eligibility.questionnaire, in: questionnaires, "eligibility.questionnaire", "questionnaire")
    expect(study.helpText, in: study.texts.map(\.id), "help-text", "text")
    for (index, entry) in study.instruments.enumerated() {
      expect(
        entry.questionnaire, in: questionnaires, "instruments[\(index)].questionnaire", "questionnaire")
      let codes = entry.instrument?.items.map(\.code) ?? []
      for code in entry.items.keys.sorted() {
        expect(code, in: codes, "instruments[\(index)].items", "item of \(entry.id)")
      }
    }
    for (index, task) in study.tasks.enumerated() {
      if case .questionnaire(let id) = task.work {
        expect(id, in: questionnaires, "tasks[\(index)].questionnaire", "questionnaire")
      }
      expect(task.dataType, in: types, "tasks[\(index)].data-type", "data type")
      expect(task.pillar, in: pillars, "tasks[\(index)].pillar", "pillar")
    }
    for (index, module) in study.modules.enumerated() {
      expect(module.questionnaire, in: questionnaires, "modules[\(index)].questionnaire", "questionnaire")
      expect(module.pillar, in: pillars, "modules[\(index)].pillar", "pillar")
      expect(module.substitute, in: modules, "modules[\(index)].substitute", "module")
    }
    for (index, day) in study.days.enumerated() {
      for (number, id) in day.modules.enumerated() {
        expect(id, in: modules, "days[\(index)].modules[\(number)]", "module")
      }
    }
    for (index, gateway) in study.gateways.enumerated() {
      for (number, id) in gateway.modules.enumerated() {
        expect(id, in: modules, "gateways[\(index)].modules[\(number)]", "module")
      }
    }
    return found + repeatedURLs + repeatedItems
  }

  /// Answers are kept under their questionnaire's URL alone.
  private var repeatedURLs: [StudyFinding] {
    var seen: [String: String] = [:]
    return study.questionnaires.compactMap { entry -> StudyFinding? in
      guard let url = questionnaires[entry.id]?.url else { return nil }
      defer { seen[url] = seen[url] ?? entry.file }
      return seen[url].map {
        StudyFinding(
          .repeated, entry.file, "url", "\($0) has the same url \(url)",
          remedy: "give each its own in the study")
      }
    }
  }

  /// Gateways, instruments and columns name a question by its id alone.
  private var repeatedItems: [StudyFinding] {
    var seen: [String: String] = [:]
    for derived in study.derived { seen[derived.id] = "\"derived\"" }
    return study.questionnaires.flatMap { entry -> [StudyFinding] in
      let ids = Set(questionnaires[entry.id]?.allItems.map(\.id) ?? []).sorted()
      defer { for id in ids { seen[id] = seen[id] ?? entry.file } }
      return ids.compactMap { id in
        seen[id].map {
          StudyFinding(
            .repeated, entry.file, id, "\($0) has an item of the same id",
            remedy: "give each its own id in the study")
        }
      }
    }
  }
}
