import Base
// For the compatibility decomposition, which the standard library keeps to itself.
import Foundation

/// Names that the eye takes for others.
package enum LookalikeName {
  /// Refusal of a name with characters that show nothing; nil: all of it can be seen.
  package static func refusal(of name: String, field: String) -> PrescriptionError? {
    // Braille's empty cell counts as a symbol. Selectors of a variant belong to a character that shows.
    let hidden = name.unicodeScalars.first {
      $0.value == 0x2800
        || $0.properties.isDefaultIgnorableCodePoint && !$0.properties.isVariationSelector
    }
    return hidden.map { .unusable(field: field, reason: PlainText.unseen($0)) }
  }

  /// Refusal of the names that a card states; nil: all of them can be seen. A reference counts where it stands for the name.
  package static func refusal(of patient: Patient, prescriber: Prescriber?) -> PrescriptionError? {
    let reference = patient.givenName == nil ? patient.reference : nil
    let names: [(field: String, name: String?)] = [
      ("given name", patient.givenName), ("family name", patient.familyName),
      ("patient reference", reference), ("prescriber's name", prescriber?.name),
    ]
    for (field, name) in names {
      if let name, let error = refusal(of: name, field: field) { return error }
    }
    return nil
  }

  /// The same text for names that look alike: case, accents, spaces and punctuation left out, letters of
  /// other alphabets as the Latin ones that they resemble. A small part of the list of Unicode Technical
  /// Standard 39, from memory.
  static func skeleton(_ name: String) -> String {
    let latin = String(name.map { Character(lookalikes[$0] ?? String($0)) })
    return PatientIdentity.normalized(latin).replacing("rn", with: "m").replacing("vv", with: "w")
      .replacing("i", with: "l").replacing("1", with: "l").replacing("0", with: "o")
  }

  /// The first word with letters of more than one alphabet.
  static func mixedWord(in name: String) -> String? {
    name.split(whereSeparator: \.isWhitespace).map(String.init).first { alphabets(of: $0).count > 1 }
  }

  /// True for a name of another alphabet that can be read as one in Latin letters.
  static func isLatinInDisguise(_ name: String) -> Bool {
    let letters = name.filter(\.isLetter)
    return !alphabets(of: name).isEmpty && !alphabets(of: name).contains(.latin)
      && letters.allSatisfy { lookalikes[$0] != nil }
  }

  private static func alphabets(of text: String) -> Set<Alphabet> {
    Set(text.unicodeScalars.compactMap { Alphabet($0) })
  }

  private static let lookalikes: [Character: String] = {
    let pairs = [
      // Cyrillic capitals and small letters, then Greek ones.
      ("АВЕЅІЈКМНОРСТУХ", "abesijkmhopctyx"), ("авеѕіјкмнорстухԁһԛԝӏ", "abesijkmhopctyxdhqwl"),
      ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx"), ("αεηικνορτυχγω", "aenikvoptuxyw"),
    ]
    return Dictionary(
      uniqueKeysWithValues: pairs.flatMap { zip($0, $1.map { String($0) }) })
  }()
}

/// Alphabets whose letters resemble each other, and whose marks are accents.
enum Alphabet: Hashable {
  case latin, greek, cyrillic

  /// Alphabet of a letter, by the blocks of Unicode; nil: another script, or no letter.
  init?(_ scalar: Unicode.Scalar) {
    guard scalar.properties.isAlphabetic else { return nil }
    switch scalar.value {
    case 0x41...0x24F, 0x250...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA722...0xA7FF, 0xAB30...0xAB6F:
      self = .latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
    case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: self = .cyrillic
    default: return nil
    }
  }
}

extension ClinicIdentity {
  /// Reasons to look twice before trusting the clinic, whole sentences: a key that was trusted once, names that look
  /// like this one, letters that look like others, a key whose time is over.
  ///
  /// - Parameters:
  ///   - clinics: Those known here, revoked ones too.
  ///   - now: The device's time.
  package func cautions(beside clinics: [TrustedClinic], at now: Instant) -> [String] {
    var cautions: [String] = []
    if let revoked = Card.trusted(fingerprint, clinics)?.revoked {
      cautions.append(
        "Trust in this key was withdrawn on \(revoked.localText); trust it again only if the clinic says so"
          + " now.")
    }
    let skeleton = LookalikeName.skeleton(name)
    cautions += clinics.map(\.identity)
      .filter { $0.fingerprint != fingerprint && LookalikeName.skeleton($0.name) == skeleton }
      .map { other in
        let likeness = other.name == name ? "has the same name" : "has a name that looks like this one"
        return
          "Another clinic, \(other.name) with the key \(other.fingerprint.grouped.prefix(9)) …, \(likeness)."
          + " Only the fingerprint tells them apart."
      }
    if let word = LookalikeName.mixedWord(in: name) {
      cautions.append("The word \(word) of its name mixes letters of alphabets that look alike.")
    } else if LookalikeName.isLatinInDisguise(name) {
      cautions.append("Its name is written in letters that only look like Latin ones.")
    }
    if let end = validUntil, end <= now {
      cautions.append(
        "Its key was valid until \(end.localText), so its cards are refused; ask the clinic for its new card."
      )
    }
    return cautions
  }
}
