/// Base64 with the alphabet for addresses and without padding (RFC 4648 section 5), in its one canonical form.
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var characters: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        characters.append(alphabet[Int(pending >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { characters.append(alphabet[Int(pending << UInt32(6 - bits) & 63)]) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Nil for any text that ``text(_:)`` does not write: a foreign character, padding, an impossible length,
  /// or set bits after the last byte, through which one content would have several texts.
  static func bytes(_ characters: some Collection<UInt8>) -> [UInt8]? {
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count * 3 / 4)
    var pending: UInt32 = 0
    var bits = 0
    for character in characters {
      guard let value = values[Int(character)] else { return nil }
      pending = (pending << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
      }
    }
    guard pending & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }
}
