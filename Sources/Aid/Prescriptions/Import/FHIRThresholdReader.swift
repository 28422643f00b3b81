import Acoustics
import Base

/// Gathers the thresholds of a FHIR text's Observations.
struct FHIRThresholdReader {
  private var points: [Ear: [(point: Audiogram.Point, place: JSONPlace)]] = [:]

  /// Results that hold; a preliminary one is not prescribed by.
  private static let statuses = ["final", "amended", "corrected"]

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  mutating func read(_ resources: FHIRResources) throws(PrescriptionError) {
    var panels: [FHIRResources.Observation] = []
    for observation in resources.observations
    where try Self.codes(observation.members).contains(where: \.isPanel) {
      panels.append(observation)
    }
    guard !panels.isEmpty else {
      for observation in resources.observations { try read(observation.members, isRequired: false) }
      return
    }
    try Self.checkMoment(panels)
    for panel in panels {
      try Self.checkStatus(panel.members)
      try readComponents(panel.members, isRequired: true)
      guard let list = panel.members.optional("hasMember") else { continue }
      for reference in try list.elements(1...400) {
        try read(try resources.observation(reference).members, isRequired: true)
      }
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
  private static func checkMoment(_ panels: [FHIRResources.Observation]) throws(PrescriptionError) {
    func moment(_ panel: FHIRResources.Observation) -> [JSONValue?] {
      ["effectiveDateTime", "effectivePeriod"].map { panel.members.optional($0)?.value }
    }
    for panel in panels.dropFirst() where moment(panel) != moment(panels[0]) {
      throw panel.place.failure("found a second panel of another time, expected one audiogram")
    }
  }

  private static func checkStatus(_ members: JSONMembers) throws(PrescriptionError) {
    let status = try members("status")
    guard Self.statuses.contains(try status.text()) else {
      throw status.failure("found \"\(PrintableText.short(try status.text()))\", expected a final result")
    }
  }

  /// - Parameter isRequired: True where anything other than a threshold is an error.
  private mutating func read(_ members: JSONMembers, isRequired: Bool) throws(PrescriptionError) {
    let code = try Self.threshold(members)
    let hasComponents = members.optional("component") != nil
    guard code != nil || hasComponents else {
      guard !isRequired else {
        throw members.place.failure("found a member of the panel that is no hearing threshold known here")
      }
      return
    }
    if let code {
      try Self.checkStatus(members)
      try add(code.ear, code.conduction, Double(code.frequency), members, members)
    } else {
      try readComponents(members, isRequired: isRequired)
    }
  }

  private mutating func readComponents(_ members: JSONMembers, isRequired: Bool) throws(PrescriptionError) {
    guard let list = members.optional("component") else { return }
    var sensitivities: [(ear: Ear, members: JSONMembers)] = []
    var frequency: Double?
    for component in try list.elements(1...400) {
      let component = try component.anyMembers()
      if let code = try Self.threshold(component) {
        try Self.checkStatus(members)
        try add(code.ear, code.conduction, Double(code.frequency), component, members)
        continue
      }
      switch try Self.sensitivityCode(component) {
      case "frequency":
        guard frequency == nil else { throw component.place.failure("a second frequency") }
        frequency = try Self.quantity(component, units: ["Hz"]).value
      case "leftEarSensitivity": sensitivities.append((.left, component))
      case "rightEarSensitivity": sensitivities.append((.right, component))
      default:
        if isRequired {
          throw component.place.failure("found a component that is no hearing threshold known here")
        }
      }
    }
    guard !sensitivities.isEmpty else { return }
    try Self.checkStatus(members)
    guard let frequency, (1...20_000).contains(frequency) else {
      throw list.failure("found sensitivities without a frequency")
    }
    for (ear, component) in sensitivities {
      try add(ear, .air, frequency, component, members)
    }
  }

  /// - Parameter observation: The one that `members` are of, or are a component of.
  private mutating func add(
    _ ear: Ear, _ conduction: Conduction, _ frequency: Double, _ members: JSONMembers,
    _ observation: JSONMembers
  ) throws(PrescriptionError) {
    if members.optional("valueQuantity") == nil, members.optional("dataAbsentReason") != nil { return }
    if let side = try Self.side(observation), side != ear {
      throw members.place.failure(
        "the code is of the \(ear.rawValue) ear, bodySite of the \(side.rawValue) one")
    }
    let quantity = try Self.quantity(members, units: ["dB", "dB HL", "dBHL", "dB(HL)"])
    let hasResponse: Bool
    switch quantity.comparator {
    case nil: hasResponse = true
    case ">", ">=": hasResponse = false
    default: throw members.place.failure("found a comparator other than > and >=: that is no threshold")
    }
    let point = Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(quantity.value), conduction: conduction,
      isMasked: try Self.isMasked(members), hasResponse: hasResponse)
    points[ear, default: []].append((point, members.place))
  }
}

extension FHIRThresholdReader {
  struct Code {
    let system: String?
    let code: String

