import Base
import CommonTesting
import Control
import Engine
import Glibc
import Prescriptions
import Sealing
import Testing

@testable import Book
@testable import Service

/// A device with its state and configuration folders, as one wearer has them.
private final class Device {
  let folder = TemporaryFolder()
  var state: String { folder.file("state") }
  var configuration: String { folder.file("etc/auricle.toml") }
  let store: PrescriptionStore

  init() {
    mkdir(folder.file("state"), 0o700)
    mkdir(folder.file("etc"), 0o700)
    store = PrescriptionStore(
      folder: folder.file("state/book"),
      configuration: ConfigurationSearch(explicit: folder.file("etc/auricle.toml")))
  }

  func text(_ name: String) -> String { String(decoding: folder.bytes(of: name), as: UTF8.self) }

  func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try store.answer(method, fromUser: 1000, process: 42)
  }
}

@Suite("A profile") struct ProfileTests {
  private let passphrase = "four words are enough"
  private let clinic: CardMaker
  private let one = Device()

  init() throws {
    clinic = try CardMaker()
    let identity = clinic.key.identity
    _ = try one.ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
    let card = try clinic.prescription(1)
    let preview = try one.ask(PrescriptionMethods.Look(card: card))
    _ = try one.ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
    one.folder.write("programs of one", to: "state/programs.json")
    one.folder.write("feedback of one", to: "state/feedback.json")
    one.folder.write("[hearing]\naudiogram = \"ears/ada.json\"\n", to: "etc/auricle.toml")
    mkdir(one.folder.file("etc/ears"), 0o700)
    one.folder.write("ears of one", to: "etc/ears/ada.json")
  }

  private var backup: String { one.folder.file("kept.book") }

  private func restore(_ device: Device) throws -> String {
    device.store.close()
    return try device.store.restore(
      from: backup, passphrase: passphrase, byUser: 1000, process: 42)
  }

  @Test("a backup lies in no place where the daemon would take it for a file of its own")
  func ownPlace() throws {
    for name in ["state/book.restoring", "state/.asoundrc"] {
      let backup = BookMethods.BackUp(path: one.folder.file(name), passphrase: passphrase)
      #expect(throws: Failure.self) { try one.ask(backup) }
      #expect(access(one.folder.file(name), F_OK) != 0)
    }
  }

