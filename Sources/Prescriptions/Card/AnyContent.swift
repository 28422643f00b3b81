import Crypto

// What trials of hostile cards need, and nobody outside this package has: cards that are bad behind a good
// signature.

extension ClinicKey {
  /// A JWS of any header and packed content.
  package func jws(header: [UInt8], packed: [UInt8]) throws(CardError) -> String {
    let signed = Base64URL.text(header) + "." + Base64URL.text(packed)
    do {
      let signature = try key.signature(for: Array(signed.utf8))
      return signed + "." + Base64URL.text(signature.rawRepresentation)
    } catch { throw .signingFailed(reason: "\(error)") }
  }
}

extension CardText {
  /// The three parts of a well-formed JWS as bytes, the second one packed.
  package var parts: [[UInt8]] {
    jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      Base64URL.bytes($0) ?? []
    }
  }

  /// The content of a well-formed JWS, unpacked.
  package func content() throws(CardError) -> [UInt8] {
    try Deflate.unpacked(parts[1], limit: Card.greatestContentSize)
  }
}
