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

  @Test("a key whose time is over is said with its end")
  func expiredKey() throws {
    let end = Instant(seconds: 1_500_000)
    let cautions = try clinic("Own", until: end).cautions(beside: [], at: end)
    #expect(cautions.count == 1 && cautions[0].contains(end.localText))
    #expect(try clinic("Own", until: end).cautions(beside: [], at: end + -1).isEmpty)
  }
}
