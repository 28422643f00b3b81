import Base
import Questionnaires
import Testing

@testable import Studies

@Suite("Consent to a study") struct ConsentFormTests {
  static func form(
    _ change: (inout SoundStudy) -> Void = { _ in }, in language: String = "en"
  ) throws
    -> ConsentForm
  {
    var sound = SoundStudy()
    sound.study.dataTypes.append(DataType("sound", Samples.both("Sound")))
    change(&sound)
    return try #require(try sound.bundle().consentForm(in: language))
  }

  @Test("the text in the person's language with its hash, in its main language, or in the study's main one")
  func languages() throws {
    let english = try Self.form()
    #expect(english.language == "en" && english.text == "I agree.\n")
    // sha256sum of "I agree.\n"
    #expect(english.sha256 == Hash.text(Array("I agree.\n".utf8)) && english.sha256.count == 64)
    #expect(try Self.form(in: "de-AT").language == "de")
    #expect(try Self.form(in: "de-AT").text == "Ich stimme zu.\n")
    #expect(try Self.form(in: "fr") == english)
  }

  @Test("needed kinds must be ticked, a kind that is not named is not given, an unknown one is refused")
  func ticks() throws {
    let form = try Self.form()
    #expect(throws: ConsentRefusal.required(["answers"])) { try form.agreement(giving: ["sound"]) }
    #expect(throws: ConsentRefusal.required(["answers"])) { try form.agreement(giving: []) }
    #expect(throws: ConsentRefusal.unknown(["all"], known: ["answers", "sound"])) {
      try form.agreement(giving: ["answers", "all"])
    }
    let agreement = try form.agreement(giving: ["answers"])
    #expect(agreement.ticks.map(\.kind) == ["answers", "sound"])
    #expect(agreement.ticks.map(\.isGiven) == [true, false])
  }

  @Test("a text is named by its hash or the first 12 digits of it, never by fewer or by another's")
  func named() throws {
    let form = try Self.form()
    #expect(form.isNamed(by: form.sha256) && form.isNamed(by: String(form.sha256.prefix(12)).uppercased()))
    for name in ["", String(form.sha256.prefix(11)), "yes", form.sha256 + "0"] {
      #expect(!form.isNamed(by: name), "\(name)")
    }
  }

  @Test("an agreement is to one study's own text: another text, other kinds or none do not begin it")
  func own() throws {
    let bundle = try SoundStudy().bundle()
    let agreement = try #require(bundle.consentForm(in: "de")).agreement(giving: ["answers"])
    #expect(bundle.mayBegin(under: agreement) && !bundle.mayBegin(under: nil))
    var other = SoundStudy()
    other.texts["texts/de/consent.md"] = "Ich stimme allem zu.\n"
    #expect(try !other.bundle().mayBegin(under: agreement))
    #expect(try !bundle.mayBegin(under: Self.form().agreement(giving: ["answers"])))
    // A study without a text asks nobody, and takes no agreement to another one.
    var silent = SoundStudy()
    silent.study.texts.removeAll { $0.id == StudyBundle.consentText }
    #expect(try silent.bundle().mayBegin(under: nil) && !silent.bundle().mayBegin(under: agreement))
  }

  @Test("a site's study without a text to agree to is not published, an own one is")
  func published() throws {
    func places(_ kind: Study.Kind) throws -> [String] {
      var sound = SoundStudy()
      sound.study.kind = kind
      sound.study.texts.removeAll { $0.id == StudyBundle.consentText }
      return try StudyCheck(StudyCheckTests.use).findings(in: sound.bundle())
        .filter { $0.severity == .error }.map(\.place)
    }
    #expect(try places(.site) == ["texts"] && places(.own) == [])
  }

  @Test(
    "a later version: numbers one by one, of any length, a missing one is 0",
    arguments: [
      ("1.0.1", "1.0.0", true), ("1.10", "1.9", true), ("2", "1.9.9", true), ("1.0.0", "1.0.0", false),
      ("1.0", "1.0.0", false), ("1.0.0", "1.0", false), ("1.0.0.1", "1.0", true), ("1.9", "1.10", false),
      ("1.0.010", "1.0.9", true), ("99999999999999999999999", "99999999999999999999998", true),
      ("1.b", "1.a", true), ("", "1", false), ("1..1", "1.0.1", false),
    ])
  func later(version: String, former: String, isLater: Bool) {
    #expect(Study.isLater(version, than: former) == isLater)
  }
}
