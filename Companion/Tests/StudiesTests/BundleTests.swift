import Archives
import Foundation
import ProgramsTesting
import Questionnaires
import Testing

@testable import Studies

@Suite("Bundles") struct BundleTests {
  static let limits = ArchiveLimits(files: 100, bytes: 1 << 24)

  /// The archive with its files changed, without signing anew.
  static func changed(_ change: (inout [String: [UInt8]]) -> Void) throws -> [UInt8] {
    var files = try ZipArchive.files(SoundStudy().bundle().archive(signedBy: FakeSigner()), limits: limits)
    change(&files)
    return try ZipArchive.bytes(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  static func refusal(_ bytes: [UInt8], _ trust: FakeTrust = FakeTrust()) -> String {
    do throws(BundleError) { _ = try SignedBundle(archive: bytes, trust: trust) } catch {
      return "\(error)"
    }
    return ""
  }

  @Test(
    "a bundle is the same after packing and reading, with its signer and hash; one study gives one file")
  func lossless() throws {
    let bundle = try SoundStudy().bundle()
    let bytes = try bundle.archive(signedBy: FakeSigner())
    let read = try SignedBundle(archive: bytes, trust: FakeTrust())
    #expect(read.bundle == bundle && read.signer.key == "key-of-the-clinic")
    #expect(
      read.manifest == Manifest(bundle.content) && read.manifest.entries.map(\.path) == bundle.content.paths
    )
    #expect(try bundle.archive(signedBy: FakeSigner()) == bytes)
    #expect(try read.bundle.archive(signedBy: FakeSigner()) == bytes)
  }

  @Test("hashes are SHA-256: that of \"abc\" is the one of FIPS 180-4, and coreutils finds the manifest's")
  func hash() throws {
    #expect(
      Hash.text(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let manifest = Manifest(try SoundStudy().bundle().content)
    let output = try Programs.run("/usr/bin/sha256sum", [], String(decoding: manifest.bytes, as: UTF8.self))
    #expect(output.hasPrefix(manifest.sha256))
  }

  @Test("a changed byte in any file is refused, and the file named")
  func changedByte() throws {
    for path in try SoundStudy().bundle().content.paths {
      let bytes = try Self.changed { files in
        let last = (files[path]?.count ?? 1) - 2
        files[path]?[last] ^= 1
      }
      #expect(Self.refusal(bytes).hasPrefix("\(path): found other bytes than were signed"))
    }
  }

  @Test("a missing file, an additional one and one under another name are refused, and named")
  func otherFiles() throws {
    #expect(
      Self.refusal(try Self.changed { $0["texts/en/help.md"] = nil })
        == "texts/en/help.md: found no such file; expected one, as it was signed; fetch the bundle again; if it is the same again, tell the site"
    )
    #expect(
      Self.refusal(try Self.changed { $0["texts/en/more.md"] = [] }).hasPrefix(
        "texts/en/more.md: found a file that was not signed"))
    #expect(
      Self.refusal(
        try Self.changed { files in
          files["texts/en/zhelp.md"] = files.removeValue(forKey: "texts/en/help.md")
        }
      ).hasPrefix("texts/en/help.md: found no such file"))
  }

  @Test("an unknown signer, a signature of another manifest, and none are refused before anything is read")
  func signer() throws {
    let bundle = try SoundStudy().bundle()
    let other = try bundle.archive(signedBy: FakeSigner(key: "k2"))
    #expect(Self.refusal(other).hasPrefix("manifest.sig: found the signature of the unknown key k2"))
    #expect(Self.refusal(other, FakeTrust(keys: ["k2"])) == "")
    let changed = try Self.changed { $0["manifest.json"]?.append(0x20) }
    #expect(Self.refusal(changed).hasPrefix("manifest.sig: found a signature that is not of this manifest"))
    #expect(
      Self.refusal(try Self.changed { $0["manifest.sig"] = nil }).hasPrefix(
        "manifest.sig: found no such file"))
    #expect(
      Self.refusal(try Self.changed { $0["manifest.json"] = nil }).hasPrefix(
        "manifest.json: found no such file"))
  }

  @Test(
    "a kept version is its signer's however its files are packed; an own study, a stranger's and one with a changed file are not"
  )
  func kept() throws {
    let bundle = try SoundStudy().bundle()
    let files = try ZipArchive.files(bundle.archive(signedBy: FakeSigner()), limits: Self.limits)
    let packed = try ZipArchive.bytes(files.sorted { $0.key > $1.key }.map { ($0.key, $0.value) })
    #expect(Self.refusal(packed).hasPrefix("the bundle: found changed bytes between its files"))
    #expect(try SignedBundle.signer(ofKept: packed, trust: FakeTrust()).key == "key-of-the-clinic")
    for bytes in [
      try bundle.archive(), try bundle.archive(signedBy: FakeSigner(key: "k2")),
      try Self.changed { $0["study.json"]?.append(0x20) },
    ] {
      #expect(throws: BundleError.self) { try SignedBundle.signer(ofKept: bytes, trust: FakeTrust()) }
    }
  }

  /// Signed as it is, whatever it says.
  static func signed(_ manifest: String, _ files: [String: [UInt8]]) throws -> [UInt8] {
    let text = Array(manifest.utf8)
    let all = [("manifest.json", text), ("manifest.sig", FakeSigner().signature(of: text))]
    return try ZipArchive.bytes(all + files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  @Test("a newer schema of manifest or study is refused and named, whoever signed it")
  func newer() throws {
    let files = SoundStudy().files
    let manifest = String(decoding: Manifest(try BundleContent(files)).bytes, as: UTF8.self)
    let later = manifest.replacing("\"schema\":1", with: "\"schema\":2")
    #expect(
      Self.refusal(try Self.signed(later, files))
        == "manifest.json, schema: found 2; expected at most 1; install a newer version of this program")
    var newer = files
    newer[Study.file] = Array(
      String(decoding: files[Study.file] ?? [], as: UTF8.self).replacing(
        "\"schema\":1", with: "\"schema\":9"
      ).utf8)
    let bytes = try Self.signed(
      String(decoding: Manifest(try BundleContent(newer)).bytes, as: UTF8.self), newer)
    #expect(Self.refusal(bytes).hasPrefix("study.json, schema: found 9; expected at most 1"))
  }

  @Test("a signed manifest that lists a file twice, or out of order, is refused: one content has one hash")
  func order() throws {
    let files = SoundStudy().files
    let entries = Manifest(try BundleContent(files)).entries
    for list in [entries + [entries[0]], entries.reversed()] {
      let parts = list.map { #"{"path":"\#($0.path)","size":\#($0.size),"sha256":"\#($0.sha256)"}"# }
      let text = #"{"schema":1,"files":[\#(parts.joined(separator: ","))]}"#
      #expect(
        Self.refusal(try Self.signed(text, files)).hasPrefix("manifest.json: found files out of order"))
    }
  }

  @Test(
    "what is no archive, a study without study.json, and a questionnaire that cannot be read are refused")
  func others() throws {
    #expect(Self.refusal([]).hasPrefix("the bundle: found no zip archive"))
    #expect(Self.refusal(Array("PK".utf8)).hasPrefix("the bundle: found no zip archive"))
    var files = SoundStudy().files
    files["questionnaires/log.json"] = Array("{}".utf8)
    let text = String(decoding: Manifest(try BundleContent(files)).bytes, as: UTF8.self)
    #expect(
      Self.refusal(try Self.signed(text, files)).hasPrefix(
        "questionnaires/log.json, resourceType: found nothing"))
    #expect(throws: BundleError.self) {
      try StudyBundle(BundleContent(files)).archive(signedBy: FakeSigner())
    }
    files[Study.file] = nil
    #expect(throws: BundleError.self) { try StudyBundle(BundleContent(files)) }
  }

  @Test(
    "a version that was kept before something of it was refused is read as it was; an author's archive with it is refused, and so is a signed one"
  )
  func keptBefore() throws {
    var files = SoundStudy().files
    files["questionnaires/habits.json"] = Array(
      #"{"resourceType":"Questionnaire","url":"urn:example:habits","version":"1","status":"active","item":[{"linkId":"habits.coffee","text":"Coffee?","type":"boolean","maxLength":3}]}"#
        .utf8)
    let message = "questionnaires/habits.json, item[0].maxLength: found one of an item of the kind yes-no"
    let kept = try StudyBundle(BundleContent(files), isKept: true).archive()
    #expect(try StudyBundle(kept: kept).questionnaires["habits"]?.items.map(\.kind) == [.yesNo])
    #expect { try StudyBundle(archive: kept) } throws: { "\($0)".hasPrefix(message) }
    let manifest = String(decoding: Manifest(try BundleContent(files)).bytes, as: UTF8.self)
    let signed = try Self.signed(manifest, files)
    #expect(Self.refusal(signed).hasPrefix(message))
    // One that a database has already, by the same signer alone.
    let again = try SignedBundle(archive: signed, trust: FakeTrust(), isKept: true)
    #expect(again.bundle.questionnaires["habits"]?.items.map(\.kind) == [.yesNo])
    #expect(throws: BundleError.self) {
      try SignedBundle(archive: signed, trust: FakeTrust(keys: ["k2"]), isKept: true)
    }
  }

  @Test("paths that differ in capitals alone, lead out, or are the signature's are no content")
  func paths() {
    for paths in [
      ["a", "A"], ["../a"], ["a//b"], [""], ["manifest.json"], ["Manifest.SIG"], ["a b"], ["/a"],
    ] {
      #expect(throws: BundleError.self) {
        try BundleContent(Dictionary(uniqueKeysWithValues: paths.map { ($0, []) }))
      }
    }
    let many = Dictionary(uniqueKeysWithValues: (0...2000).map { ("f\($0)", [UInt8]()) })
    #expect(throws: BundleError.self) { try BundleContent(many) }
  }

  @Test("a folder's files are its bundle, without those that begin with a point; a link in it is refused")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("study-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = SoundStudy().files
    for (path, bytes) in files.merging(
      [".git/config": [1], "texts/.about.md.swp": [2]], uniquingKeysWith: { $1 })
    {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    #expect(try StudyFolder.content(of: folder.path).files == files)
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent("texts/link.md").path, withDestinationPath: "/etc/passwd")
    #expect {
      try StudyFolder.content(of: folder.path)
    } throws: {
      "\($0)"
        == "texts/link.md: found a link or a device; expected files and folders alone; put the file itself there"
    }
    #expect(throws: BundleError.self) { try StudyFolder.content(of: folder.path + "/none") }
  }

  @Test("a text is given in the language asked for, in its main language, or in the study's")
  func texts() throws {
    let bundle = try SoundStudy().bundle()
    #expect(bundle.text("about", in: "de-AT") == "# Worum es geht\n")
    #expect(bundle.text("about", in: "fr") == "# About\n" && bundle.text("unknown", in: "en") == nil)
  }
}
