import Base

/// A person whom a FHIR text is about, as far as it says.
package struct FHIRSubject: Sendable, Hashable {
  /// Every name, given names first.
  package let names: [String]
  /// As FHIR writes it: a year, a year and a month, or a day.
  package let birthDate: String?
  /// Numbers by which others know the person.
  package let identifiers: [String]

  /// "Bo Example, born 1960-01-31".
  package var words: String {
    let name = names.first ?? identifiers.first.map { "number " + $0 } ?? "a person without a name"
    return name + (birthDate.map { ", born " + $0 } ?? "")
  }

  /// True unless the text says that it is about somebody other than `patient`.
  ///
  /// A name that leaves out or adds a word, as a second given name or a title, is the same; the date of birth
  /// counts as far as it is stated. A person who is known by a reference alone has it among ``identifiers``.
  package func isSame(as patient: Patient) -> Bool {
    guard let given = patient.givenName, let family = patient.familyName, let birth = patient.birthDate
    else {
      return patient.reference.map(identifiers.contains) ?? false
    }
    let words = Self.words(of: given + " " + family)
    let hasName =
      names.isEmpty
      || names.contains {
        let own = Self.words(of: $0)
        return own.isSubset(of: words) || words.isSubset(of: own)
      }
    return hasName && birth.description.hasPrefix(birthDate?.prefix(10) ?? "")
  }

  private static func words(of name: String) -> Set<String> {
    Set(
      name.split { $0.isWhitespace || $0 == "-" || $0 == "," }.map {
        PatientIdentity.normalized(String($0))
      })
  }
}

extension FHIRSubject {
  /// The people of a text: every Patient of a Bundle and within an Observation; without any, the names that
  /// Observations display. What says nothing of a person, or cannot be read, is passed over.
  static func all(in text: JSONPlace, _ observations: [JSONPlace]) -> Set<FHIRSubject> {
    let resources = elements(text, "entry").compactMap { $0.optional("resource") }
    let contained = (resources + observations).flatMap { elements($0, "contained") }
    let patients = (resources + contained).filter { (try? $0("resourceType").fixed("Patient")) != nil }
    let found = Set(patients.compactMap(Self.init(patient:)))
    if !found.isEmpty { return found }
    let shown = observations.compactMap { try? $0.optional("subject")?.optional("display")?.text() }
    return Set(shown.map { FHIRSubject(names: [$0], birthDate: nil, identifiers: []) })
  }

  private init?(patient: JSONPlace) {
    func text(_ place: JSONPlace, _ key: String) -> String? { try? place.optional(key)?.text() }
    names = Self.elements(patient, "name").compactMap { name in
      let given = Self.elements(name, "given").compactMap { try? $0.text() }
      let parts = given + [text(name, "family")].compactMap(\.self)
      return parts.isEmpty ? text(name, "text") : parts.joined(separator: " ")
    }
    birthDate = text(patient, "birthDate")
    identifiers = Self.elements(patient, "identifier").compactMap { text($0, "value") }
    if names.isEmpty, birthDate == nil, identifiers.isEmpty { return nil }
  }

  private static func elements(_ place: JSONPlace, _ key: String) -> [JSONPlace] {
    (try? place.optional(key)?.elements(0...1000)) ?? []
  }
}
