public import Prescriptions

/// A fingerprint as a person types or reads it: in groups, in either case, with spaces, hyphens or colons.
public struct FingerprintText: Sendable, Hashable {
  /// Hexadecimal digits in capitals, nothing else.
  public let digits: String

  public init(_ text: String) { digits = text.uppercased().filter { !" -:\t\n".contains($0) } }

  public init(_ fingerprint: KeyFingerprint) { self.init(fingerprint.grouped) }

  /// Whether this is the beginning of `fingerprint`, four digits at least.
  public func begins(_ fingerprint: KeyFingerprint) -> Bool {
    digits.count >= 4 && FingerprintText(fingerprint).digits.hasPrefix(digits)
  }
}
