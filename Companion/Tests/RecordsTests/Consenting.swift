import Base
import Records
import RecordsTesting
import Studies
import Testing

/// A study with a text to agree to and two kinds of data, in versions that follow each other.
struct Consenting {
  let store: TestDatabase
  let versions: [StudyVersion]
  let form: ConsentForm

  static let day = CalendarDate(year: 2026, month: 3, day: 29)!

  init(_ store: TestDatabase) throws {
    self.store = store
    var study = Study(id: "urn:test:c", version: "1", kind: .site, languages: ["en"], title: "C")
    study.dataTypes = [DataType("answers", "Answers", isRequired: true), DataType("sound", "Sound")]
    study.texts = [StudyText("consent", files: ["en": "consent.md"])]
    let bundle = try StudyBundle(
      BundleContent([Study.file: Array(study.json.minified.utf8), "consent.md": Array("I agree.".utf8)]))
    form = try #require(bundle.consentForm(in: "en"))
    versions = (1...3).map {
      StudyVersion(study: "urn:test:c", version: "\($0)", signer: "s", content: [UInt8($0)])
    }
    try StudyVersions(store.database).keep(versions[0], .at(500))
  }

  func begin(_ kinds: Set<String> = ["answers"]) throws -> Enrolment {
    try Enrolments(store.database).begin(
      "e", version: versions[0].sha256, on: Self.day, in: "Europe/Berlin", seed: 1,
      under: form.agreement(giving: kinds), .at(600))
  }

  var consents: Consents { Consents(store.database) }
  var editions: Editions { Editions(store.database) }
}
