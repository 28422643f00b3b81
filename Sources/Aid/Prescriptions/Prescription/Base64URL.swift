import FoundationEssentials

/// Base64 with the alphabet for addresses and without padding (RFC 4648 section 5), in its one canonical
/// form.
package enum Base64URL {
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: characters(of: Data(bytes)), as: UTF8.self)
  }

  /// Nil for any text that ``text(_:)`` does not write: a foreign character, padding, an impossible length,
  /// or set bits after the last byte, through which one content would have several texts.
  package static func bytes(_ characters: some Collection<UInt8>) -> [UInt8]? {
    let padding = repeatElement(UInt8(ascii: "="), count: -characters.count & 3)
    guard let bytes = Data(base64Encoded: Data(characters.map(exchanged) + padding)),
      self.characters(of: bytes).elementsEqual(characters)
    else { return nil }
    return Array(bytes)
  }

  private static func characters(of bytes: Data) -> [UInt8] {
    let padded = bytes.base64EncodedData().map(exchanged)
    return Array(padded.prefix { $0 != UInt8(ascii: "=") })
  }

  /// The character that the other alphabet has in this one's place: `+` and `/` are `-` and `_` in addresses.
  private static func exchanged(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: character
    }
  }
}
