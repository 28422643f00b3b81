/// Content of a file of the zone database, TZif version 2 or later (RFC 9636).
struct ZoneFile: Sendable, Hashable {
  /// In force before the first transition.
  let first: ZoneOffset
  /// In their order.
  let transitions: [ZoneTransition]
  /// For what comes after the last; nil: the last offset stays.
  let rule: YearlyRule?

  /// - Parameter name: For messages.
  /// - Throws: ``ZoneError/unusable(_:reason:)``.
  init(_ bytes: [UInt8], named name: String) throws(ZoneError) {
    var reader = Reader(bytes: bytes[...], name: name)
    let old = try reader.header()
    guard old.version >= UInt8(ascii: "2") else {
      throw reader.broken("it is of version 1, without years after 2037; expected version 2 or later")
    }
    try reader.skip(old.length(ofTime: 4))
    let header = try reader.header()
    guard header.typeCount > 0, header.letterCount > 0 else { throw reader.broken("it has no offsets") }
    let moments = try reader.numbers(header.transitionCount, bytes: 8)
    let kinds = try reader.take(header.transitionCount)
    let offsets = try reader.offsets(header)
    try reader.skip(header.leapCount * 12 + header.standardCount + header.universalCount)
    guard zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 }),
      kinds.allSatisfy({ Int($0) < offsets.count })
    else { throw reader.broken("its transitions are out of order or of an unknown kind") }
    first = offsets[0]
    transitions = zip(moments, kinds).map { ZoneTransition(seconds: $0, offset: offsets[Int($1)]) }
    let footer = try reader.footer()
    rule = footer.isEmpty ? nil : YearlyRule(footer)
    guard footer.isEmpty || rule != nil else {
      throw reader.broken("its rule \"\(footer)\" is not one of POSIX")
    }
  }

  private struct Header {
    let version: UInt8
    let universalCount, standardCount, leapCount, transitionCount, typeCount, letterCount: Int

    /// - Parameter time: Bytes of a moment.
    func length(ofTime time: Int) -> Int {
      transitionCount * (time + 1) + typeCount * 6 + letterCount + leapCount * (time + 4) + standardCount
        + universalCount
    }
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    let name: String

    func broken(_ reason: String) -> ZoneError { .unusable(name, reason: reason) }

    mutating func take(_ count: Int) throws(ZoneError) -> ArraySlice<UInt8> {
      guard bytes.count >= count else { throw broken("its file ends too early") }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    mutating func skip(_ count: Int) throws(ZoneError) { _ = try take(count) }

    /// Signed numbers, the most significant byte first.
    mutating func numbers(_ count: Int, bytes width: Int) throws(ZoneError) -> [Int] {
      let raw = Array(try take(count * width))
      return (0..<count).map { index in
        let start = raw[index * width] & 0x80 == 0 ? 0 : -1
        return raw[index * width..<(index + 1) * width].reduce(start) { $0 << 8 | Int($1) }
      }
    }

    mutating func header() throws(ZoneError) -> Header {
      guard try take(4).elementsEqual("TZif".utf8) else { throw broken("it is no file of a time zone") }
      let version = try take(1).first ?? 0
      try skip(15)
      let counts = try numbers(6, bytes: 4)
      // More than any zone has: 2000 transitions are two a year for a millennium.
      guard counts.allSatisfy({ 0...2000 ~= $0 }) else {
        throw broken("it has more transitions than any zone")
      }
      return Header(
        version: version, universalCount: counts[0], standardCount: counts[1], leapCount: counts[2],
        transitionCount: counts[3], typeCount: counts[4], letterCount: counts[5])
    }

    mutating func offsets(_ header: Header) throws(ZoneError) -> [ZoneOffset] {
      var kinds: [(seconds: Int, isSaving: Bool, letters: Int)] = []
      for _ in 0..<header.typeCount {
        let seconds = try numbers(1, bytes: 4)[0]
        let rest = Array(try take(2))
        // RFC 9636, 3.2: between -25 and 26 hours.
        guard -89_999...93_599 ~= seconds, rest[0] <= 1, Int(rest[1]) < header.letterCount else {
          throw broken("an offset of it is impossible")
        }
        kinds.append((seconds, rest[0] == 1, Int(rest[1])))
      }
      let letters = Array(try take(header.letterCount))
      return kinds.map { kind in
        let name = letters[kind.letters...].prefix { $0 != 0 }
        return ZoneOffset(
          seconds: kind.seconds, isDaylightSaving: kind.isSaving,
          abbreviation: String(decoding: name, as: UTF8.self))
      }
    }

    /// Text between two ends of line.
    mutating func footer() throws(ZoneError) -> String {
      let end = UInt8(ascii: "\n")
      guard try take(1).first == end, let last = bytes.firstIndex(of: end) else {
        throw broken("its rule for later years is missing")
      }
      return String(decoding: bytes[bytes.startIndex..<last], as: UTF8.self)
    }
  }
}
