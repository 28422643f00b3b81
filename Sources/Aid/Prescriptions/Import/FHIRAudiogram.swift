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

  /// - Throws: ``PrescriptionError`` with the place.
  package init(parsing text: String) throws(PrescriptionError) {
    guard text.utf8.count <= Self.greatestSize else {
      throw .audiogramTooLarge(size: text.utf8.count, limit: Self.greatestSize)
    }
    do {
      let place = JSONPlace(try JSONValue(Array(text.utf8)))
      var reader = FHIRThresholdReader()
      try reader.read(try FHIRResources(place))
      ears = Binaural(left: try reader.audiogram(.left), right: try reader.audiogram(.right))
    } catch let error as JSONError {
      throw .notJSON(offset: error.position.offset, reason: error.words)
    } catch PrescriptionError.invalidContent(let place, let reason) {
      throw .invalidAudiogram(place: place, reason: reason)
    } catch { throw .invalidAudiogram(place: "the content", reason: "\(error)") }
    if ears.left.points.isEmpty, ears.right.points.isEmpty { throw .noThresholds }
  }
}

/// The Observations of a FHIR text, and how they refer to each other.
struct FHIRResources {
  struct Observation {
    let place: JSONPlace
    let members: JSONMembers
    /// By which others may refer to it.
    let addresses: [String]
  }

  private(set) var observations: [Observation] = []

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(_ place: JSONPlace) throws(PrescriptionError) {
    let members = try place.anyMembers()
    switch try members("resourceType").text() {
    case "Observation": try add(members, fullURL: nil)
    case "Bundle":
      guard let entries = members.optional("entry") else { throw place.failure("a Bundle without entries") }
      for entry in try entries.elements(1...Self.greatestCount) {
        let entry = try entry.anyMembers()
        guard let resource = entry.optional("resource") else { continue }
        let members = try resource.anyMembers()
        guard try members("resourceType").text() == "Observation" else { continue }
        try add(members, fullURL: try entry.optional("fullUrl")?.text())
      }
    case let type:
      throw place.failure("found a \(PrintableText.short(type)), expected an Observation or a Bundle")
    }
  }

  /// A hundred frequencies for each ear are more than any audiometer has.
  private static let greatestCount = 1000

  private mutating func add(_ members: JSONMembers, fullURL: String?) throws(PrescriptionError) {
    var addresses = [fullURL].compactMap { $0 }
    if let id = try members.optional("id")?.text() { addresses.append("Observation/" + id) }
    observations.append(Observation(place: members.place, members: members, addresses: addresses))
    guard let contained = members.optional("contained") else { return }
    for resource in try contained.elements(0...Self.greatestCount) {
      let inner = try resource.anyMembers()
      guard try inner("resourceType").text() == "Observation" else { continue }
      let id = try inner("id").text()
      observations.append(Observation(place: resource, members: inner, addresses: ["#" + id]))
    }
  }

  /// The Observation to which a panel's `hasMember` refers.
  func observation(_ reference: JSONPlace) throws(PrescriptionError) -> Observation {
    let target = try reference.anyMembers()("reference")
    let text = try target.text()
    let found = observations.filter { observation in
      // `Observation/7` also means the one whose full address ends in it.
      observation.addresses.contains { $0 == text || $0.hasSuffix("/" + text) }
    }
    guard found.count == 1 else {
      throw target.failure(
        "\(found.isEmpty ? "no" : "more than one") Observation here has the address"
          + " \"\(PrintableText.short(text))\", expected one")
    }
    return found[0]
  }
}
