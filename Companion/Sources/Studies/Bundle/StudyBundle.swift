import Base
import Instruments
import Questionnaires

/// A study with its questionnaires and texts.
///
/// - Threads: any.
public struct StudyBundle: Sendable, Hashable {
  public let content: BundleContent
  public let study: Study
  /// Those that could be read, by ``QuestionnaireFile/id``.
  public let questionnaires: [String: Questionnaire]
  /// Sites' licensed tables that could be read, by ``StudyInstrument/id``.
  public let tables: [String: ScoreTable]
  /// Files that are there and cannot be read, in the study's order. A signed bundle has none.
  public let faults: [BundleError]

  /// Reads an author's files.
  ///
  /// - Parameter isKept: As of ``Questionnaire/init(fhir:isKept:)``.
  /// - Throws: ``BundleError`` where there is no `study.json` or it cannot be read; for other files see ``faults``.
  public init(_ content: BundleContent, isKept: Bool = false) throws(BundleError) {
    guard let bytes = content[Study.file] else {
      throw BundleError(
        Study.file, found: "no such file", expected: "one", remedy: "name a study's folder or bundle")
    }
    let study = try Study(bytes, isKept: isKept)
    var (questionnaires, faults) = ([String: Questionnaire](), [BundleError]())
    for entry in study.questionnaires {
      guard let bytes = content[entry.file] else { continue }
      do throws(BundleError) {
        questionnaires[entry.id] = try Self.questionnaire(bytes, entry.file, isKept: isKept)
      } catch { faults.append(error) }
    }
    var tables: [String: ScoreTable] = [:]
    for entry in study.instruments {
      do throws(BundleError) { tables[entry.id] = try Self.table(of: entry, content) } catch {
        faults.append(error)
      }
    }
    for text in study.texts {
      for path in text.files.values.sorted()
      where content[path].map({ String(validating: $0, as: UTF8.self) == nil }) ?? false {
        faults.append(
          BundleError(
            path, found: "bytes that are not UTF-8", expected: "a text", remedy: "save it as UTF-8"))
      }
    }
    (self.content, self.study, self.questionnaires, self.faults) = (content, study, questionnaires, faults)
    self.tables = tables
  }

  private static func questionnaire(
    _ bytes: [UInt8], _ file: String, isKept: Bool
  ) throws(BundleError) -> Questionnaire {
    let json: JSONValue
    // Some thirty values to an item, with translations.
    do throws(JSONError) { json = try JSONValue(bytes, depth: 64, count: 200_000) } catch {
      throw BundleError(
        file, place: "line \(error.position.line)", found: error.words, expected: "JSON text",
        remedy: "correct the line")
    }
    do throws(JSONFault) { return try Questionnaire(fhir: json, isKept: isKept) } catch {
      throw BundleError(file, error)
    }
  }

  /// All questions, texts and groups of all questionnaires by their ids, the study's first where two have the same.
  public var items: [String: Item] {
    Dictionary(study.questionnaires.flatMap { questionnaires[$0.id]?.allItems ?? [] }.map { ($0.id, $0) }) {
      first, _ in first
    }
  }

  /// A text in a language, in its main language, or in the study's main one; nil where there is none.
  public func text(_ id: String, in language: String) -> String? {
    file(of: id, in: language).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// File of a text with its language's tag, chosen as ``text(_:in:)`` does.
  func file(of id: String, in language: String) -> (tag: String, bytes: [UInt8])? {
    guard let files = study.texts.first(where: { $0.id == id })?.files else { return nil }
    let tags = [language, String(language.prefix { $0 != "-" })] + study.languages.prefix(1)
    guard let tag = tags.first(where: { files[$0] != nil }) else { return nil }
    return files[tag].flatMap { content[$0] }.map { (tag, $0) }
  }
}

/// A bundle as it is published: signed, and from then on never changed.
public struct SignedBundle: Sendable, Hashable {
  public let bundle: StudyBundle
  public let manifest: Manifest
  public let signer: BundleSigner
}
