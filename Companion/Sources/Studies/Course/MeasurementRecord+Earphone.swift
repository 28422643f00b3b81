extension MeasurementRecord {
  /// Model of the earphone, without ALSA's name of the device and without a Bluetooth address; nil where nothing is
  /// left. Earlier versions kept both.
  public var earphone: String? {
    let name = Self.earphone(device)
    return name.isEmpty ? nil : name
  }

  /// The same of a calibration's device as the aid tells it: of
  /// `bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp (AirPods Pro)` it is `AirPods Pro`.
  ///
  /// Of its own result it is the same again: what is kept so leaves as it is. Of more than 1000 bytes it is empty.
  public static func earphone(_ device: String) -> String {
    guard device.utf8.count <= longestDevice else { return "" }
    var model = device[...]
    while true {
      let word = model.prefix { $0 != " " }
      let rest = model[word.endIndex...].drop { $0 == " " }
      guard isALSAName(word, before: rest) else { return withoutAddresses(model) }
      // Words that somebody has written in brackets may begin with such a name too.
      model = rest.hasPrefix("(") && rest.hasSuffix(")") ? rest.dropFirst().dropLast() : rest
    }
  }

  /// Bytes of the longest device of which the model is told (own choice): a row of a server may have any text.
  private static let longestDevice = 1000

  /// True for a first word with a colon, alone or before brackets, as the aid writes ALSA's name, and for one such as
  /// `hw:1` before other words, as somebody may have written it. In `Maker: HD 600` it is a part of the model.
  private static func isALSAName(_ word: Substring, before rest: Substring) -> Bool {
    guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return false }
    guard !rest.isEmpty, !rest.hasPrefix("(") else { return true }
    let isLower = word[..<colon].utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == 95
    }
    return isLower && word.index(after: colon) < word.endIndex
  }

  private static func withoutAddresses(_ words: Substring) -> String {
    words.split(separator: " ", omittingEmptySubsequences: false).map { hasAddress($0) ? "…" : String($0) }
      .joined(separator: " ")
  }

  /// Letters of a Bluetooth address: six pairs of hexadecimal digits with a sign between each.
  private static let addressLength = 17

  /// True for a Bluetooth address, also within a longer name, by `:`, or by `_` or `-` as sound servers write it.
  private static func hasAddress(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    guard bytes.count >= addressLength else { return false }
    return (0...bytes.count - addressLength).contains { start in
      let sign = bytes[start + 2]
      return ":_-".utf8.contains(sign)
        && (0..<addressLength).allSatisfy { place in
          place % 3 == 2 ? bytes[start + place] == sign : isDigit(bytes[start + place])
        }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
  }
}
