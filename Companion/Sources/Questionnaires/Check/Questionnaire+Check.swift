extension Questionnaire {
  /// Looks for everything that would leave a person before a question that cannot be answered, or without one that was meant for them.
  ///
  /// - Parameter languages: Language tags in which all texts must be there, beside the questionnaire's own.
  /// - Returns: All that was found, in the order of the items; empty for what can be published.
  public func findings(languages: [String] = []) -> [Finding] {
    let outline: Outline
    do throws(Outline.Fault) { outline = try Outline(self) } catch {
      return [Finding(.structure, error.item, "\(error)", remedy: Self.leftUnseen)]
    }
    if let group = tooDeepGroup(in: outline) { return [depthFinding(of: group)] }
    var reach = Reach(outline)
    return untranslated(title, of: nil, languages)
      + allItems.flatMap { item in
        item.kindFindings + conditionFindings(of: item, in: outline) + reachFindings(of: item, &reach)
          + translationFindings(of: item, languages)
      }
  }

  private static let leftUnseen = "nothing besides was looked at"

  /// Most repeated groups within one another. Own choice: each multiplies the places that ``Reach`` tries, and people answer one or two.
  private static let deepestRepetition = 3

  /// The first repeated group within too many others; nil where there is no such one.
  private func tooDeepGroup(in outline: Outline) -> Item? {
    allItems.first { item in
      guard case .group(repeats: .some) = item.kind, let node = outline.nodes[item.id] else { return false }
      return node.repeated.count >= Self.deepestRepetition
    }
  }

  private func depthFinding(of group: Item) -> Finding {
    let most = Self.deepestRepetition
    return Finding(
      .structure, group.id,
      "the repeated group \"\(group.id)\" lies within \(most) others; expected at most \(most) within one another",
      remedy: Self.leftUnseen)
  }

  private func conditionFindings(of item: Item, in outline: Outline) -> [Finding] {
    item.conditions.compactMap { condition in
      guard let asked = outline.item(condition.question), let problem = condition.problem(asking: asked)
      else { return nil }
      return Finding(.condition, item.id, problem, remedy: "correct the condition on \"\(asked.id)\"")
    }
  }

  private func reachFindings(of item: Item, _ reach: inout Reach) -> [Finding] {
    guard !reach.isReachable(item.id) else { return [] }
    return [
      item.isRequired
        ? Finding(
          .requiredButHidden, item.id, "it must be answered, and no answers lead to it",
          remedy: "change its conditions or those of the group around it")
        : Finding(
          .unreachable, item.id, "no answers lead to it", remedy: "change its conditions or remove it")
    ]
  }

  private func translationFindings(of item: Item, _ languages: [String]) -> [Finding] {
    var texts = [item.text]
    if let help = item.help { texts.append(help) }
    switch item.kind {
    case .single(let options, _), .multiple(let options, _): texts += options.map(\.text)
    default: break
    }
    return texts.flatMap { untranslated($0, of: item.id, languages) }
  }

  private func untranslated(_ text: LocalizedText, of item: String?, _ languages: [String]) -> [Finding] {
    languages.filter { text.translations[$0]?.isEmpty ?? true }.map { language in
      Finding(.untranslated, item, "\"\(text.text)\" has no text in \(language)", remedy: "translate it")
    }
  }
}

extension Outline.Fault {
  fileprivate var item: String? {
    switch self {
    case .repeatedID(let item), .unknownQuestion(_, let item), .chainTooLong(let item): item
    case .cycle(let items): items.first
    case .tooMany: nil
    }
  }
}

extension Item {
  /// Faults of the item by itself.
  fileprivate var kindFindings: [Finding] {
    var found: [String] = []
    switch kind {
    case .group(let repeats):
      if let repeats, repeats < 1 { found.append("it may be repeated \(repeats) times") }
    default: if !items.isEmpty { found.append("it is no group and has items within it") }
    }
    if !kind.isQuestion, isRequired { found.append("it asks nothing and must be answered") }
    if let range = kind.range { found += range.faults }
    switch kind {
    case .text(let most?) where most < 1: found.append("it takes \(most) letters")
    case .text(let most?) where most > Item.mostLetters:
      found.append("it takes \(most) letters, expected \(Item.mostLetters) at most")
    case .date(let from?, let to?) where to < from: found.append("its dates end on \(to), before \(from)")
    case .single(let options, let other), .multiple(let options, let other):
      if options.count + (other ? 1 : 0) < 2 { found.append("there is nothing to choose from") }
      if Set(options.map(\.code)).count < options.count { found.append("two options have the same code") }
      if options.contains(where: { $0.code.isEmpty }) { found.append("an option has no code") }
    default: break
    }
    return found.map { Finding(.kind, id, $0, remedy: "correct its kind") } + systemFindings + codeFindings
  }

  /// Conditions read codes of the system of `yes-no-dont-know` as its answers, which no other list has.
  private var systemFindings: [Finding] {
    switch kind {
    case .single(let options, _), .multiple(let options, _):
      guard options.contains(where: { $0.system == FHIRTerms.answers }) else { return [] }
      return [
        Finding(
          .kind, id,
          "its options have the system \(FHIRTerms.answers), which is that of yes, no, dont-know alone, in this order",
          remedy: "give its codes another system, or none")
      ]
    default: return []
    }
  }

  /// Codes of several choices stand behind one another, in a data set with a semicolon between them, in the
  /// answer of a program with a comma; "=" begins a text of one's own there.
  private var codeFindings: [Finding] {
    guard case .multiple(let options, _) = kind else { return [] }
    func first(_ isFault: (String) -> Bool, _ found: String) -> Finding? {
      options.map(\.code).first(where: isFault).map { code in
        Finding(
          .joinedCodes, id, "the code \"\(code)\" \(found)", remedy: "give the option a code without one")
      }
    }
    return [
      first({ $0.contains(";") }, "has a semicolon, with which codes are joined"),
      first({ $0.contains(",") }, "has a comma, with which a program joins the codes of an answer"),
      first({ $0.hasPrefix("=") }, "begins with \"=\", as own words do in the answer of a program"),
    ].compactMap(\.self)
  }
}

extension NumberRange {
  fileprivate var faults: [String] {
    var found: [String] = []
    if let least, let greatest, least > greatest {
      found.append("its numbers end before they begin: \(words)")
    }
    if [least, greatest, step].contains(where: { $0?.isFinite == false }) {
      found.append("a number of its range is not finite")
    }
    if let step, step <= 0 { found.append("its steps are \(NumberWords.of(step))") }
    return found
  }
}
