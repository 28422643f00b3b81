import Acoustics
import Base

/// Gathers the thresholds of a FHIR text's Observations.
struct FHIRThresholdReader {
  private var points: [Ear: [(point: Audiogram.Point, place: JSONPlace)]] = [:]

  /// Day of the thresholds so far, as exactly as it was told; nil: it was not.
  private var day: String?

  /// Most members of all panels together: as many as both ears may have points.
  private static let greatestMemberCount = 2 * Audiogram.greatestPointCount

  /// Results that hold; a preliminary one is not prescribed by.
  private static let statuses = ["final", "amended", "corrected"]

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  mutating func read(_ observations: FHIRObservations) throws(PrescriptionError) {
    var panels: [JSONPlace] = []
    for place in observations.all
    where try Self.codes(place).contains(where: { $0 == (ThresholdCode.loincSystem, ThresholdCode.panel) })
    {
      panels.append(place)
    }
    if panels.isEmpty {
      for place in observations.all { try read(place, isRequired: false) }
    }
    try Self.checkMoment(panels)
    var held = Set(panels.map(\.path))
    for panel in panels {
      try Self.checkStatus(panel)
      try readComponents(panel, isRequired: true)
      for reference in try panel.optional("hasMember")?.elements(1...Self.greatestMemberCount) ?? [] {
        let member = try observations.referred(by: reference)
        // Each is read once, however many refer to it.
        guard held.insert(member.path).inserted else {
          throw reference.failure(
            "found a second reference to \(member.path), or one to a panel, expected each threshold once")
        }
        guard held.count - panels.count <= Self.greatestMemberCount else {
          throw reference.failure(
            "found more than \(Self.greatestMemberCount) members of panels, expected as many at most")
        }
        try read(member, isRequired: true)
      }
    }
    if !panels.isEmpty {
      try Self.checkLoose(observations.all.filter { !held.contains($0.path) })
    }
  }

  /// Thresholds beside a panel are of another audiogram, or the panel has lost them.
  private static func checkLoose(_ observations: [JSONPlace]) throws(PrescriptionError) {
    for observation in observations {
      // Without one, or of another kind, it holds no result that counts.
      guard let status = try? observation.optional("status")?.text(), statuses.contains(status) else {
        continue
      }
      var alone = FHIRThresholdReader()
      try alone.read(observation, isRequired: false)
      guard !alone.points.isEmpty else { continue }
      throw observation.failure(
        "found a threshold to which the panel does not refer, expected one audiogram: all thresholds in the panel, or no panel"
      )
    }
  }

  func audiogram(_ ear: Ear) throws(PrescriptionError) -> Audiogram {
    let found = points[ear] ?? []
    do { return try Audiogram(points: found.map(\.point)) } catch {
      // The first place at which the points up to it fail.
      for count in 1...max(1, found.count) {
        let isGood = (try? Audiogram(points: found.prefix(count).map(\.point))) != nil
        if !isGood, let last = found.prefix(count).last { throw last.place.failure("\(error)") }
      }
      throw .invalidContent(place: "\(ear.rawValue) ear", reason: "\(error)")
    }
  }

  /// Two audiograms of different days are not one.
  private static func checkMoment(_ panels: [JSONPlace]) throws(PrescriptionError) {
    func moment(_ panel: JSONPlace) -> [JSONValue?] {
      ["effectiveDateTime", "effectivePeriod"].map { panel.value[$0] }
    }
    for panel in panels.dropFirst() where moment(panel) != moment(panels[0]) {
      throw panel.failure("found a second panel of another time, expected one audiogram")
    }
  }

  /// The same where no panel holds the thresholds together; their times may differ by minutes.
  private mutating func checkDay(_ observation: JSONPlace) throws(PrescriptionError) {
    let period = try observation.optional("effectivePeriod")?.object().optional("start")
    guard let moment = observation.optional("effectiveDateTime") ?? period else { return }
    // A date is ASCII; ten characters of another text could be the whole of it.
    let own = String(decoding: try moment.text().utf8.prefix(10), as: UTF8.self)
    guard !own.isEmpty else { throw moment.failure("found an empty moment, expected a date") }
    let known = day ?? own
    // A date may be of a year or a month alone (FHIR, dateTime).
    guard own.hasPrefix(known) || known.hasPrefix(own) else {
      throw observation.failure(
        "found a threshold of \(PrintableText.short(own)) beside one of \(PrintableText.short(known)), expected one audiogram"
      )
    }
    // The more exact of both: two days of one month do not become one by a date of the month between them.
    day = own.count > known.count ? own : known
  }

  private static func checkStatus(_ observation: JSONPlace) throws(PrescriptionError) {
    let status = try observation("status")
    guard Self.statuses.contains(try status.text()) else {
      throw status.failure("found \"\(PrintableText.short(try status.text()))\", expected a final result")
    }
  }

  /// - Parameter isRequired: True where anything other than a threshold is an error.
  private mutating func read(_ observation: JSONPlace, isRequired: Bool) throws(PrescriptionError) {
    if let code = try Self.threshold(observation) {
      try add(code.ear, code.conduction, Double(code.frequency), observation, of: observation)
    } else if observation.optional("component") != nil {
      try readComponents(observation, isRequired: isRequired)
    } else if isRequired {
      throw observation.failure("found a member of the panel that is no hearing threshold known here")
    }
  }

