import Base
import Studies

/// Parts of a measurement as the database keeps them: JSON, the same for the same values.
enum MeasurementText {
  static func settings(_ settings: [String: Double]) -> String {
    JSONValue.object(
      settings.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .number($0.value)) }
    ).minified
  }

  /// Nil for what the other does not write.
  static func settings(_ text: String) -> [String: Double]? {
    guard case .object(let members)? = read(text) else { return nil }
    var settings: [String: Double] = [:]
    for member in members {
      guard case .number(let number) = member.value.content else { return nil }
      settings[member.key] = number
    }
    return settings
  }

  static func values(_ values: [MeasuredValue]) -> String {
    JSONValue.array(
      values.map { ["name": .text($0.name), "value": .number($0.value), "unit": .text($0.unit)] }
    ).minified
  }

  static func values(_ text: String) -> [MeasuredValue]? {
    guard case .array(let elements)? = read(text) else { return nil }
    let values = elements.compactMap { element -> MeasuredValue? in
      guard let name = Self.text(element, "name"), case .number(let number)? = element["value"]?.content,
        let unit = Self.text(element, "unit")
      else { return nil }
      return MeasuredValue(name, number, unit)
    }
    return values.count == elements.count ? values : nil
  }

  static func record(_ record: MeasurementRecord) -> String {
    let json: JSONValue = [
      "id": .text(record.id), "device": .text(record.device), "calibration": .text(record.calibration),
      "program": .text(record.program), "report": .text(record.report),
    ]
    return json.minified
  }

  static func record(_ text: String) -> MeasurementRecord? {
    guard let json = try? JSONValue(Array(text.utf8)), let id = Self.text(json, "id"),
      let device = Self.text(json, "device"), let calibration = Self.text(json, "calibration"),
      let program = Self.text(json, "program"), let report = Self.text(json, "report")
    else { return nil }
    return MeasurementRecord(
      id: id, device: device, calibration: calibration, program: program, report: report)
  }

  private static func read(_ text: String) -> JSONValue.Content? {
    (try? JSONValue(Array(text.utf8)))?.content
  }

  private static func text(_ json: JSONValue, _ key: String) -> String? {
    if case .text(let text)? = json[key]?.content { text } else { nil }
  }
}
