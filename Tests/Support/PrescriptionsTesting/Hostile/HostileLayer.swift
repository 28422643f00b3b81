/// Where bytes enter: each layer is reached through good ones around it.
package enum HostileLayer: UInt8, Sendable, CaseIterable {
  /// What a QR code says.
  case text
  /// Header of a JWS, the signature right.
  case header
  /// Packed content, the signature right.
  case packed
  /// Content, packed and signed.
  case content
  /// A prescription's FHIR bundle, on a card whose signature is right.
  case bundle
  /// A FHIR audiogram of others, or a bundle as this project exports it.
  case audiogram
  /// A clinic's key file; the passphrase's key is not derived.
  case keyFile
}

/// What became of a payload.
package enum HostileOutcome: Sendable, Equatable {
  case accepted
  /// Refused, by the name of the refusal.
  case refused(String)
  /// A fault of the reader: what it is.
  case fault(String)
}
