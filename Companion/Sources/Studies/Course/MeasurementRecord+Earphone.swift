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
  /// ALSA's name is the first word, where that has a colon behind a letter, as the aid writes it.
  public static func earphone(_ device: String) -> String {
    let word = device.prefix { $0 != " " }
    guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else {
      return withoutAddresses(device)
    }
    let name = device.drop { $0 != " " }.drop { $0 == " " }
    return withoutAddresses(
      String(name.hasPrefix("(") && name.hasSuffix(")") ? name.dropFirst().dropLast() : name))
  }

  private static func withoutAddresses(_ words: String) -> String {
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
