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
    return try isJSON(text) ? json(text, path) : table(text, path)
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
      throw Failure(
        error.line.map { "\(path):\($0)" } ?? path, saying: "\(error.reason)", exit: .badData)
    }
  }

  private static func fhir(_ text: String, _ path: String) throws(Failure) -> AudiogramFile {
    do {
      return AudiogramFile(ears: try FHIRAudiogram(parsing: text).ears)
    } catch {
      throw Failure(path, saying: "\(error)", exit: .badData)
    }
  }

  private static func table(_ text: String, _ path: String) throws(Failure) -> AudiogramFile {
    do {
      return AudiogramFile(ears: try AudiogramCSV(parsing: text).ears)
    } catch {
      throw Failure(
        error.line.map { "\(path):\($0)" } ?? path, saying: "\(error.reason)", exit: .badData)
    }
  }
}
