/// Questions in their order, in one version. Published, it is never changed: another version takes its place.
///
/// - Threads: any.
public struct Questionnaire: Sendable, Hashable {
  /// Its name among all questionnaires of the world, a URL or URN.
  public var url: String
  /// Such as "1.2.0".
  public var version: String
  public var title: LocalizedText
  public var items: [Item]

  public init(url: String, version: String, title: LocalizedText, items: [Item]) {
    (self.url, self.version, self.title, self.items) = (url, version, title, items)
  }

  /// All items, each before those within it.
  public var allItems: [Item] { items.flatMap(\.withItems) }

  /// Ids of the items within repeated groups, which may have several answers each.
  public var repeatedItems: Set<String> {
    allItems.reduce(into: []) { result, item in
      guard case .group(repeats: .some) = item.kind else { return }
      result.formUnion(item.items.flatMap(\.withItems).map(\.id))
    }
  }
}

/// A text in one language or several.
public struct LocalizedText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// In the questionnaire's own language.
  public var text: String
  /// By language tag, such as "de" (BCP 47).
  public var translations: [String: String]

  public init(_ text: String, _ translations: [String: String] = [:]) {
    (self.text, self.translations) = (text, translations)
  }

  public init(stringLiteral text: String) { self.init(text) }

  /// In a language; where there is none, in its main language (`de` for `de-AT`), and otherwise the text itself.
  public func text(in language: String) -> String {
    translations[language] ?? translations[String(language.prefix { $0 != "-" })] ?? text
  }
}
