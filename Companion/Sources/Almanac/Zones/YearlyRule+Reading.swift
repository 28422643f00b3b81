extension YearlyRule {
  /// Reads the footer of a TZif file; nil when it is not of that form.
  init?(_ text: String) {
    var scanner = Scanner(Array(text.utf8))
    guard let name = scanner.name(), let west = scanner.time(atMost: 24) else { return nil }
    standard = ZoneOffset(seconds: -west, isDaylightSaving: false, abbreviation: name)
    guard !scanner.isAtEnd else {
      saving = nil
      return
    }
    guard let savingName = scanner.name() else { return nil }
    var east = standard.seconds + 3600
    if scanner.next != UInt8(ascii: ",") {
      guard let west = scanner.time(atMost: 24) else { return nil }
      east = -west
    }
    guard scanner.take(","), let begins = scanner.change(), scanner.take(","), let ends = scanner.change(),
      scanner.isAtEnd
    else { return nil }
    let offset = ZoneOffset(seconds: east, isDaylightSaving: true, abbreviation: savingName)
    saving = Saving(offset: offset, begins: begins, ends: ends)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[place] }

    mutating func take(_ letter: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: letter) else { return false }
      place += 1
      return true
    }

    private mutating func run(_ belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
      let begin = place
      while let byte = next, belongs(byte) { place += 1 }
      return bytes[begin..<place]
    }

    /// Three letters or more, or anything of letters, digits and signs in angle brackets.
    mutating func name() -> String? {
      let isQuoted = take("<")
      let letters = run { byte in
        (65...90).contains(byte) || (97...122).contains(byte)
          || (isQuoted
            && ((48...57).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")))
      }
      guard letters.count >= 3, !isQuoted || take(">") else { return nil }
      return String(decoding: letters, as: UTF8.self)
    }

    mutating func number(atMost most: Int) -> Int? {
      let digits = run { (48...57).contains($0) }
      guard 1...3 ~= digits.count, let value = Int(String(decoding: digits, as: UTF8.self)), value <= most
      else { return nil }
      return value
    }

    /// `[+-]hh[:mm[:ss]]`, s.
    mutating func time(atMost hours: Int) -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hour = number(atMost: hours) else { return nil }
      var total = hour * 3600
      if take(":") {
        guard let minute = number(atMost: 59) else { return nil }
        total += minute * 60
        if take(":") {
          guard let second = number(atMost: 59) else { return nil }
          total += second
        }
      }
      return isNegative ? -total : total
    }

    /// `M10.5.0/3`, `J59`, `300/-2`. Times to a week each way (RFC 9636).
    mutating func change() -> Change? {
      let day: Change.Day
      if take("M") {
        guard let month = number(atMost: 12), month > 0, take("."), let week = number(atMost: 5), week > 0,
          take("."), let weekday = number(atMost: 6)
        else { return nil }
        day = .weekday(month: month, week: week, weekday: weekday)
      } else if take("J") {
        guard let number = number(atMost: 365), number > 0 else { return nil }
        day = .withoutLeapDay(number)
      } else {
        guard let number = number(atMost: 365) else { return nil }
        day = .withLeapDay(number)
      }
      guard take("/") else { return Change(day: day, time: 7200) }
      guard let time = time(atMost: 167) else { return nil }
      return Change(day: day, time: time)
    }
  }
}
