import Base

/// The Observations of a FHIR text, and how they refer to each other.
struct FHIRResources {
  struct Observation {
    let place: JSONPlace
    let members: JSONMembers
    /// By which others may refer to it.
    let addresses: [String]
  }

  private(set) var observations: [Observation] = []

  /// - Throws: ``CardError/invalidContent(place:reason:)``.
  init(_ place: JSONPlace) throws(CardError) {
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

  private mutating func add(_ members: JSONMembers, fullURL: String?) throws(CardError) {
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

  /// What a panel's `hasMember` means.
  func observation(_ reference: JSONPlace) throws(CardError) -> Observation {
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
