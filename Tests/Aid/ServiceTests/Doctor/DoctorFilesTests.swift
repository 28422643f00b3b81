import AudioIO
import Base
import Book
import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("Files in the examination") struct DoctorFilesTests {
  private static let own = FileRights(owner: geteuid(), mode: 0o644)
  private static let others = FileRights(owner: geteuid() + 1, mode: 0o666)

  @Test("nothing wrong is said in one line")
  func nothing() throws {
    #expect(try finding("files", .usual()).verdict == .good)
    #expect(!DoctorReport(.usual()).findings.contains { $0.subject == "book" })
  }

  @Test(
    "each file has its line, with a remedy, and the way to repair it or why not",
    arguments: [
      (.unwritable("/s"), "permissions", .warning, .none(.administrator)),
      (.full("/s"), "disk", .bad, .none(.administrator)),
      (.changeable("/s/programs.json", own), "permissions", .bad, .none(.trust)),
      (.changeable("/s/programs.json", others), "permissions", .bad, .none(.owner(geteuid() + 1))),
      (
        .readable("/s/programs.json", own, excess: 0o077), "permissions", .warning,
        .step(.tighten("/s/programs.json", excess: 0o077))
      ),
      (.readable("/s/a", others, excess: 0o077), "permissions", .warning, .none(.owner(geteuid() + 1))),
      (.leftSocket("/r/control.sock"), "left behind", .warning, .step(.removeSocket("/r/control.sock"))),
      (.leftLock("/r/p.lock"), "left behind", .warning, .step(.removeLock("/r/p.lock"))),
      (
        .draft("/s/.programs.json.a1b2c3"), "left behind", .warning,
        .step(.removeDraft("/s/.programs.json.a1b2c3"))
      ),
      (.kept("/r/c.muted", .mute), "left behind", .warning, .none(.hearing)),
      (.kept("/r/c.stopped", .stop), "left behind", .warning, .none(.hearing)),
      (.kept("/r/c.configuration", .configuration), "left behind", .warning, .none(.hearing)),
      (.setAside("/s/programs.json.damaged"), "put aside", .warning, .none(.choice)),
      (.newConfiguration("/e/auricle.toml.new"), "configuration", .warning, .none(.choice)),
    ] as [(FileFact, String, DoctorReport.Finding.Verdict, Repair)])
  func facts(
    _ fact: FileFact, _ subject: String, _ verdict: DoctorReport.Finding.Verdict, _ repair: Repair
  ) throws {
    var machine = Machine.usual()
    machine.files = [fact]
    let finding = try #require(DoctorReport(machine).findings.last)
    #expect(finding.subject == subject)
    #expect(finding.verdict == verdict)
    #expect(finding.found.contains("/"))
    #expect(finding.remedy?.hasSuffix(".") == true || finding.remedy?.contains(": ") == true)
    #expect(finding.repair == repair)
  }

  @Test(
    "a disk is full below 64 KiB, or without a name for a file; what is kept for root counts for root alone"
  )
  func fullDisk() {
    // 1 MiB in blocks of 4 KiB, of which root has 17 (68 KiB) and others 15 (60 KiB).
    var space = statvfs()
    (space.f_frsize, space.f_blocks, space.f_bfree, space.f_bavail) = (4096, 256, 17, 15)
    #expect(AidFiles.isFull(space, forRoot: false) && !AidFiles.isFull(space, forRoot: true))
    (space.f_bfree, space.f_bavail) = (200, 200)
    #expect(!AidFiles.isFull(space, forRoot: false))
    (space.f_files, space.f_ffree, space.f_favail) = (10, 1, 0)
    #expect(AidFiles.isFull(space, forRoot: false) && !AidFiles.isFull(space, forRoot: true))
    // A file system without blocks and names, as the kernel makes some.
    #expect(!AidFiles.isFull(statvfs(), forRoot: false))
  }

  @Test(
    "a book of another version, and one that does not open, are told",
    arguments: [
      (.newer, .bad, "a later version"), (.older, .warning, "an earlier version"),
      (.current, .good, "reads"),
      (.unreadable("it is damaged."), .bad, "it is damaged"),
    ] as [(BookForm, DoctorReport.Finding.Verdict, String)])
  func book(_ form: BookForm, _ verdict: DoctorReport.Finding.Verdict, _ words: String) throws {
    var machine = Machine.usual()
    machine.book = form
    let finding = try finding("book", machine)
    #expect(finding.verdict == verdict)
    #expect(finding.found.contains(words) && !finding.found.hasSuffix("."))
    #expect((finding.remedy == nil) == (verdict == .good))
    if case .step = finding.repair { Issue.record("the book is never repaired") }
  }

  // MARK: - The search

  /// State, run-time and configuration folders as they should be, and the search of them.
  private struct Place {
    let folder = TemporaryFolder()
    var hasDaemon = false
    var state: String { folder.file("state") }
    var socket: String { folder.file("run/control.sock") }

    init() {
      for name in ["state", "state/book", "run", "config"] { #expect(mkdir(folder.file(name), 0o700) == 0) }
      for name in [
        "state/programs.json", "state/book/book.sqlite", "config/auricle.toml", "config/ears.json",
      ] {
        write(name)
      }
    }

    func write(_ name: String, _ text: String = "x", mode: UInt32 = 0o600, age: Int = 0) {
      folder.write(text, to: name)
      #expect(chmod(folder.file(name), mode) == 0)
      let moment = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, folder.file(name), [moment, moment], 0) == 0)
    }

    var facts: [FileFact] {
      AidFiles(
        stateFolder: state, claimFolder: folder.file("run"), socket: socket,
        configuration: folder.file("config/auricle.toml"),
        hearing: [folder.file("config/ears.json")], hasDaemon: hasDaemon
      ).facts
    }
  }

  @Test("files as they should be are no finding, with a daemon's own files beside them")
  func allWell() {
    var place = Place()
    #expect(place.facts == [])
    place.write("state/wisdom", mode: 0o644)
    place.write("state/auricled.log", mode: 0o644)
    place.write("state/.programs.json.a1b2c3", age: 5)
    place.write("run/control.sock.lock", "\(getpid())\n")
    #expect(place.facts == [])
    place.hasDaemon = true
    place.write("run/control.sock.muted")
    #expect(place.facts == [])
  }

  @Test(
    "what others may read and change is found, in the state folder, the book and beside the configuration")
  func permissions() {
    let place = Place()
    place.write("state/programs.json", mode: 0o640)
    place.write("state/book/book.sqlite", mode: 0o660)
    place.write("config/ears.json", mode: 0o644)
    place.write("config/auricle.toml", mode: 0o646)
    #expect(chmod(place.state, 0o750) == 0)
    func rights(_ mode: UInt32) -> FileRights { FileRights(owner: geteuid(), mode: mode) }
    #expect(
      place.facts == [
        .readable(place.state, rights(0o750), excess: 0o077),
        .readable(place.state + "/programs.json", rights(0o640), excess: 0o077),
        .changeable(place.state + "/book/book.sqlite", rights(0o660)),
        .changeable(place.folder.file("config/auricle.toml"), rights(0o646)),
        .readable(place.folder.file("config/ears.json"), rights(0o644), excess: 0o007),
      ])
    // The daemon's group has to read an audiogram that an administrator put there, and a configuration is no secret.
    place.write("config/ears.json", mode: 0o640)
    place.write("config/auricle.toml", mode: 0o644)
    #expect(place.facts.count == 3)
    // A folder in which others could put a socket of their own; in a sticky one, such as /tmp, they cannot take ours away.
    #expect(chmod(place.folder.file("run"), 0o777) == 0)
    #expect(place.facts.contains(.changeable(place.folder.file("run"), rights(0o777))))
    #expect(chmod(place.folder.file("run"), 0o1777) == 0)
    #expect(place.facts.count == 3)
  }

  @Test("a link's own permissions are none; those of the file that it leads to count")
  func links() {
    let place = Place()
    #expect(rename(place.folder.file("config/ears.json"), place.folder.file("ears.json")) == 0)
    #expect(symlink(place.folder.file("ears.json"), place.folder.file("config/ears.json")) == 0)
    #expect(place.facts == [])
    place.write("ears.json", mode: 0o604)
    #expect(
      place.facts == [
        .readable(
          place.folder.file("config/ears.json"), FileRights(owner: geteuid(), mode: 0o604), excess: 0o007)
      ])
  }

  @Test("drafts that nobody finishes any more are found, and no other hidden file")
  func drafts() {
    let place = Place()
    for name in [
      "state/.programs.json.a1b2c3", "state/book/.book.head.000000", "config/.auricle.toml.zzzzzz",
      "run/.control.sock.configuration.abc123",
    ] { place.write(name, age: 601) }
    for name in [
      "state/.programs.json.A1b2c3", "state/.profile", "config/.notes.abcdef", "state/.abcdef",
      "state/.notes.abcdef", "run/.session.abcdef",
    ] {
      place.write(name, age: 601)
    }
    #expect(
      place.facts
        == [
          "state/.programs.json.a1b2c3", "state/book/.book.head.000000",
          "run/.control.sock.configuration.abc123",
          "config/.auricle.toml.zzzzzz",
        ].map { .draft(place.folder.file($0)) })
  }

  @Test(
    "socket, locks, mute and configuration of a daemon that is gone are found, not those of one that lives")
  func leftovers() throws {
    let place = Place()
    try leaveSocket(place.socket)
    place.write("run/control.sock.lock", "\(try goneProcess())\n")
    place.write("run/playback-hw%3aAid.lock", "\(try goneProcess())\n")
    place.write("run/playback-other.lock", "\(getpid())\n")
    place.write("run/playback-empty.lock", "")
    // Another program's, in a folder that it shares.
    place.write("run/editor.lock", "\(try goneProcess())\n")
    place.write("run/control.sock.muted")
    place.write("run/control.sock.stopped")
    place.write("run/control.sock.configuration")
    #expect(
      place.facts == [
        .leftSocket(place.socket), .leftLock(place.folder.file("run/playback-hw%3aAid.lock")),
        .kept(place.socket + ".muted", .mute), .kept(place.socket + ".stopped", .stop),
        .kept(place.socket + ".configuration", .configuration),
      ])
  }

  @Test(
    "of a mute that is kept beside its place in a shared folder, the file that is the aid's own is told")
  func keptBeside() throws {
    let place = Place()
    chmod(place.folder.file("run"), 0o1777)
    // Nothing that the aid can remove, as another user's file.
    mkdir(place.socket + ".muted", 0o700)
    try KeptSilence(.mute, besideSocket: place.socket).keep()
    let told = place.facts.compactMap { fact -> String? in
      if case .kept(let path, .mute) = fact { path } else { nil }
    }
    #expect(told.count == 1 && told.first?.hasPrefix(place.socket + ".muted.") == true)
  }

  @Test("what was put aside, and a configuration that an update brought, are found")
  func asides() {
    let place = Place()
    place.write("state/programs.json.damaged")
    place.write("state/book.before-restore-1")
    place.write("config/auricle.toml.new", mode: 0o644)
    #expect(
      place.facts.contains(.setAside(place.state + "/programs.json.damaged"))
        && place.facts.contains(.setAside(place.state + "/book.before-restore-1"))
        && place.facts.contains(.newConfiguration(place.folder.file("config/auricle.toml.new"))))
  }
}

/// A socket in the file system on which nobody listens any more.
func leaveSocket(_ path: String) throws {
  let address = try #require(UnixAddress(path))
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #expect(address.withPointer { bind(descriptor, $0, $1) } == 0)
  close(descriptor)
}

/// Number of a process that has ended.
func goneProcess() throws -> Int32 {
  let number = try ProgramLaunch.start("/bin/true", [], streams: [])
  var status: Int32 = 0
  #expect(waitpid(number, &status, 0) == number)
  return number
}
