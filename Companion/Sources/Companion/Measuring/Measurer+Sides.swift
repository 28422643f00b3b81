import Base
import Studies

extension Measurer {
  /// A side, or none where none is needed.
  struct Side {
    let known: TinnitusSide?
  }

  /// The side of the last match of the study, or as the person says it.
  ///
  /// - Returns: Nil where the person stops.
  func side(for kind: TaskKind.Key, of part: Part) throws(Failure) -> Side? {
    guard kind != TaskKind.hearingTest.key else { return Side(known: nil) }
    if let former = former(of: part) { return Side(known: former) }
    guard let side = try choice("On which side do you hear your tinnitus?", TinnitusSide.sides) else {
      return nil
    }
    guard TinnitusSide.needsEar(side) else { return Side(known: TinnitusSide(side: side, ear: nil)) }
    guard let ear = try choice("Which ear hears better?", TinnitusSide.ears) else { return nil }
    return Side(known: TinnitusSide(side: side, ear: ear))
  }

  private func former(of part: Part) -> TinnitusSide? {
    for run in part.measurements.reversed() {
      guard case .measured(_, let record)? = run.end?.outcome,
        let json = try? JSONValue(Array(record.report.utf8)),
        let report = MeasurementReport(json, record.report, of: run.kind), let side = report.side
      else { continue }
      // The ear must be known where the side does not give it, as of a pitch match.
      if !TinnitusSide.needsEar(side.side) || side.ear != nil { return side }
    }
    return nil
  }

  private func choice(_ question: String, _ words: [String]) throws(Failure) -> String? {
    while let line = try person.ask("\(question) [\(words.joined(separator: ", "))] > ") {
      let text = line.trimmingSpaces.lowercased()
      if words.contains(text) { return text }
      if text == "q" { return nil }
      person.say("Found \"\(text)\"; expected \(words.joined(separator: ", ")).\n")
    }
    return nil
  }
}