  private mutating func readComponents(
    _ observation: JSONPlace, isRequired: Bool
  ) throws(PrescriptionError) {
    guard let list = observation.optional("component") else { return }
    var sensitivities: [(ear: Ear, component: JSONPlace)] = []
    var frequency: Double?
    for component in try list.elements(1...400) {
      if let code = try Self.threshold(try component.object()) {
        try add(code.ear, code.conduction, Double(code.frequency), component, of: observation)
        continue
      }
      switch try Self.sensitivityCode(component) {
      case "frequency":
        guard frequency == nil else { throw component.failure("a second frequency") }
        frequency = try Self.quantity(component, units: ["Hz"]).value
      case "leftEarSensitivity": sensitivities.append((.left, component))
      case "rightEarSensitivity": sensitivities.append((.right, component))
      default:
        if isRequired {
          throw component.failure("found a component that is no hearing threshold known here")
        }
      }
    }
    guard !sensitivities.isEmpty else { return }
    guard let frequency, (1...20_000).contains(frequency) else {
      throw list.failure("found sensitivities without a frequency")
    }
    for (ear, component) in sensitivities { try add(ear, .air, frequency, component, of: observation) }
  }

  /// - Parameter place: The observation, or a component of it.
  private mutating func add(
    _ ear: Ear, _ conduction: Conduction, _ frequency: Double, _ place: JSONPlace, of observation: JSONPlace
  ) throws(PrescriptionError) {
    try Self.checkStatus(observation)
    try checkDay(observation)
    if place.optional("valueQuantity") == nil, place.optional("dataAbsentReason") != nil { return }
    if let side = try Self.side(observation), side != ear {
      throw place.failure("the code is of the \(ear.rawValue) ear, bodySite of the \(side.rawValue) one")
    }
    let (value, comparator) = try Self.quantity(place, units: ["dB", "dB HL", "dBHL", "dB(HL)"])
    guard [nil, ">", ">="].contains(comparator) else {
      throw place.failure("found a comparator other than > and >=: that is no threshold")
    }
    let point = Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(value), conduction: conduction,
      isMasked: try Self.isMasked(place), hasResponse: comparator == nil)
    points[ear, default: []].append((point, place))
  }
}

extension FHIRThresholdReader {
  /// The codings of an Observation's or a component's `code`.
  static func codes(_ place: JSONPlace) throws(PrescriptionError) -> [(system: String?, code: String)] {
    var codes: [(system: String?, code: String)] = []
    for coding in try place("code").object().optional("coding")?.elements(0...20) ?? [] {
      guard let code = try coding.object().optional("code") else { continue }
      codes.append((try coding.optional("system")?.text(), try code.text()))
    }
    return codes
  }

  /// The threshold that a `code` is of, nil when it is of none.
  static func threshold(_ place: JSONPlace) throws(PrescriptionError) -> ThresholdCode? {
    let codes = try codes(place).filter { $0.system == ThresholdCode.loincSystem }
    let found = Set(codes.compactMap { ThresholdCode(loincCode: $0.code) })
    if found.isEmpty, let words = try place("code").object().optional("text") {
      let text = try words.text()
      return try words.making { try ThresholdCode(words: text) }
    }
    guard found.count <= 1 else { throw place.failure("found codes of two different thresholds") }
    return found.first
  }

  /// A code of HL7's Personal Health Record Format. Its drafts differ in the address before the name.
  static func sensitivityCode(_ place: JSONPlace) throws(PrescriptionError) -> String? {
    try codes(place).first { $0.system?.hasSuffix("/hearing-sensitivity-codes") == true }?.code
  }

  /// The ear that `bodySite` names in words, nil when it names none.
  static func side(_ place: JSONPlace) throws(PrescriptionError) -> Ear? {
    guard let site = place.optional("bodySite") else { return nil }
    var words = [try site.object().optional("text")?.text()]
    for coding in try site.optional("coding")?.elements(0...20) ?? [] {
      words.append(try coding.object().optional("display")?.text())
    }
    let said = Set(
      words.compactMap(\.self).flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
    let named = Ear.allCases.filter { said.contains($0.rawValue) }
    guard named.count <= 1 else { throw site.failure("found both ears named, expected one") }
    return named.first
  }

  /// Value and comparator of a `valueQuantity` in one of these units; the first is the UCUM code.
  static func quantity(
    _ place: JSONPlace, units: [String]
  ) throws(PrescriptionError) -> (value: Double, comparator: String?) {
    let quantity = try place("valueQuantity").object()
    let expected = "expected \(units[0])"
    let stated = [(quantity.optional("code"), [units[0]]), (quantity.optional("unit"), units)]
    for case (let unit?, let accepted) in stated where !accepted.contains(try unit.text()) {
      throw unit.failure("found the unit \"\(PrintableText.short(try unit.text()))\", \(expected)")
    }
    guard stated.contains(where: { $0.0 != nil }) else {
      throw quantity.failure("found a value without a unit, \(expected)")
    }
    return (try quantity("value").number(), try quantity.optional("comparator")?.text())
  }

  /// True when the other ear was masked, as this project's bundles state it.
  static func isMasked(_ place: JSONPlace) throws(PrescriptionError) -> Bool {
    for element in try place.optional("extension")?.elements(0...50) ?? []
    where try element.object()("url").text() == ThresholdObservation.masked {
      return try element("valueBoolean").value == true
    }
    return false
  }
}
