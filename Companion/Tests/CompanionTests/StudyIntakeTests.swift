import Base
import Foundation
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("A study as it comes, on both engines") struct StudyIntakeTests {
  /// A study whose questionnaire has a member that is refused by now, in a place of its own.
  private struct Earlier {
    let bundle: StudyBundle
    /// Folder of an own study, or file that a site has signed.
    let path: String
    let version: StudyVersion

    static let refusal = "room.json, item[1].maxLength: found one of an item of the kind number"

    init(isSigned: Bool, in folder: URL) throws {
      var study = SiteStudy()
      study.study.kind = isSigned ? .site : .own
      var files = try study.bundle().content.files
      let questionnaire = String(decoding: files["room.json"] ?? [], as: UTF8.self)
      let member = #""linkId":"room.loud""#
      files["room.json"] = Array(
        questionnaire.replacing(member, with: member + #","maxLength":3"#).utf8)
      bundle = try StudyBundle(BundleContent(files), isKept: true)
      let content = try isSigned ? bundle.archive(signedBy: WordSite("site")) : bundle.archive()
      version = StudyVersion(
        study: study.study.id, version: study.study.version, signer: isSigned ? "site" : "nobody",
        content: content)
      if isSigned { files = ["signed.study": content] }
      for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
      path = isSigned ? folder.appendingPathComponent("signed.study").path : folder.path
    }
  }

  private static func with(
    _ engine: Engine, isSigned: Bool, _ body: (Earlier, OwnParts) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Home.with(engine) { try body(Earlier(isSigned: isSigned, in: folder), $0.own()) }
  }

  private static func failure(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) {
      try body()
      return nil
    } catch { return error }
  }

  @Test(
    "a version that the database has is read as it was when it was kept, so that others begin it too; one that it does not have is refused",
    arguments: TestDatabase.engines, [true, false])
  func kept(engine: Engine, isSigned: Bool) throws {
    try Self.with(engine, isSigned: isSigned) { earlier, own in
      func read() throws(Failure) -> StudyVersion {
        try StudyIntake.version(at: earlier.path, trust: WordSite("site"), isKept: own.keeps).0
      }
      let refused = Self.failure { () throws(Failure) in _ = try read() }
      #expect(refused?.exitStatus == .badData && refused?.message.contains(Earlier.refusal) == true)
      // Somebody else takes part in it.
      try StudyVersions(own.database).keep(earlier.version, own.session)
      #expect(try read() == earlier.version)
      let agreement = try earlier.bundle.consentForm(in: "en")?.agreement(giving: ["answers", "sound"])
      let part = try own.begin(read(), under: agreement)
      #expect(part.enrolment.studyVersion == earlier.version.sha256)
    }
  }

  @Test(
    "a bundle of another signer is refused without a look at the database, also where it has this version",
    arguments: TestDatabase.engines)
  func stranger(engine: Engine) throws {
    try Self.with(engine, isSigned: true) { earlier, own in
      try StudyVersions(own.database).keep(earlier.version, own.session)
      var asked = 0
      let refused = Self.failure { () throws(Failure) in
        _ = try StudyIntake.version(at: earlier.path, trust: WordSite("another")) {
          sha256 throws(Failure) in
          asked += 1
          return try own.keeps(sha256)
        }
      }
      #expect(refused?.exitStatus == .badData && asked == 0)
    }
  }

  @Test("the consent of a bundle is shown where the database has it; an author's bundle is read strictly")
  func author() throws {
    try Self.with(.sqlite, isSigned: true) { earlier, own in
      let strict = Self.failure { () throws(Failure) in _ = try StudyIntake.author(at: earlier.path) }
      #expect(strict?.message.contains(Earlier.refusal) == true)
      try StudyVersions(own.database).keep(earlier.version, own.session)
      let read = try StudyIntake.author(at: earlier.path, isKept: own.keeps)
      #expect(read.consentForm(in: "en") == earlier.bundle.consentForm(in: "en"))
      let still = Self.failure { () throws(Failure) in _ = try StudyIntake.author(at: earlier.path) }
      #expect(still?.message.contains(Earlier.refusal) == true)
    }
  }
}