  @Test("a backup that is to lie in the state folder's folder for backups makes it, for its owner alone")
  func ownFolder() throws {
    for name in ["kept.book", "second.book"] {
      _ = try one.ask(
        BookMethods.BackUp(path: one.folder.file("state/backups/\(name)"), passphrase: passphrase))
    }
    var status = stat()
    #expect(stat(one.folder.file("state/backups"), &status) == 0 && status.st_mode & 0o7777 == 0o700)
    #expect(TemporaryFolder.names(in: one.folder.file("state/backups")) == ["kept.book", "second.book"])
    // Nowhere else is one made.
    #expect(throws: Failure.self) {
      try one.ask(BookMethods.BackUp(path: one.folder.file("backups/kept.book"), passphrase: passphrase))
    }
    #expect(access(one.folder.file("backups"), F_OK) != 0)
  }

  @Test(
    "a backup of the system's service lies in no folder that it has for itself (PrivateTmp=, systemd.exec(5))",
    arguments: ["/tmp/kept.book", "/var/tmp/kept.book", "/tmp/none/kept.book"])
  func privateFolder(path: String) throws {
    let profile = Profile(folder: "/var/lib/auricle", configuration: nil)
    func refusal(_ path: String, _ environment: [String: String]) -> Base.ExitStatus? {
      do throws(Failure) {
        try profile.refuseOwnPlace(path, of: StandardPaths(environment: environment, userID: 990))
        return nil
      } catch { return error.exitStatus }
    }
    let service = ["RUNTIME_DIRECTORY": "/run/auricle"]
    #expect(refusal(path, service) == .cannotCreate)
    #expect(refusal(path, ["XDG_RUNTIME_DIR": "/run/user/990"]) == nil)
    #expect(refusal("/srv/kept.book", service) == nil)
    #expect(refusal("/var/lib/auricle/backups/kept.book", service) == nil)
    #expect(refusal("/var/lib/auricle/kept.book", service) == .noPermission)
  }

  @Test("book, trust, program, volume, tone, feedback, configuration and its files come back elsewhere")
  func whole() throws {
    let message = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase)).message
    #expect(
      message.contains("with programs.json, feedback.json, configuration and configuration/ears/ada.json"))
    let other = Device()
    other.folder.write("programs of another", to: "state/programs.json")
    other.folder.write("[log]\nlevel = \"debug\"\n", to: "etc/auricle.toml")
    #expect(try restore(other).contains("auricle.toml.before-restore-1"))
    #expect(try other.ask(PrescriptionMethods.List()).inForce?.serial == 1)
    #expect(try other.ask(TrustMethods.List()).clinics.map(\.name) == ["City Hearing Clinic"])
    for name in ["state/programs.json", "state/feedback.json", "etc/auricle.toml", "etc/ears/ada.json"] {
      #expect(other.text(name) == one.text(name), "\(name)")
    }
    #expect(other.text("etc/auricle.toml.before-restore-1").contains("debug"))
    #expect(try other.ask(BookMethods.VerifyAudit()).isWhole)
  }

  /// An audiogram of a flat loss, which can be fitted.
  private static let audiogram = """
    {"format": "auricle-audiogram", "version": 1, "right": {},
     "left": {"air": {"250": 40, "500": 40, "1000": 40, "2000": 40, "4000": 40}}}
    """

  /// Settings of a device, which can be had where every file that its configuration names is there.
  private func settings(_ device: Device) throws -> AidSettings {
    try AidSettings(ConfigurationSearch(explicit: device.configuration).load().get())
  }

  @Test(
    "a file of the configuration's folder that it names from the root is in the backup, and named from the folder where it is restored",
    arguments: ["ears/ada.json", "./ears/./ada.json", "ears//ada.json"])
  func absolute(name: String) throws {
    one.folder.write(Self.audiogram, to: "etc/ears/ada.json")
    one.folder.write(
      "# Ada's\n[hearing]\naudiogram = \"\(one.folder.file("etc/" + name))\"  # by hand\nlink = 0.5\n",
      to: "etc/auricle.toml")
    let message = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase)).message
    #expect(message.contains("configuration/ears/ada.json") && !message.contains("Not in it"))
    let other = Device()
    _ = try restore(other)
    #expect(
      other.text("etc/auricle.toml")
        == "# Ada's\n[hearing]\naudiogram = \"ears/ada.json\"  # by hand\nlink = 0.5\n")
    #expect(try settings(other).hearing.fittedEars == [.left])
  }

  @Test("so is one that it names in braces")
  func inBraces() throws {
    one.folder.write(Self.audiogram, to: "etc/ears/ada.json")
    let named = "\"\(one.folder.file("etc/ears/ada.json"))\""
    let text = "hearing = { audiogram = \(named), link = 0.5 } # by hand\n"
    one.folder.write(text, to: "etc/auricle.toml")
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    let other = Device()
    _ = try restore(other)
    #expect(other.text("etc/auricle.toml") == text.replacing(named, with: "\"ears/ada.json\""))
    #expect(try settings(other).hearing.fittedEars == [.left])
  }

  @Test("where the former folder is the present one, the configuration comes back as it was")
  func samePlace() throws {
    one.folder.write(
      "[hearing]\naudiogram = \"\(one.folder.file("etc/ears/ada.json"))\"\n", to: "etc/auricle.toml")
    let text = one.text("etc/auricle.toml")
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    one.folder.write("[log]\nlevel = \"debug\"\n", to: "etc/auricle.toml")
    _ = try restore(one)
    #expect(one.text("etc/auricle.toml") == text)
  }

  @Test("a configuration whose folder is reached by a link has the files of that folder in its backup")
  func linkedFolder() throws {
    symlink(one.folder.file("etc"), one.folder.file("link"))
    one.folder.write(
      "[hearing]\naudiogram = \"\(one.folder.file("link/ears/ada.json"))\"\n", to: "etc/auricle.toml")
    let message = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase)).message
    #expect(message.contains("configuration/ears/ada.json") && !message.contains("Not in it"))
  }

  @Test("a file elsewhere keeps its name where a restored one could be mistaken for it")
  func mistakable() throws {
    let elsewhere = one.folder.file("elsewhere/ears/ada.json")
    one.folder.write(
      """
      [hearing]
      audiogram = "\(elsewhere)"
      [calibration.earphone]
      file = "ears/ada.json"

      """, to: "etc/auricle.toml")
    let text = one.text("etc/auricle.toml")
    let message = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase)).message
    #expect(message.contains("Not in it: \(elsewhere)"))
    let other = Device()
    _ = try restore(other)
    #expect(other.text("etc/auricle.toml") == text)
  }

  @Test("what the profile does not have is not there afterwards")
  func absent() throws {
    unlink(one.folder.file("state/feedback.json"))
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    let other = Device()
    other.folder.write("feedback of another", to: "state/feedback.json")
    _ = try restore(other)
    #expect(access(other.folder.file("state/feedback.json"), F_OK) != 0)
    #expect(other.text("state/feedback.json.before-restore-1") == "feedback of another")
  }

  @Test("with a wrong passphrase, or a place that cannot be written, nothing of the former profile changes")
  func nothing() throws {
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    let other = Device()
    other.folder.write("programs of another", to: "state/programs.json")
    other.folder.write("", to: "etc/ears")  // A file where a folder has to be.
    #expect(throws: Failure.self) { try restore(other) }
    #expect(throws: Failure.self) {
      try other.store.restore(from: backup, passphrase: "not these words", byUser: 0, process: 1)
    }
    #expect(other.text("state/programs.json") == "programs of another")
    #expect(TemporaryFolder.names(in: other.state) == ["programs.json"])
    #expect(TemporaryFolder.names(in: other.folder.file("etc")) == ["ears"])
  }

  @Test(
    "a restoration that is refused once all is ready, as beside an aid that was started meanwhile, changes nothing"
  )
  func refusedAtTheEnd() throws {
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    let other = Device()
    other.folder.write("programs of another", to: "state/programs.json")
    mkdir(other.folder.file("etc/ears"), 0o700)
    let refusal = Failure("book restore", found: "an aid that runs", exit: .temporary)
    let failure = try #require(throws: Failure.self) {
      try other.store.restore(
        from: backup, passphrase: passphrase, byUser: 0, process: 1,
        checking: { () throws(Failure) in throw refusal })
    }
    #expect(failure == refusal)
    #expect(other.text("state/programs.json") == "programs of another")
    #expect(TemporaryFolder.names(in: other.state) == ["programs.json"])
    #expect(TemporaryFolder.names(in: other.folder.file("etc")) == ["ears"])
    #expect(TemporaryFolder.names(in: other.folder.file("etc/ears")).isEmpty)
  }

  @Test("a file that the configuration names elsewhere is not in the backup, and that is said")
  func elsewhere() throws {
    one.folder.write("[hearing]\naudiogram = \"/nowhere/ada.json\"\n", to: "etc/auricle.toml")
    let message = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase)).message
    #expect(
      message.contains("Not in it: /nowhere/ada.json, which lies outside the configuration's folder."))
  }

  @Test(
    "no backup brings the machine's mark or the book's key",
    arguments: ["device.json", "book-key.cred"])
  func machineFiles(name: String) throws {
    let profile = Profile(
      folder: one.state, configuration: ConfigurationSearch(explicit: "/etc/auricle/auricle.toml"))
    func places(_ name: String) throws -> [Replacement.File] {
      try profile.places(
        of: [BackupFile.Part(name: "configuration/\(name)", bytes: [1])], in: "kept.book")
    }
    #expect(throws: BookError.self) { try places(name) }
    #expect(try places("ada.json").map(\.path).contains("/etc/auricle/ada.json"))
  }

  @Test("the configuration comes by its own name alone, not as a file beside itself")
  func secondConfiguration() throws {
    for place in ["/etc/auricle/auricle.toml", "/nowhere/auricle.toml", one.configuration] {
      let profile = Profile(folder: one.state, configuration: ConfigurationSearch(explicit: place))
      #expect(throws: BookError.newerBook(path: "kept.book")) {
        try profile.places(
          of: [BackupFile.Part(name: "configuration/auricle.toml", bytes: [1])], in: "kept.book")
      }
    }
  }

  /// A name by which alsa-lib starts a program (pcm_file.c).
  private static let harmful = "tee:null,'|id',raw"

  @Test(
    "a backup with a device that may start programs is refused with its name, unless the present configuration has it",
    arguments: ["capture", "playback", "stream"])
  func harmfulDevice(key: String) throws {
    let text = "[device]\n\(key) = \"\(Self.harmful)\"\n"
    one.folder.write(text, to: "etc/auricle.toml")
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    let other = Device()
    other.folder.write("programs of another", to: "state/programs.json")
    let failure = try #require(throws: Failure.self) { try restore(other) }
    #expect(failure.exitStatus == .badData)
    #expect(failure.message.contains("found device.\(key) = \"\(Self.harmful)\" in its configuration"))
    #expect(other.text("state/programs.json") == "programs of another")
    #expect(TemporaryFolder.names(in: other.state) == ["programs.json"])
    #expect(TemporaryFolder.names(in: other.folder.file("etc")) == [])
    // Who has set it knows it.
    other.folder.write("[device]\nplayback = \"\(Self.harmful)\"\n", to: "etc/auricle.toml")
    _ = try restore(other)
    #expect(other.text("etc/auricle.toml") == text)
  }

  @Test("so is one whose configuration has a mistake as well, and one with another configuration beside it")
  func harmfulText() {
    let search = ConfigurationSearch(explicit: one.configuration)
    let profile = Profile(folder: one.state, configuration: search)
    let settings = ["device.playback = \"\(Self.harmful)\""]
    // An unknown section, and a line that is no TOML: once it is removed, the rest is read.
    for mistake in ["[nonsense]\nx = 1\n", "[devic\n"] {
      let text = Array("[device]\nplayback = \"\(Self.harmful)\"\n\(mistake)".utf8)
      for name in ["configuration", "configuration/work.toml"] {
        #expect(throws: BookError.harmfulDevices(path: "kept.book", settings: settings)) {
          try profile.places(of: [BackupFile.Part(name: name, bytes: text)], in: "kept.book")
        }
      }
    }
  }

  @Test("the name of such a device is cut in the message where it is longer than 200 characters")
  func longHarmfulName() {
    let search = ConfigurationSearch(explicit: one.configuration)
    let profile = Profile(folder: one.state, configuration: search)
    let name = String(repeating: "|", count: 200)
    for (written, told) in [(name, name), (name + "|", name + "…")] {
      let part = BackupFile.Part(
        name: "configuration", bytes: Array("[device]\nplayback = \"\(written)\"\n".utf8))
      let settings = ["device.playback = \"\(told)\""]
      #expect(throws: BookError.harmfulDevices(path: "kept.book", settings: settings)) {
        try profile.places(of: [part], in: "kept.book")
      }
    }
  }

  @Test("a calibration beside the configuration with the notes of a measuring microphone is restored")
  func notes() throws {
    let search = ConfigurationSearch(explicit: one.configuration)
    let profile = Profile(folder: one.state, configuration: search)
    let text = #"{"notes":["\"Sens Factor =-1.378dB, SERNO: 7000000\""],"rows":[[20,-3],[1000,0]]}"#
    let part = BackupFile.Part(name: "configuration/ears/microphone.json", bytes: Array(text.utf8))
    let places = try profile.places(of: [part], in: "kept.book")
    #expect(places.contains { $0.path.hasSuffix("/ears/microphone.json") && $0.bytes == part.bytes })
  }

  @Test(
    "the place of a restored configuration is told, and for the system's aid that it is to be copied where that reads it",
    arguments: [
      ("/home/ada/.local/state/auricle", "/home/ada/a.toml", false),
      ("/var/lib/auricle", "/etc/auricle/auricle.toml", false),
      ("/var/lib/auricle", "/var/lib/auricle/.config/auricle/auricle.toml", true),
    ])
  func place(folder: String, path: String, isLost: Bool) throws {
    let profile = Profile(folder: folder, configuration: ConfigurationSearch(explicit: path))
    let parts = [BackupFile.Part(name: "configuration", bytes: [1])]
    let note = try #require(profile.placeNote(restoring: parts))
    #expect(note.hasPrefix("The configuration is \(path)"))
    #expect(note.contains("copy it to /etc/auricle/auricle.toml") == isLost)
    // A copy that root makes otherwise has the mode of the restored file, which the service's user may not read.
    #expect(note.contains("sudo install -D -m 644 FILE /etc/auricle/FILE") == isLost)
    #expect(Profile(folder: folder, configuration: nil).placeNote(restoring: parts) == nil)
    // None is to be copied where none is.
    #expect(
      profile.placeNote(restoring: []) == "The backup has no configuration: there is none at \(path) now.")
  }

  @Test("of a backup without a configuration it is said that there is none now, and what there was is kept")
  func noConfiguration() throws {
    unlink(one.configuration)
    _ = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase))
    let other = Device()
    other.folder.write("[log]\nlevel = \"debug\"\n", to: "etc/auricle.toml")
    let message = try restore(other)
    #expect(
      message.contains("The backup has no configuration: there is none at \(other.configuration) now."))
    #expect(message.contains("auricle.toml.before-restore-1") && !message.contains("The configuration is"))
    #expect(access(other.configuration, F_OK) != 0)
  }

  @Test(
    "a hidden file of the configuration's folder is not in the backup, and that is the reason which is said",
    arguments: [".ears/ada.json", "ears/.ada.json"])
  func hidden(name: String) throws {
    mkdir(one.folder.file("etc/.ears"), 0o700)
    one.folder.write("ears of one", to: "etc/" + name)
    one.folder.write("[hearing]\naudiogram = \"\(name)\"\n", to: "etc/auricle.toml")
    let message = try one.ask(BookMethods.BackUp(path: backup, passphrase: passphrase)).message
    #expect(message.contains("Not in it: \(one.folder.file("etc/" + name)), which is hidden; name it"))
    #expect(!message.contains("outside"))
  }
}
