import Base
import Instruments
import Questionnaires

extension ScoreTable {
  /// Reads a site's file: `{"instrument": "promis-cognitive-4", "scores": [{"sum": 4, "score": …}, …]}`.
  ///
  /// - Throws: ``BundleError``.
  init(_ bytes: [UInt8], _ file: String, of instrument: Instrument) throws(BundleError) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(bytes) } catch {
      throw BundleError(
        file, place: "line \(error.position.line)", found: error.words, expected: "JSON text",
        remedy: "correct the line")
    }
    var rows: [Row] = []
    do throws(JSONFault) {
      let root = JSONElement(json)
      try root.expectOnly(["instrument", "scores"])
      let id = try root.text("instrument")
      guard id == instrument.id else {
        throw root.fault("instrument", "\"\(id)\"", expected: "\"\(instrument.id)\"")
      }
      rows = try root.all("scores") { part throws(JSONFault) in
        try part.expectOnly(["sum", "score"])
        return Row(try part.whole("sum", in: 0...1000), try part.number("score", in: -1000...1000))
      }
    } catch { throw BundleError(file, error) }
    do throws(Fault) { try self.init(rows, of: instrument) } catch {
      throw BundleError(
        file, place: (error.row.map { "scores[\($0)]" }) ?? "scores", found: error.found,
        expected: error.expected, remedy: "copy the makers' table again")
    }
  }
}

extension StudyBundle {
  /// The site's table of an instrument; nil where it needs none, or there is none.
  ///
  /// - Throws: ``BundleError`` for one that is no table of the instrument.
  static func table(of entry: StudyInstrument, _ content: BundleContent) throws(BundleError) -> ScoreTable?
  {
    guard let file = entry.table, let bytes = content[file], let instrument = entry.instrument else {
      return nil
    }
    return try ScoreTable(bytes, file, of: instrument)
  }

  /// Tables that are needed and not there, and those that nothing needs.
  var tableFindings: [StudyFinding] {
    study.instruments.enumerated().compactMap { index, entry in
      guard let instrument = entry.instrument, questionnaires[entry.questionnaire] != nil else {
        return nil
      }
      if let file = entry.table, content[file] == nil {
        return StudyFinding(
          .file, Study.file, "instruments[\(index)].table", "there is no \(file)",
          remedy: "add the site's licensed table, or correct the path")
      }
      guard instrument.tabulated != nil, entry.table == nil else { return nil }
      return StudyFinding.warning(
        .licence, Study.file, "instruments[\(index)]",
        "\(instrument.name) is asked and has no score, because its table is not in the bundle",
        remedy: "put the site's licensed table there, and name it as \"table\"")
    }
  }
}