    var isPanel: Bool { system == ThresholdCode.loincSystem && code == ThresholdCode.panel }
  }

  /// The codings of an Observation's or a component's `code`.
  static func codes(_ members: JSONMembers) throws(PrescriptionError) -> [Code] {
    guard let list = try members("code").anyMembers().optional("coding") else { return [] }
    var codes: [Code] = []
    for coding in try list.elements(0...20) {
      let coding = try coding.anyMembers()
      guard let code = coding.optional("code") else { continue }
      codes.append(Code(system: try coding.optional("system")?.text(), code: try code.text()))
    }
    return codes
  }

  /// The threshold that a `code` is of, nil when it is of none.
  static func threshold(_ members: JSONMembers) throws(PrescriptionError) -> ThresholdCode? {
    var found: Set<ThresholdCode> = []
    for code in try codes(members) where code.system == ThresholdCode.loincSystem {
      if let threshold = ThresholdCode(loincCode: code.code) { found.insert(threshold) }
    }
    if found.isEmpty, let words = try members("code").anyMembers().optional("text") {
      let text = try words.text()
      return try words.making { try ThresholdCode(words: text) }
    }
    guard found.count <= 1 else { throw members.place.failure("found codes of two different thresholds") }
    return found.first
  }

  /// A code of HL7's Personal Health Record Format. Its drafts differ in the address before the name.
  static func sensitivityCode(_ members: JSONMembers) throws(PrescriptionError) -> String? {
    try codes(members).first { $0.system?.hasSuffix("/hearing-sensitivity-codes") == true }?.code
  }

  /// The ear that `bodySite` names in words, nil when it names none.
  static func side(_ members: JSONMembers) throws(PrescriptionError) -> Ear? {
    guard let site = members.optional("bodySite") else { return nil }
    let concept = try site.anyMembers()
    var words: [String] = []
    if let text = concept.optional("text") { words.append(try text.text()) }
    if let list = concept.optional("coding") {
      for coding in try list.elements(0...20) {
        if let display = try coding.anyMembers().optional("display") { words.append(try display.text()) }
      }
    }
    let said = Set(words.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
    let named = Ear.allCases.filter { said.contains($0.rawValue) }
    guard named.count <= 1 else { throw site.failure("found both ears named, expected one") }
    return named.first
  }

  /// Value and comparator of a `valueQuantity` in one of these units; the first is the UCUM code.
  static func quantity(
    _ members: JSONMembers, units: [String]
  ) throws(PrescriptionError) -> (value: Double, comparator: String?) {
    let quantity = try members("valueQuantity").anyMembers()
    let expected = "expected \(units[0])"
    if let code = quantity.optional("code"), try code.text() != units[0] {
      throw code.failure("found the unit \"\(PrintableText.short(try code.text()))\", \(expected)")
    }
    if let unit = quantity.optional("unit"), !units.contains(try unit.text()) {
      throw unit.failure("found the unit \"\(PrintableText.short(try unit.text()))\", \(expected)")
    }
    guard quantity.optional("code") != nil || quantity.optional("unit") != nil else {
      throw quantity.place.failure("found a value without a unit, \(expected)")
    }
    return (try quantity("value").number(), try quantity.optional("comparator")?.text())
  }

  /// True when the other ear was masked, as this project's bundles state it.
  static func isMasked(_ members: JSONMembers) throws(PrescriptionError) -> Bool {
    guard let list = members.optional("extension") else { return false }
    for element in try list.elements(0...50) {
      let element = try element.anyMembers()
      guard try element("url").text() == BundleVocabulary.masked else { continue }
      return try element("valueBoolean").value == .boolean(true)
    }
    return false
  }
}
