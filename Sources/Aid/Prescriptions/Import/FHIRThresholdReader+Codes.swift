import Acoustics
import Base

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
