import Questionnaires

extension StudyBundle {
  /// Texts without a translation, and languages without a file.
  var languageFindings: [StudyFinding] {
    let texts = study.localizedTexts.flatMap { place, text in
      study.translations.filter { text.translations[$0]?.isEmpty ?? true }.map { language in
        StudyFinding(
          .untranslated, Study.file, place, "\"\(text.text)\" has no text in \(language)",
          remedy: "translate it")
      }
    }
    return texts + study.texts.enumerated().flatMap { index, text in fileFindings(of: text, index) }
  }

  private func fileFindings(of text: StudyText, _ index: Int) -> [StudyFinding] {
    study.languages.compactMap { language in
      let place = "texts[\(index)].files.\(language)"
      guard let path = text.files[language] else {
        return StudyFinding(
          .untranslated, Study.file, place, "\"\(text.id)\" has no file in \(language)",
          remedy: "translate it")
      }
      guard let bytes = content[path] else {
        return StudyFinding(
          .file, Study.file, place, "there is no \(path)", remedy: "add the file or correct the path")
      }
      guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
        return StudyFinding(.untranslated, path, "", "the file is empty", remedy: "write the text")
      }
      return nil
    }
  }
}

extension Study {
  /// All texts by language with their places.
  var localizedTexts: [(place: String, text: LocalizedText)] {
    func list<Element>(
      _ name: String, _ elements: [Element], _ text: (Element) -> LocalizedText?
    ) -> [(String, LocalizedText)] {
      elements.enumerated().compactMap { index, element in text(element).map { ("\(name)[\(index)]", $0) } }
    }
    let single: [(String, LocalizedText?)] = [
      ("title", title), ("purpose", purpose), ("commitment.text", commitment.text),
      ("filling.title", filling?.title),
      ("filling.summary", filling?.summary),
    ]
    let lists =
      list("eligibility.inclusion", eligibility.inclusion) { $0.text }
      + list("eligibility.exclusion", eligibility.exclusion) { $0.text }
      + list("data-types", dataTypes) { $0.text }
      + list("pillars", pillars) { $0.title } + list("modules", modules) { $0.title }
      + list("days", days) { $0.title }
      + list("days", days) { $0.summary } + list("dictionary", dictionary) { $0.text }
    return single.compactMap { place, text in text.map { (place, $0) } } + lists
  }
}
