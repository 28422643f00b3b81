/// Text and kinds of data to which a person agrees who takes part in a study, in the language in which they are shown.
public struct ConsentForm: Sendable, Hashable {
  /// Language tag of ``text``.
  public let language: String
  /// CommonMark.
  public let text: String
  /// SHA-256 of the text's file, hexadecimal: whoever agreed can be shown later to which words.
  public let sha256: String
  /// Kinds of data, each a tick of its own.
  public let kinds: [DataType]

  /// Shortest beginning of ``sha256`` that names it, letters: 48 bits, so that no other text has it by chance.
  public static let shortestName = 12

  /// True for ``sha256``, or a beginning of it that is long enough.
  public func isNamed(by text: String) -> Bool {
    text.utf8.count >= Self.shortestName && sha256.hasPrefix(text.lowercased())
  }

  /// The agreement of somebody who gives some kinds of data.
  ///
  /// - Parameter given: ``DataType/id`` of each kind that is ticked; a kind that is not named is not given.
  /// - Throws: ``ConsentRefusal``.
  public func agreement(giving given: Set<String>) throws(ConsentRefusal) -> Agreement {
    let known = Set(kinds.map(\.id))
    let unknown = given.subtracting(known).sorted()
    guard unknown.isEmpty else { throw .unknown(unknown, known: kinds.map(\.id)) }
    let missing = kinds.filter { $0.isRequired && !given.contains($0.id) }.map(\.id)
    guard missing.isEmpty else { throw .required(missing) }
    return Agreement(
      text: sha256, language: language,
      ticks: kinds.map { Agreement.Tick(kind: $0.id, isGiven: given.contains($0.id)) })
  }
}

/// Agreement of a person to a ``ConsentForm``. There is no other way to one, so that no part can begin without what it needs.
public struct Agreement: Sendable, Hashable {
  /// SHA-256 of the text that was shown.
  public let text: String
  /// Language tag of that text.
  public let language: String
  /// Every kind of data of the study, in its order.
  public let ticks: [Tick]

  public struct Tick: Sendable, Hashable {
    /// ``DataType/id``.
    public let kind: String
    public let isGiven: Bool
  }
}

/// Ticks that make no consent.
public enum ConsentRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// Kinds without which nobody takes part.
  case required([String])
  /// Kinds that the study does not have.
  case unknown([String], known: [String])

  public var description: String {
    switch self {
    case .required(let kinds):
      "nobody takes part without giving \(kinds.joined(separator: ", "))"
    case .unknown(let kinds, let known):
      "the study has no kind of data named \(kinds.joined(separator: ", ")); it has \(known.joined(separator: ", "))"
    }
  }
}

extension Study {
  /// True for a study in which nobody takes part without consent: it brings a text for that, as every site's does.
  public var asksForConsent: Bool { texts.contains { $0.id == StudyBundle.consentText } }
}

extension StudyBundle {
  /// The form in a person's language, in its main language, or in the study's main one; nil for a study that asks for no consent.
  public func consentForm(in language: String) -> ConsentForm? {
    file(of: Self.consentText, in: language).map { tag, bytes in
      ConsentForm(
        language: tag, text: String(decoding: bytes, as: UTF8.self), sha256: Hash.text(bytes),
        kinds: study.dataTypes)
    }
  }

  /// True where nobody needs to agree, and for an agreement to this study's own text otherwise.
  public func mayBegin(under agreement: Agreement?) -> Bool {
    study.asksForConsent ? agreement.map(isAgreed) ?? false : agreement == nil
  }

  /// True for an agreement to this study's own text in one of its languages.
  public func isAgreed(by agreement: Agreement) -> Bool {
    consentForm(in: agreement.language).map {
      $0.language == agreement.language && $0.sha256 == agreement.text
        && $0.kinds.map(\.id) == agreement.ticks.map(\.kind)
    } ?? false
  }
}
