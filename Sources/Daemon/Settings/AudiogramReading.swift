public import Acoustics
public import Control
import Prescriptions

/// Reads audiogram files, with messages that say which file, ear and frequency is wrong.
public enum AudiogramReading {
  /// Greatest size of an audiogram file, bytes; a full one has about 1,500.
  static let greatestSize = 1 << 20

  /// Both ears' thresholds.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: Where it was asked for, for messages.
  /// - Throws: ``Failure`` with ``ExitStatus/noInput``, ``ExitStatus/noPermission`` or ``ExitStatus/badData``.
  public static func ears(
    at path: String, namedBy place: String? = nil
  ) throws(Failure) -> Binaural<Audiogram> {
    try file(at: path, namedBy: place).ears
  }

  /// The whole file.
  public static func file(at path: String, namedBy place: String? = nil) throws(Failure) -> AudiogramFile {
    let bytes = try NamedFile.bytes(of: path, limit: greatestSize, what: "audiogram", place: place)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        path, found: "bytes that are not text", expected: "an audiogram in JSON, CSV or FHIR",
        exit: .badData)
    }
    let isJSON = path.lowercased().hasSuffix(".json") || isJSON(text)
    return try isJSON ? json(text, path) : table(text, path)
  }

  /// Whether a text begins as JSON does; a table begins with a word.
  private static func isJSON(_ text: String) -> Bool {
    let start = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
    return start == "{" || start == "[" || start == nil
  }

  private static func json(_ text: String, _ path: String) throws(Failure) -> AudiogramFile {
    // Resources of FHIR name their type; files of ours their format.
    if text.contains("\"resourceType\"") { return try fhir(text, path) }
    do {
      return try AudiogramFile(parsing: text)
    } catch {
      throw failure(path, error.line, "\(error.reason)", kind: error.reason.kind)
    }
  }

  private static func fhir(_ text: String, _ path: String) throws(Failure) -> AudiogramFile {
    do {
      return AudiogramFile(ears: try FHIRAudiogram(parsing: text).ears)
    } catch {
      throw failure(path, nil, "\(error)", kind: error.kind)
    }
  }

  private static func table(_ text: String, _ path: String) throws(Failure) -> AudiogramFile {
    do {
      return AudiogramFile(ears: try AudiogramCSV(parsing: text).ears)
    } catch {
      throw failure(path, error.line, "\(error.reason)", kind: error.reason.kind)
    }
  }

  /// Where it is wrong, and how: in full for the one who asked, its kind for a log.
  private static func failure(_ path: String, _ line: Int?, _ sentence: String, kind: String) -> Failure {
    Failure(line.map { "\(path):\($0)" } ?? path, saying: sentence, exit: .badData)
      .logged(asKind: kind, remedy: "What it says is not for a log: auricle check \(path)")
  }
}
