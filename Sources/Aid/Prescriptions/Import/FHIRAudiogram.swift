import Acoustics
import Base

/// An audiogram that another program wrote in FHIR R4: an Observation or a Bundle, JSON.
///
/// Read are thresholds under LOINC's codes of ear and frequency, as Observations of their own, as members
/// of a panel 89015-2, or as components; and HL7's Personal Health Record Format, whose members have the
/// components `frequency`, `leftEarSensitivity` and `rightEarSensitivity`. For what LOINC has no code for
/// the words of this project's own bundles are read, as `left air 125`.
///
/// Content not understood beside the thresholds is passed over, as FHIR asks for; a threshold that is not
/// understood is an error, and so is a panel's member that is no threshold. `dataAbsentReason` without a
/// value means that a frequency was not tested.
package struct FHIRAudiogram: Sendable, Hashable {
  /// Largest text read, bytes.
  package static let greatestSize = 1_048_576

  package let ears: Binaural<Audiogram>
  /// The people whom it names; usually one.
  package let subjects: Set<FHIRSubject>

  /// - Throws: ``PrescriptionError`` with the place.
  package init(parsing text: String) throws(PrescriptionError) {
    guard text.utf8.count <= Self.greatestSize else {
      throw .audiogramTooLarge(size: text.utf8.count, limit: Self.greatestSize)
    }
    do {
      var reader = FHIRThresholdReader()
      let content = JSONPlace(value: try JSONValue(Array(text.utf8)))
      let observations = try FHIRObservations(content)
      try reader.read(observations)
      subjects = FHIRSubject.all(in: content, observations.all)
      ears = try Binaural { try reader.audiogram($0) }
    } catch let error as JSONError {
      throw .notJSON(offset: error.position.offset, reason: error.words)
    } catch PrescriptionError.invalidContent(let place, let reason) {
      throw .invalidAudiogram(place: place, reason: reason)
    } catch { throw .invalidAudiogram(place: "the content", reason: "\(error)") }
    if ears.left.points.isEmpty, ears.right.points.isEmpty { throw .noThresholds }
  }
}

/// The Observations of a FHIR text, and how they refer to each other.
struct FHIRObservations {
  private(set) var all: [JSONPlace] = []
  /// Indices in ``all`` by the texts with which others may refer to them, in UTF-8: an address, and what stands behind each of
  /// its last slashes. Comparing bytes, each text once, takes time in proportion to the size of the file, whatever is in it;
  /// comparing texts of accented letters with each other does not.
  private var indices: [[UInt8]: [Int]] = [:]

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(_ place: JSONPlace) throws(PrescriptionError) {
    switch try place.object()("resourceType").text() {
    case "Observation": try add(place, fullURL: nil)
    case "Bundle":
      guard let entries = place.optional("entry") else { throw place.failure("a Bundle without entries") }
      for entry in try entries.elements(1...Self.greatestCount) {
        guard let resource = try entry.object().optional("resource"),
          try resource.object()("resourceType").text() == "Observation"
        else { continue }
        try add(resource, fullURL: try entry.optional("fullUrl")?.text())
      }
    case let type:
      throw place.failure("found a \(PrintableText.short(type)), expected an Observation or a Bundle")
    }
  }

  /// A hundred frequencies for each ear are more than any audiometer has.
  private static let greatestCount = 1000
  /// Slashes of an address behind which a reference may begin. Own choice: `Observation/7/_history/2`, the longest that FHIR
  /// has, begins behind the fourth from the end.
  private static let greatestDepth = 8

  private mutating func add(_ place: JSONPlace, fullURL: String?) throws(PrescriptionError) {
    let id = try place.optional("id")?.text()
    append(place, [fullURL, id.map { "Observation/" + $0 }].compactMap(\.self))
    for inner in try place.optional("contained")?.elements(0...Self.greatestCount) ?? []
    where try inner.object()("resourceType").text() == "Observation" {
      append(inner, ["#" + (try inner("id").text())])
    }
  }

  private mutating func append(_ place: JSONPlace, _ addresses: [String]) {
    var texts: Set<[UInt8]> = []
    for address in addresses {
      let bytes = Array(address.utf8)
      texts.insert(bytes)
      // `Observation/7` also means the one whose full address ends in it.
      var depth = 0
      for index in bytes.indices.reversed()
      where bytes[index] == UInt8(ascii: "/") && depth < Self.greatestDepth {
        texts.insert(Array(bytes[(index + 1)...]))
        depth += 1
      }
    }
    for text in texts { indices[text, default: []].append(all.count) }
    all.append(place)
  }

  /// The Observation to which a panel's `hasMember` refers.
  func referred(by reference: JSONPlace) throws(PrescriptionError) -> JSONPlace {
    let target = try reference.object()("reference")
    let text = try target.text()
    let found = indices[Array(text.utf8)] ?? []
    guard found.count == 1 else {
      throw target.failure(
        "\(found.isEmpty ? "no" : "more than one") Observation here has the address"
          + " \"\(PrintableText.short(text))\", expected one")
    }
    return all[found[0]]
  }
}
