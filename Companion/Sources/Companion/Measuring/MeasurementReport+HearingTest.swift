import Base
import Studies

extension MeasurementReport {
  /// Numbers of a hearing test: of each ear and frequency the threshold, or the reason why there is none.
  ///
  /// The masked threshold stands where there is one, as audiograms are read; one that could not be masked
  /// enough has a mark beside it. An aid's history leaves out frequencies that were not tested; a report
  /// without `thresholds` has the audiograms alone.
  static func thresholds(_ found: JSONValue) -> [MeasuredValue]? {
    guard let audiograms = found["audiograms"], case .array(let doubts)? = found["doubts"]?.content else {
      return nil
    }
    var searches: [Search] = []
    if case .array(let elements)? = found["thresholds"]?.content {
      searches = elements.compactMap { Search($0) }
    }
    var values: [MeasuredValue] = []
    for ear in ["right", "left"] {
      guard let points = Self.points(audiograms[ear]) else { return nil }
      let own = Dictionary(grouping: searches.filter { $0.ear == ear }) { $0.frequency }
      let untested = Set(Self.untested(ear, found))
      for frequency in untested.union(points.keys).union(own.keys).sorted() {
        values += numbers(
          "\(ear)_\(NumberText.exact(frequency))_hz", points[frequency], own[frequency] ?? [],
          isTested: !untested.contains(frequency))
      }
    }
    return values + [MeasuredValue("doubts", Double(doubts.count), "")]
  }

  private static func numbers(
    _ name: String, _ point: Point?, _ searches: [Search], isTested: Bool
  ) -> [MeasuredValue] {
    var values: [MeasuredValue] = []
    if let point, point.hasResponse {
      values.append(MeasuredValue(name, point.level, "dB HL"))
      let behind = searches.filter { !$0.isContradictory && $0.isMasked == point.isMasked }
      if !behind.isEmpty {
        values.append(MeasuredValue(name + "_or_below", behind.contains(where: \.isAtFloor) ? 1 : 0, ""))
      }
      if !point.isMasked, searches.contains(where: \.isInsufficientlyMasked) {
        values.append(MeasuredValue(name + "_insufficiently_masked", 1, ""))
      }
    } else if let point {
      values.append(MeasuredValue(name + "_no_response_up_to", point.level, "dB HL"))
    }
    if searches.contains(where: \.isContradictory) {
      values.append(MeasuredValue(name + "_contradictory", 1, ""))
    }
    if !isTested { values.append(MeasuredValue(name + "_not_tested", 1, "")) }
    return values
  }

  /// Point of an audiogram.
  private struct Point {
    /// dB HL.
    let level: Double
    let isMasked: Bool
    /// False: nothing was heard up to the level.
    let hasResponse: Bool
  }

  /// - Returns: By frequency, Hz; nil for what is no audiogram.
  private static func points(_ audiogram: JSONValue?) -> [Double: Point]? {
    guard case .array(let elements)? = audiogram?.content else { return nil }
    var points: [Double: Point] = [:]
    for element in elements where element.text("conduction") != "bone" {
      guard let frequency = element.number("frequency"), let level = element.number("threshold") else {
        return nil
      }
      let isMasked = element.flag("masked") == 1
      if let former = points[frequency], former.isMasked, !isMasked { continue }
      points[frequency] = Point(
        level: level, isMasked: isMasked, hasResponse: element.flag("has_response") != 0)
    }
    return points
  }

  /// Search for a threshold.
  private struct Search {
    let ear: String
    /// Hz.
    let frequency: Double
    /// True: it ended without a level.
    let isContradictory: Bool
    /// True: the softest tone of the device was heard.
    let isAtFloor: Bool
    /// True: noise kept the other ear from hearing the tone.
    let isMasked: Bool
    /// True: the other ear may have heard the tone in spite of the loudest noise that may be played.
    let isInsufficientlyMasked: Bool

    init?(_ json: JSONValue) {
      guard let ear = json.text("ear"), let frequency = json.number("frequency") else { return nil }
      (self.ear, self.frequency) = (ear, frequency)
      isContradictory = json.number("level") == nil
      isAtFloor = json.flag("at_floor") == 1
      isInsufficientlyMasked = json.flag("insufficiently_masked") == 1
      isMasked = json.number("noise") != nil && !isInsufficientlyMasked
    }
  }

  /// Frequencies that no tone could be played at, Hz: of each ear a list in the report's `unreached`.
  private static func untested(_ ear: String, _ found: JSONValue) -> [Double] {
    guard case .array(let elements)? = found["unreached"]?.content else { return [] }
    return elements.flatMap { element -> [Double] in
      if case .text(let sentence) = element.content { return untested(ear, inWords: sentence) }
      return element.text("ear") == ear ? element.numbers("frequencies") ?? [] : []
    }
  }

  /// The same of a sentence, as aids of schema 100 write it: "The right ear was not tested at 125, 250 and
  /// 8000 Hz, where the calibration or a limit lets no tone through."
  private static func untested(_ ear: String, inWords sentence: String) -> [Double] {
    let beginning = "The \(ear) ear was not tested at "
    guard sentence.hasPrefix(beginning) else { return [] }
    let list = sentence.dropFirst(beginning.count).split(separator: " ").prefix { !$0.hasPrefix("Hz") }
    return list.compactMap { word -> Double? in
      guard let number = Double(word.hasSuffix(",") ? word.dropLast() : word), number.isFinite else {
        return nil
      }
      return number
    }
  }
}
