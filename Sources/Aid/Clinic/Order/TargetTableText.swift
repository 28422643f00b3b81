import Acoustics
import Base
import Control
import Fitting

/// Targets of a licensed tool (NAL-NL2, DSL v5) as a table of comma-separated values.
///
/// A first line `ear,frequency,gain50,gain65,gain80,maximum-output`, then one line for each ear and frequency:
/// Hz, insertion gain in dB for speech at 50, 65 and 80 dB SPL, and the greatest output in dB SPL, which may be
/// left empty. `both` means either ear.
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
    do throws(TargetTableError) {
      return Binaural(
        left: try TargetTable(points: points.left.sorted { $0.frequency < $1.frequency }),
        right: try TargetTable(points: points.right.sorted { $0.frequency < $1.frequency }))
    } catch {
      throw Failure(name, saying: "\(error)", exit: .badData)
    }
  }

  private static func point(
    _ fields: [String], _ place: String
  ) throws(Failure) -> ([Ear], TargetTable.Point) {
    guard fields.count == 6 else {
      throw Failure(place, found: "\(fields.count) fields", expected: "6: \(header)", exit: .badData)
    }
    let ears: [Ear]
    switch fields[0] {
    case "left": ears = [.left]
    case "right": ears = [.right]
    case "both": ears = [.left, .right]
    default:
      throw Failure(
        place, found: "ear \"\(fields[0].prefix(20))\"", expected: "left, right or both", exit: .badData)
    }
    var numbers: [Double] = []
    for field in fields[1...4] {
      guard let number = NumberText.value(of: field) else {
        throw Failure(place, found: "\"\(field.prefix(20))\"", expected: "a number", exit: .badData)
      }
      numbers.append(number)
    }
    var output: SoundPressureLevel?
    if !fields[5].isEmpty {
      guard let number = NumberText.value(of: fields[5]) else {
        throw Failure(
          place, found: "\"\(fields[5].prefix(20))\"", expected: "a number or nothing", exit: .badData)
      }
      output = SoundPressureLevel(number)
    }
    let gains = SpeechLevels(soft: numbers[1], ordinary: numbers[2], loud: numbers[3])
    return (ears, TargetTable.Point(frequency: numbers[0], gains: gains, maximumOutput: output))
  }
}
