import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

/// A site whose key is a word: it signs with the word and the hash of what it signs.
struct WordSite: ManifestSigner, ManifestTrust {
  let word: String

  init(_ word: String) { self.word = word }

  func signature(of manifest: [UInt8]) throws(BundleError) -> [UInt8] {
    Array("\(word) \(Hash.text(manifest))".utf8)
  }

  func signer(of manifest: [UInt8], signature: [UInt8]) throws(BundleError) -> BundleSigner {
    guard try self.signature(of: manifest) == signature else { throw .unknownSigner(nil) }
    return BundleSigner(name: word, key: word)
  }
}

extension SiteStudy {
  func version(signedBy site: WordSite) throws -> StudyVersion {
    StudyVersion(
      study: study.id, version: study.version, signer: site.word,
      content: try bundle().archive(signedBy: site))
  }
}

@Suite("Versions that anybody may have added") struct UntrustedVersionTests {
  @Test(
    "mail goes to contact and investigator of a study that a trusted site has signed; of a stranger's and an unsigned one to nobody, which is said",
    arguments: ["site", "stranger", nil] as [String?])
  func mail(key: String?) throws {
    try Home.with(.sqlite) { home in
      let (own, study, post) = (try home.own(), SiteStudy(), Post())
      var version = try study.version()
      if let key { version = try study.version(signedBy: WordSite(key)) }
      _ = try own.begin(version, under: study.agreement())
      try own.answer("phq-9.9", "1")
      let isSigned = key == "site"
      var standing: [AlertDelivery.Standing] = []
      // Ben answers within 24 hours.
      for hours in [0, 25] {
        let here = OwnParts(own.database, try home.own(hours).surroundings, sites: WordSite("site"))
        standing = try AlertDelivery(here, post).deliver()
      }
      #expect(
        post.sent.withLock { $0.map(\.address) }
          == (isSigned ? ["ben@example.org", "ida@example.org"] : []))
      let alert = try #require(standing.first?.alert)
      #expect((alert.delivered != nil) == isSigned && (alert.escalated != nil) == isSigned)
      #expect((alert.failure?.contains("auricle study trust CARD") ?? false) != isSigned)
      #expect((standing[0].escalationFailure == AlertDelivery.unsigned) != isSigned)
    }
  }

  @Test(
    "where whoever took part trusted the site and staff do not, the contact was told, and that the investigator is not is said with its reason"
  )
  func staff() throws {
    try Home.with(.sqlite) { home in
      let (own, study, post) = (try home.own(), SiteStudy(), Post())
      _ = try own.begin(study.version(signedBy: WordSite("site")), under: study.agreement())
      try own.answer("phq-9.9", "1")
      func deliver(_ hours: Int, _ sites: WordSite) throws -> AlertDelivery.Standing? {
        let here = OwnParts(own.database, try home.own(hours).surroundings, sites: sites)
        return try AlertDelivery(here, post).deliver().first
      }
      let told = try #require(try deliver(0, WordSite("site")))
      #expect(told.alert.delivered != nil && told.escalationFailure == nil)
      // Within Ben's 24 hours nothing is to be sent.
      let early = try #require(try deliver(23, WordSite("another")))
      #expect(!early.isOverdue && early.escalationFailure == nil)
      let late = try #require(try deliver(25, WordSite("another")))
      #expect(late.isOverdue && late.alert.delivered != nil && late.alert.escalated == nil)
      #expect(late.escalationFailure == AlertDelivery.unsigned)
      let trusted = try #require(try deliver(26, WordSite("site")))
      #expect(trusted.alert.escalated != nil && trusted.escalationFailure == nil)
      #expect(post.sent.withLock { $0.map(\.address) } == ["ben@example.org", "ida@example.org"])
    }
  }

  @Test("that the investigator cannot be written to is said with the reason, and is tried again")
  func unreached() throws {
    try Alarm.with { _, later in
      _ = try AlertDelivery(later(0), Post()).deliver()
      let late = try #require(try AlertDelivery(later(3), Post(failing: "no way out")).deliver().first)
      #expect(late.alert.escalated == nil && late.escalationFailure == "no way out")
      let again = try #require(try AlertDelivery(later(4), Post()).deliver().first)
      #expect(again.alert.escalated != nil && again.escalationFailure == nil)
    }
  }

  @Test("in a file of one's own mail goes to the contact of whatever site's study one takes part in")
  func ownFile() throws {
    try Home.with(.sqlite) { home in
      let (own, study, post) = (try home.own(), SiteStudy(), Post())
      _ = try own.begin(study.version(signedBy: WordSite("site")), under: study.agreement())
      try own.answer("phq-9.9", "1")
      _ = try AlertDelivery(own, post).deliver()
      #expect(post.sent.withLock { $0.map(\.address) } == ["ben@example.org"])
    }
  }

  @Test(
    "a version whose bundle has the name of a site's study and its row another one is left out of everybody's parts, by name",
    arguments: TestDatabase.engines)
  func otherName(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      let part = try own.begin(study.version(), under: study.agreement())
      var copy = SiteStudy()
      copy.study.dictionary = [DictionaryEntry("=1+1", item: "phq-9.1")]
      let version = StudyVersion(
        study: "urn:test:free", version: "1", signer: "nobody", content: try copy.version().content)
      let eve = Session(subject: "eve", at: Home.morning)
      try StudyVersions(own.database).keep(version, eve)
      _ = try Enrolments(own.database).begin(
        "v", version: version.sha256, on: part.enrolment.firstDate, in: "UTC", seed: 1,
        under: copy.agreement(), eve)
      let all = OwnParts(try home.store.logged(in: "auricle_export"), own.surroundings)
      let (parts, unreadable) = try all.everybody()
      #expect(parts.map(\.enrolment.id) == [part.enrolment.id])
      #expect(unreadable.map(\.part) == ["v"] && unreadable[0].failure.exitStatus == .badData)
      #expect(unreadable[0].failure.message.contains("found another study or version in its bundle"))
    }
  }
}
