import Base

extension Prescription {
  /// Largest bundle read, bytes.
  package static let greatestBundleSize = 65_536

  /// The prescription as a FHIR R4 Bundle, JSON without white space, for other programs. It says more than
  /// the bundle on a card: clinic, issue and expiry too.
  package var fhirBundle: String { PrescriptionBundle.json(self, .file).minified }

  /// Reads a bundle that ``fhirBundle`` wrote. Nobody vouches for it: only a card is signed.
  ///
  /// - Throws: ``CardError/tooLarge(size:limit:)``, ``CardError/invalidContent(place:reason:)``,
  ///   ``CardError/earsSwapped(place:)``.
  package init(fhirBundle text: String) throws(CardError) {
    guard text.utf8.count <= Self.greatestBundleSize else {
      throw .tooLarge(size: text.utf8.count, limit: Self.greatestBundleSize)
    }
    do {
      self = try BundleReader.prescription(JSONPlace(try JSONValue(Array(text.utf8))), nil)
    } catch let error as JSONError {
      throw .invalidContent(place: "byte \(error.position.offset)", reason: error.words)
    } catch let error as CardError {
      throw error
    } catch { throw .invalidContent(place: "bundle", reason: "\(error)") }
  }
}
