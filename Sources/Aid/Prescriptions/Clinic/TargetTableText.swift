import Acoustics
import Base
import Fitting

/// Targets of a licensed tool (NAL-NL2, DSL v5) as a table of comma-separated values.
///
/// A first line `ear,frequency,gain50,gain65,gain80,maximum-output`, then one line for each ear and
/// frequency: Hz, insertion gain in dB for speech at 50, 65 and 80 dB SPL, and the greatest output in dB
/// SPL, which may be left empty. `both` means either ear.
package enum TargetTableText {
  static let header = "ear,frequency,gain50,gain65,gain80,maximum-output"

  /// - Parameters:
  ///   - text: The whole file.
  ///   - name: The file's name, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the line.
  package static func tables(_ text: String, named name: String) throws(Failure) -> Binaural<TargetTable> {
    var points = Binaural<[TargetTable.Point]>(both: [])
    var isBegun = false
    let table: CSVTable
    do { table = try CSVTable(text) } catch {
      throw Failure(
        "\(name):\(error.line)", found: "a quotation mark missing or out of place",
        expected: "quotes around a whole field", exit: .badData)
    }
    for row in table.rows {
      let place = "\(name):\(row.line)"
      guard isBegun else {
        let found = row.fields.joined(separator: ",")
        guard found == header else {
          throw Failure(
            place, found: "\"\(found.prefix(60))\"", expected: "the line \(header)", exit: .badData)
        }
        isBegun = true
        continue
      }
      let (ears, point) = try Self.point(row.fields, place)
      for ear in ears { points[ear].append(point) }
    }
    return try Failure.saying(name, exit: .badData) {
      try points.map { try TargetTable(points: $0.sorted { $0.frequency < $1.frequency }) }
    }
  }

  private static func point(
    _ fields: [String], _ place: String
  ) throws(Failure) -> ([Ear], TargetTable.Point) {
    guard fields.count == 6 else {
      throw Failure(place, found: "\(fields.count) fields", expected: "6: \(header)", exit: .badData)
    }
    guard let ears = EarsText.ears(fields[0]) else {
      throw Failure(
        place, found: "ear \"\(fields[0].prefix(20))\"", expected: "left, right or both", exit: .badData)
    }
    func number(_ index: Int, _ expected: String) throws(Failure) -> Double {
      guard let number = NumberText.value(of: fields[index]) else {
        throw Failure(place, found: "\"\(fields[index].prefix(20))\"", expected: expected, exit: .badData)
      }
      return number
    }
    let frequency = try number(1, "a number")
    let gains = SpeechLevels(
      soft: try number(2, "a number"), ordinary: try number(3, "a number"),
      loud: try number(4, "a number"))
    let output = fields[5].isEmpty ? nil : SoundPressureLevel(try number(5, "a number or nothing"))
    return (ears, TargetTable.Point(frequency: frequency, gains: gains, maximumOutput: output))
  }
}
