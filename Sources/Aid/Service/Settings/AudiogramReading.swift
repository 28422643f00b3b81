import Acoustics
import Base
import Control
import Engine
import Prescriptions

/// Reads audiogram files, with messages that say which file, ear and frequency is wrong.
package enum AudiogramReading {
  /// Greatest size of an audiogram file, bytes; a full one has about 1,500.
  static let greatestSize = 1 << 20

  /// Both ears' thresholds.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: Origin of its name, for messages.
  /// - Throws: ``Failure`` with ``ExitStatus/noInput``, ``ExitStatus/noPermission`` or ``ExitStatus/badData``.
  package static func ears(
    at path: String, namedBy place: String? = nil
  ) throws(Failure) -> Binaural<Audiogram> { try file(at: path, namedBy: place).ears }

  /// The whole file.
  package static func file(at path: String, namedBy place: String? = nil) throws(Failure) -> AudiogramFile {
    try identified(at: path, namedBy: place).file
  }

  /// The whole file, and the people whom it names: FHIR alone names any.
  package static func identified(
    at path: String, namedBy place: String? = nil
  ) throws(Failure) -> (file: AudiogramFile, subjects: Set<FHIRSubject>) {
    let bytes = try NamedFile.bytes(of: path, limit: greatestSize, what: "audiogram", place: place)
    guard let whole = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        path, found: "bytes that are not text", expected: "an audiogram in JSON, CSV or FHIR",
        exit: .badData)
    }
    // A byte-order mark, which some programs put first, is no part of the text.
    let text =
      whole.unicodeScalars.first == "\u{FEFF}" ? String(whole.unicodeScalars.dropFirst()) : whole
    let name = path.lowercased()
    let isJSON = name.hasSuffix(".json") || isJSON(text, isTable: name.hasSuffix(".csv"))
    // Resources of FHIR name their type; files of ours their format.
    if isJSON, text.contains("\"resourceType\"") {
      do throws(PrescriptionError) {
        let audiogram = try FHIRAudiogram(parsing: text)
        return (AudiogramFile(ears: audiogram.ears), audiogram.subjects)
      } catch {
        throw failure(path, nil, "\(error)", kind: error.kind)
      }
    }
    do throws(AcousticsError) {
      let file =
        try isJSON
        ? AudiogramFile(parsing: text) : AudiogramFile(ears: AudiogramCSV(parsing: text).ears)
      return (file, [])
    } catch { throw failure(path, error.line, error.reason, kind: error.kind) }
  }

  /// True when a text begins as JSON does; a table begins with a word.
  ///
  /// - Parameter isTable: True where an empty text is called a table.
  private static func isJSON(_ text: String, isTable: Bool) -> Bool {
    guard let start = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else {
      return !isTable
    }
    return start == "{" || start == "["
  }

  /// The failure with place and fault; a log gets the fault's class alone, never what the file holds.
  private static func failure(_ path: String, _ line: Int?, _ sentence: String, kind: String) -> Failure {
    Failure(line.map { "\(path):\($0)" } ?? path, saying: sentence, exit: .badData).logged(
      asKind: kind, remedy: "Its content is not for a log: auricle check \(path)")
  }
}

/// Files that a configuration names.
enum NamedFile {
  /// Bytes of a file.
  ///
  /// - Parameters:
  ///   - what: Content that the file should have, `audiogram`.
  ///   - place: Origin of its name; nil: the command line.
  /// - Throws: ``Failure``; when there is none, it names the place that asked for it.
  static func bytes(of path: String, limit: Int, what: String, place: String?) throws(Failure) -> [UInt8] {
    do {
      return try FileContent.bytes(of: path, limit: limit)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      throw Failure(
        path, found: error.found, expected: "the \(what)" + (place.map { " that \($0) names" } ?? ""),
        remedy: "Put the file there, or name another.", exit: .noInput)
    }
  }
}

extension HearingSettings {
  /// Keys of the configuration whose file says something else than when `former` was made, though its name is
  /// the same.
  ///
  /// - Parameter keys: Keys whose own value changed; what they explain is not told again. Other devices explain that a
  ///   calibration counts, or does not.
  func changedFiles(since former: HearingSettings, beside keys: [String]) -> [String] {
    let isMoved = (microphone: keys.contains("device.capture"), earphone: keys.contains("device.playback"))
    return changedFiles(since: former, isMoved).filter { file in
      let section = file.prefix { $0 != "." } == "hearing" ? file : String(file.dropLast(".file".count))
      return !keys.contains { $0.hasPrefix(section) }
    }
  }

  private func changedFiles(
    since former: HearingSettings, _ isMoved: (microphone: Bool, earphone: Bool)
  ) -> [String] {
    [
      ("hearing.audiogram", audiograms != former.audiograms),
      ("calibration.microphone.file", microphones != former.microphones && !isMoved.microphone),
      ("calibration.earphone.file", earphones != former.earphones && !isMoved.earphone),
    ].filter(\.1).map(\.0)
  }
}
