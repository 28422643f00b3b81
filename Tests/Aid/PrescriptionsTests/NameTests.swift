import Base
import Testing

@testable import Prescriptions

@Suite("Names") struct NameTests {
  private static let birth = CalendarDate(year: 1950, month: 2, day: 28)

  private func identity(_ given: String) throws -> PatientIdentity {
    try Patient(givenName: given, familyName: "Example", birthDate: #require(Self.birth)).identity
  }

  @Test(
    "marks that are vowels or consonants tell people apart",
    arguments: [("राम", "रमा"), ("กิน", "กัน"), ("パパ", "ハハ"), ("நீ", "நா"), ("שׁ", "שׂ")])
  func different(one: String, other: String) throws {
    #expect(try identity(one) != identity(other))
  }

  @Test(
    "accents, case and ways of writing the same letters do not",
    arguments: [
      ("Müller", "MULLER"), ("Nguyễn", "Nguyen"), ("Ελένη", "ελενη"), ("Андрей", "Андреи"),
      ("Anne-Marie", "anne marie"), ("パパ", "ﾊﾟﾊﾟ"), ("e\u{301}", "\u{E9}"),
      // Capitals whose small letters differ: final sigma, sharp s with either capital, dotless i.
      ("Παπαδόπουλος", "ΠΑΠΑΔΟΠΟΥΛΟΣ"), ("Weiß", "WEISS"), ("Weiß", "WEIẞ"), ("Yılmaz", "YILMAZ"),
      ("İnci", "inci"),
    ])
  func same(one: String, other: String) throws { #expect(try identity(one) == identity(other)) }

  @Test(
    "case does not count where a capital has another small letter than the name",
    arguments: [("Παπαδόπουλος", "ΠΑΠΑΔΟΠΟΥΛΟΣ"), ("Weiß", "WEISS"), ("Yılmaz", "YILMAZ")])
  func folding(name: String, capitals: String) throws {
    let person = try Patient(
      givenName: "Ada", familyName: name, birthDate: #require(Self.birth))
    #expect(
      FHIRSubject(names: ["ADA " + capitals], birthDate: nil, identifiers: []).isSame(as: person))
    #expect(!FHIRSubject(names: ["ADA OTHER"], birthDate: nil, identifiers: []).isSame(as: person))
  }

  private func clinic(_ name: String, until end: Instant? = nil) throws -> ClinicIdentity {
    try ClinicKey(new: name, created: Instant(seconds: 1_000_000), validUntil: end).identity
  }

  private func trusted(_ name: String) throws -> TrustedClinic {
    TrustedClinic(identity: try clinic(name), enrolled: Instant(seconds: 1_000_000))
  }

  @Test(
    "a clinic whose name is or looks like a known one's is cautioned about",
    arguments: [
      "City Hearing Clinic", "City  hearing-Clinic", "Сity Hearing Clinic", "City Hearing CIinic",
      "City Hearing Clinic\u{FE0F}", "Ｃｉｔｙ Hearing Clinic",
    ])
  func lookalike(name: String) throws {
    let cautions = try clinic(name).cautions(
      beside: [trusted("City Hearing Clinic")], at: Instant(seconds: 2_000_000))
    #expect(cautions.contains { $0.contains("Only the fingerprint tells them apart") })
  }

  @Test(
    "a name of its own causes no caution, in whatever alphabet",
    arguments: ["Stadtklinik", "Клиника Слух", "Κλινική"])
  func ownName(name: String) throws {
    let cautions = try clinic(name).cautions(
      beside: [trusted("City Hearing Clinic")], at: Instant(seconds: 2_000_000))
    #expect(cautions.isEmpty)
  }

  @Test("a word of two alphabets, and a name that only looks Latin, are said")
  func disguised() throws {
    let now = Instant(seconds: 2_000_000)
    #expect(try clinic("Klinik Оst").cautions(beside: [], at: now).first?.contains("mixes letters") == true)
    #expect(
      try clinic("Осе Тор").cautions(beside: [], at: now) == [
        "Its name is written in letters that only look like Latin ones."
      ])
  }

  @Test("a key whose trust was withdrawn is said with the time, until it is trusted again")
  func withdrawnKey() throws {
    let (identity, end) = (try clinic("Own"), Instant(seconds: 1_500_000))
    let now = Instant(seconds: 2_000_000)
    let revoked = TrustedClinic(
      identity: identity, enrolled: Instant(seconds: 1_000_000), revoked: end)
    #expect(
      identity.cautions(beside: [revoked], at: now) == [
        "Trust in this key was withdrawn on \(end.localText); trust it again only if the clinic says so now."
      ])
    let again = TrustedClinic(identity: identity, enrolled: now)
    #expect(identity.cautions(beside: [revoked, again], at: now).isEmpty)
    #expect(try clinic("Other").cautions(beside: [revoked], at: now).isEmpty)
  }

  @Test("the end of the clinic's key is said of a card that states a later end, or none")
  func keyEndsFirst() throws {
    let end = Instant(seconds: 1_500_000)
    let identity = try clinic("Own", until: end)
    let words = "Devices refuse this card from \(end.localText) on, for the clinic's key ends then."
    #expect(identity.caution(ofCardUntil: end + 1) == words)
    #expect(identity.caution(ofCardUntil: nil) == words)
    #expect(identity.caution(ofCardUntil: end) == nil)
    #expect(try clinic("Own").caution(ofCardUntil: nil) == nil)
  }

  @Test("a key whose time is over is said with its end")
  func expiredKey() throws {
    let end = Instant(seconds: 1_500_000)
    let cautions = try clinic("Own", until: end).cautions(beside: [], at: end)
    #expect(cautions.count == 1 && cautions[0].contains(end.localText))
    #expect(try clinic("Own", until: end).cautions(beside: [], at: end + -1).isEmpty)
  }
}
