import CommonTesting
import Glibc
import Testing

@testable import Base

/// Every test with the nameless file that the system gives, if it does, and with the named one that stands in for it.
@Suite("File drafts") struct FileDraftTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("state.json") }

  private func write(_ text: String, nameless: Bool, replacing: Bool = true) throws(SystemError) {
    let draft = try FileDraft(of: path, mode: 0o600, nameless: nameless)
    try draft.write([UInt8](text.utf8))
    try draft.publish(replacing: replacing)
  }

  private func text(_ name: String = "state.json") -> String {
    String(decoding: folder.bytes(of: name), as: UTF8.self)
  }

  @Test(
    "a new name, and one that was taken, hold all of it, and nothing lies beside", arguments: [true, false])
  func publishes(nameless: Bool) throws {
    try write("old and longer", nameless: nameless)
    #expect(text() == "old and longer")
    try write("new", nameless: nameless)
    #expect(text() == "new")
    #expect(folder.names == ["state.json"])
  }

  @Test(
    "until it is published the former content stands, and without that it stays", arguments: [true, false])
  func unpublished(nameless: Bool) throws {
    try write("old", nameless: nameless)
    do {
      let draft = try FileDraft(of: path, mode: 0o600, nameless: nameless)
      try draft.write([1, 2, 3])
      #expect(text() == "old")
      #expect(folder.names.count == (draft.hiddenName == nil ? 1 : 2))
    }
    #expect(folder.names == ["state.json"])
    #expect(text() == "old")
  }

  @Test("what has the name stays when it shall not be replaced", arguments: [true, false])
  func taken(nameless: Bool) throws {
    try write("old", nameless: nameless, replacing: false)
    #expect(throws: SystemError(code: EEXIST)) {
      try write("new", nameless: nameless, replacing: false)
    }
    #expect(text() == "old")
    #expect(folder.names == ["state.json"])
  }

  @Test(
    "a link of that name is replaced, not followed, also one that leads nowhere", arguments: [true, false])
  func links(nameless: Bool) throws {
    folder.write("real", to: "real")
    for target in ["real", "nothing"] {
      unlink(path)
      #expect(symlink(target, path) == 0)
      try write("new", nameless: nameless)
      #expect(text() == "new" && text("real") == "real")
    }
    #expect(folder.names == ["real", "state.json"])
  }

  @Test(
    "a folder of that name, a missing folder, a file for a folder and no name are refused",
    arguments: [true, false])
  func refusals(nameless: Bool) {
    mkdir(path, 0o700)
    #expect(throws: SystemError(code: EISDIR)) { try write("new", nameless: nameless) }
    folder.write("", to: "plain")
    for (name, code) in [("none/a", ENOENT), ("plain/a", ENOTDIR), ("none/", EISDIR)] {
      #expect(throws: SystemError(code: code)) {
        _ = try FileDraft(of: folder.file(name), mode: 0o600, nameless: nameless)
      }
    }
    #expect(folder.names == ["plain", "state.json"])
  }

  @Test("the user's umask takes its part of the mode, as for any new file", arguments: [true, false])
  func mode(nameless: Bool) throws {
    let draft = try FileDraft(of: path, mode: 0o666, nameless: nameless)
    try draft.publish()
    let reference = open(folder.file("reference"), O_CREAT | O_WRONLY, 0o666)
    close(reference)
    var (found, expected) = (stat(), stat())
    #expect(stat(path, &found) == 0 && stat(folder.file("reference"), &expected) == 0)
    #expect(found.st_mode == expected.st_mode)
  }

  /// 255 bytes are the longest name there is (NAME_MAX); the hidden one is cut, here in the middle of a letter.
  @Test("the longest of names can be replaced", arguments: [true, false])
  func longName(nameless: Bool) throws {
    let name = "a" + String(repeating: "ä", count: 127)
    folder.write("old", to: name)
    let draft = try FileDraft(of: folder.file(name), mode: 0o600, nameless: nameless)
    try draft.write([UInt8]("new".utf8))
    try draft.publish()
    #expect(text(name) == "new" && folder.names == [name])
  }

  @Test(
    "on a disk that fills up the former content stands, and nothing lies beside",
    .enabled(if: SmallDisk.isPossible),
    arguments: [true, false])
  func fullDisk(nameless: Bool) throws {
    let disk = try #require(SmallDisk(size: "64k"))
    let path = disk.path + "/state.json"
    func write(_ bytes: [UInt8]) throws(SystemError) {
      let draft = try FileDraft(of: path, mode: 0o600, nameless: nameless)
      try draft.write(bytes)
      try draft.publish()
    }
    try write([1])
    #expect(throws: SystemError(code: ENOSPC)) { try write([UInt8](repeating: 0, count: 1 << 17)) }
    #expect(disk.names == ["state.json"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 1)
  }

  @Test(
    "a disk that takes nothing is told as such", .enabled(if: SmallDisk.isPossible),
    arguments: [true, false])
  func readOnly(nameless: Bool) throws {
    let disk = try #require(SmallDisk(size: "64k"))
    #expect(disk.makeReadOnly())
    #expect(throws: SystemError(code: EROFS)) {
      _ = try FileDraft(of: disk.path + "/a", mode: 0o600, nameless: nameless)
    }
  }

  /// Memory's file system has known files without a name since Linux 3.11.
  @Test(
    "what is being written lies nowhere that a killed process could leave it",
    .enabled(if: SmallDisk.isPossible))
  func unseen() throws {
    let disk = try #require(SmallDisk(size: "64k"))
    let draft = try FileDraft(of: disk.path + "/a", mode: 0o600)
    try draft.write([1, 2, 3])
    #expect(draft.hiddenName == nil)
    #expect(disk.names == [])
  }
}
