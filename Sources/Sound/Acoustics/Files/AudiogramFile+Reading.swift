import Base

extension AudiogramFile {
  /// A group of points in an ear's object.
  struct Group: CaseIterable {
    let key: String
    let conduction: Conduction
    let isMasked: Bool

    static let allCases = [
      Group(key: "air", conduction: .air, isMasked: false),
      Group(key: "air-masked", conduction: .air, isMasked: true),
      Group(key: "bone", conduction: .bone, isMasked: false),
      Group(key: "bone-masked", conduction: .bone, isMasked: true),
    ]
  }

  /// Reads the text of a file.
  ///
  /// - Throws: ``AudiogramFileError`` for the first thing that is wrong.
  public init(parsing text: String) throws(AudiogramFileError) {
    let root: JSONValue
    do {
      root = try JSONValue(Array(text.utf8))
    } catch {
      throw AudiogramFileError(error)
    }
    guard case .object(let all) = root.content,
      all.first(where: { $0.key == "format" })?.value == .text(Self.format)
    else { throw AudiogramFileError(line: nil, reason: .notAnAudiogram) }
    let members = try Self.members(
      of: root, named: "file", allowed: ["format", "version", "name", "left", "right"])
    guard let version = members["version"] else {
      throw AudiogramFileError(line: nil, reason: .missingKey("version"))
    }
    guard case .number(let number) = version.content else {
      throw Self.wrongKind("version", version, expected: "the number \(Self.version)")
    }
    guard number == Double(Self.version) else {
      throw AudiogramFileError(line: version.position.line, reason: .unknownVersion(number))
    }
    name = ""
    if let given = members["name"] {
      guard case .text(let text) = given.content else {
        throw Self.wrongKind("name", given, expected: "a text")
      }
      name = text
    }
    ears = Binaural(
      left: try Self.ear(.left, in: members), right: try Self.ear(.right, in: members))
  }

  private static func ear(
    _ ear: Ear, in file: [String: JSONValue]
  ) throws(AudiogramFileError) -> Audiogram {
    guard let object = file[ear.rawValue] else {
      throw AudiogramFileError(line: nil, reason: .missingKey(ear.rawValue))
    }
    let groups = try members(of: object, named: ear.rawValue, allowed: Group.allCases.map(\.key))
    var points: [Audiogram.Point] = []
    for group in Group.allCases {
      guard let thresholds = groups[group.key] else { continue }
      guard case .object(let members) = thresholds.content else {
        throw wrongKind(group.key, thresholds, expected: "an object of thresholds by frequency")
      }
      for member in members {
        points.append(try point(member, group: group, ear: ear))
        // Checked one by one, so that the line is that of the bad point.
        do {
          _ = try Audiogram(points: points)
        } catch {
          throw AudiogramFileError(line: member.position.line, reason: .point(error, ear: ear))
        }
      }
    }
    return Audiogram(checked: points)
  }

  private static func point(
    _ member: JSONValue.Member, group: Group, ear: Ear
  ) throws(AudiogramFileError) -> Audiogram.Point {
    guard let frequency = Double(member.key) else {
      throw AudiogramFileError(line: member.position.line, reason: .notAFrequency(member.key, ear: ear))
    }
    var threshold = member.value
    var hasResponse = true
    if case .object = member.value.content {
      let fields = try members(of: member.value, named: member.key, allowed: ["threshold", "response"])
      guard let given = fields["threshold"] else {
        throw AudiogramFileError(line: member.position.line, reason: .missingKey("threshold"))
      }
      threshold = given
      if let response = fields["response"] {
        guard case .boolean(let answer) = response.content else {
          throw wrongKind("response", response, expected: "true or false")
        }
        hasResponse = answer
      }
    }
    guard case .number(let level) = threshold.content else {
      throw wrongKind(
        member.key, threshold, expected: "dB HL, or an object with \"threshold\" and \"response\"")
    }
    return Audiogram.Point(
      frequency: frequency, threshold: HearingLevel(level), conduction: group.conduction,
      isMasked: group.isMasked, hasResponse: hasResponse)
  }

  /// The members of an object, each key allowed.
  private static func members(
    of object: JSONValue, named name: String, allowed: [String]
  ) throws(AudiogramFileError) -> [String: JSONValue] {
    guard case .object(let members) = object.content else {
      throw wrongKind(name, object, expected: "an object")
    }
    var result: [String: JSONValue] = [:]
    for member in members {
      guard allowed.contains(member.key) else {
        let nearest = Spelling.nearest(to: member.key, among: allowed)
        throw AudiogramFileError(
          line: member.position.line, reason: .unknownKey(member.key, nearest: nearest))
      }
      result[member.key] = member.value
    }
    return result
  }

  private static func wrongKind(
    _ key: String, _ value: JSONValue, expected: String
  ) -> AudiogramFileError {
    AudiogramFileError(
      line: value.position.line, reason: .wrongKind(key: key, found: value.kind, expected: expected))
  }
}
