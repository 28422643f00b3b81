import Crypto

/// A key for one purpose: what it seals or tags is nothing to a key for another one.
public struct DerivedKey: Sendable {
  private let key: SymmetricKey

  init(_ key: SymmetricKey) { self.key = key }

  /// Derives by HKDF (RFC 5869).
  init(_ purpose: String, of key: SymmetricKey, salt: [UInt8]) {
    self.key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8), outputByteCount: SealingKey.size)
  }

  /// AES-256-GCM, nonce · ciphertext · tag. A random nonce is safe for 2³² calls (NIST SP 800-38D, 8.3).
  ///
  /// - Parameter place: Authenticated along with it; it opens with the same one only.
  public func seal(_ bytes: [UInt8], bound place: [UInt8]) throws(SealingError) -> [UInt8] {
    do {
      let box = try AES.GCM.seal(bytes, using: key, authenticating: place)
      return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    } catch {
      throw .inputOutput(path: "AES-GCM", reason: "\(error)")
    }
  }

  /// Nil for what was not sealed with this key for this place, or was altered.
  public func open(_ sealed: [UInt8], bound place: [UInt8]) -> [UInt8]? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let bytes = try? AES.GCM.open(box, using: key, authenticating: place)
    else { return nil }
    return Array(bytes)
  }

  /// A tag that only the key's holder can make (HMAC-SHA256), 32 bytes.
  public func tag(_ bytes: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
  }

  /// True for the tag that ``tag(_:)`` makes of the bytes; compared in constant time.
  public func isTag(_ tag: [UInt8], of bytes: [UInt8]) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: bytes, using: key)
  }
}

extension FixedWidthInteger {
  /// Most significant byte first.
  package var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
