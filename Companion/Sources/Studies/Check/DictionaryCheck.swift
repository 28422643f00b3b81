import Questionnaires

extension StudyBundle {
  /// Questions without a column, columns without a question, and names that statistics programs do not take.
  var dictionaryFindings: [StudyFinding] {
    let described = Set(study.dictionary.map(\.item))
    let missing = study.questionnaires.flatMap { entry -> [StudyFinding] in
      (questionnaires[entry.id]?.allItems ?? []).filter { $0.kind.isQuestion && !described.contains($0.id) }
        .map { item in
          StudyFinding(
            .dictionary, entry.file, item.id, "its answers have no column in the dictionary",
            remedy: "add an entry to \"dictionary\" in \(Study.file)")
        }
    }
    let items = self.items.merging(study.derivedItems) { first, _ in first }
    // Of an instrument whose text the site has not brought, nothing is known.
    let isComplete = study.questionnaires.allSatisfy { questionnaires[$0.id] != nil }
    let wrong = study.dictionary.enumerated().compactMap { index, entry -> StudyFinding? in
      let place = "dictionary[\(index)]"
      guard Self.isColumn(entry.column) else {
        return StudyFinding(
          .dictionary, Study.file, place, "\"\(entry.column)\" is no name of a column",
          remedy: "begin with a small letter, then small letters, digits and _, 64 at most")
      }
      if items[entry.item]?.kind.isQuestion == true || (!isComplete && items[entry.item] == nil) {
        return nil
      }
      return StudyFinding(
        .dictionary, Study.file, place, "there is no question \"\(entry.item)\"",
        remedy: "correct the id or remove it")
    }
    let underived = study.derived.enumerated().filter { derived in
      !study.dictionary.contains { $0.item == derived.element.id && $0.text != nil }
    }.map { index, derived in
      StudyFinding(
        .dictionary, Study.file, "derived[\(index)]",
        "\"\(derived.id)\" has no column with a text in the dictionary",
        remedy: "add an entry with a text to \"dictionary\"")
    }
    return missing + wrong + underived
  }

  /// Names that SPSS, R and SQL take without quoting.
  private static func isColumn(_ name: String) -> Bool {
    name.utf8.count <= 64 && name.utf8.first.map { (97...122).contains($0) } ?? false
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
      }
  }
}
