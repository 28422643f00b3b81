import Base
import CommonTesting
import Glibc
import Testing

@testable import AuricleClient

@Suite("Advice on the command that starts an aid") struct StartAdviceTests {
  private let folder = TemporaryFolder()

  /// Makes a file of the machine, with the folders above it.
  private func make(_ path: String, _ text: String = "") throws {
    try Folder.make(folder.path + FilePath.folder(of: path))
    folder.write(text, to: String(path.dropFirst()))
  }

  /// The service as a package installs it.
  private func install() throws { try make("/usr/lib/systemd/system/auricled.service", "[Service]\n") }

  private func enable() throws { try make("/etc/systemd/system/multi-user.target.wants/auricled.service") }

  private static let systems = "/run/auricle/control.sock"
  private static let own = "/run/user/1000/auricle/control.sock"

  private func advice(
    user: UInt32 = 1000, asking socket: String = systems, home: String? = nil,
    _ variables: [String: String] = [:]
  ) -> StartAdvice {
    let usual = ["HOME": folder.path + "/home/ada", "XDG_RUNTIME_DIR": "/run/user/\(user)"]
    return StartAdvice(
      StandardPaths(environment: usual.merging(variables) { $1 }, userID: user, accountHome: home),
      asking: socket, below: folder.path)
  }

  @Test("where the system's aid was never set up, a person starts their own, and so does root")
  func own() throws {
    #expect(advice().command == "auricle start" && advice().request == "Start it")
    try install()
    #expect(advice().command == "auricle start")
    #expect(advice(user: 0).command == "auricle start")
  }

  @Test("where it is enabled, who has no prescription of their own starts the system's, root without sudo")
  func enabled() throws {
    try install()
    try enable()
    #expect(advice().command == "sudo systemctl start auricled")
    #expect(advice().request == "Start the system's aid")
    #expect(advice(user: 0).command == "systemctl start auricled")
  }

  @Test("the service's account starts it too, whose prescription is the system's")
  func servicesAccount() throws {
    try install()
    try make("/var/lib/auricle/book/book.sqlite")
    let state = ["STATE_DIRECTORY": folder.path + "/var/lib/auricle"]
    #expect(advice(user: 999, home: "/var/lib/auricle", state).command == "auricle start")
    try enable()
    #expect(advice(user: 999, home: "/var/lib/auricle", state).command == "sudo systemctl start auricled")
    // With the same book a person's own aid is the one.
    #expect(advice(user: 999, state).command == "auricle start")
  }

  @Test("a socket that systemd keeps for it counts as much")
  func socket() throws {
    try install()
    try make("/etc/systemd/system/sockets.target.wants/auricled.socket")
    #expect(advice().isSystems)
  }

  @Test("folders that stay for ever do not tell that it is set up")
  func state() throws {
    try install()
    try Folder.make(folder.path + "/var/lib/auricle")
    try Folder.make(folder.path + "/run/auricle")
    #expect(!advice().isSystems)
  }

  @Test("its socket does, and so does what it left beside that", arguments: ["", ".muted"])
  func trace(_ ending: String) throws {
    try install()
    try make(Self.systems + ending)
    #expect(advice().isSystems)
  }

  @Test("so does its configuration, where that names an audiogram")
  func systemsConfiguration() throws {
    try install()
    try make("/etc/auricle/auricle.toml", "[device]\nplayback = \"hw:0\"\n")
    #expect(!advice().isSystems)
    try make("/etc/auricle/auricle.toml", "[hearing]\naudiogram = \"mine.json\"\n")
    #expect(advice().isSystems)
  }

  @Test("where a person's own place was asked and nothing lies there, the system's aid is the one")
  func nothing() throws {
    try install()
    try enable()
    #expect(advice(asking: Self.own).isSystems)
    #expect(advice(asking: "/tmp/auricle-1000/control.sock").isSystems)
  }

  @Test(
    "a socket, a lock or a mute that an aid of the person's left is mended by starting that aid",
    arguments: ["", ".lock", ".muted", ".configuration"])
  func left(_ ending: String) throws {
    try install()
    try enable()
    try make(Self.own + ending)
    #expect(advice(asking: Self.own).command == "auricle start")
    // The system's socket that is asked by name is meant.
    #expect(advice().isSystems)
  }

  @Test("a socket that was named is the system's where it is the usual one, or its configuration's")
  func named() throws {
    try install()
    try enable()
    #expect(!advice(asking: "/home/ada/lab.sock").isSystems)
    #expect(!advice(asking: Self.own, ["AURICLE_SOCKET": Self.own]).isSystems)
    #expect(advice(["AURICLE_SOCKET": Self.systems]).isSystems)
    try make("/etc/auricle/auricle.toml", "[control]\nsocket = \"/srv/auricle.sock\"\n")
    #expect(advice(asking: "/srv/auricle.sock").isSystems)
    #expect(!advice(asking: "/home/ada/lab.sock").isSystems)
  }

  @Test("the file that AURICLE_CONFIG names is the person's, instead of their usual one")
  func namedConfiguration() throws {
    try install()
    try enable()
    try make("/home/ada/lab.toml", "[hearing]\naudiogram = \"mine.json\"\n")
    #expect(advice().isSystems)
    let named = ["AURICLE_CONFIG": folder.path + "/home/ada/lab.toml"]
    #expect(!advice(named).isSystems)
    try make("/home/ada/lab.toml", "[device]\nplayback = \"hw:0\"\n")
    try make("/home/ada/.config/auricle/auricle.toml", "[hearing]\naudiogram = \"mine.json\"\n")
    #expect(advice(named).isSystems)
    #expect(!advice(["AURICLE_CONFIG": ""]).isSystems)
    #expect(advice(["AURICLE_CONFIG": "/etc/auricle/auricle.toml"]).isSystems)
  }

  @Test("what lies beside a person's socket is of their own aid, what lies beside the system's of that one")
  func beside() {
    let advice = StartAdvice(isSystems: true)
    #expect(advice.ofAid(beside: Self.systems).command == "sudo systemctl start auricled")
    #expect(advice.ofAid(beside: Self.own + ".muted").command == "auricle start")
    #expect(!StartAdvice(isSystems: false).ofAid(beside: Self.systems).isSystems)
    #expect(advice.sentence == "Start the system's aid: sudo systemctl start auricled.")
  }

  @Test("a link that is left of a service which is not installed, or which is masked, starts nothing")
  func gone() throws {
    try enable()
    #expect(!advice().isSystems)
    try install()
    symlink("/dev/null", folder.path + "/etc/systemd/system/auricled.service")
    #expect(!advice().isSystems)
  }

  @Test("who has a book of cards of their own starts their own aid, beside the system's")
  func book() throws {
    try install()
    try enable()
    try make("/home/ada/.local/state/auricle/book/book.sqlite")
    #expect(advice().command == "auricle start")
    // Root's book is the system's.
    #expect(advice(user: 0).isSystems)
  }

  @Test(
    "so does who has a configuration that names an audiogram; devices alone are no prescription",
    arguments: [
      ("[device]\nplayback = \"hw:0\"\n", true), ("[hearing]\nlink = 1\n", true), ("[hearing\n", true),
      ("[hearing]\naudiogram = \"mine.json\"\n", false), ("hearing.audiogram = \"mine.json\"\n", false),
    ])
  func configuration(_ text: String, _ isSystems: Bool) throws {
    try install()
    try enable()
    try make("/home/ada/.config/auricle/auricle.toml", text)
    #expect(advice().isSystems == isSystems)
  }

  @Test("on a clinic's device the system's aid is the one, whatever the person has")
  func clinics() throws {
    try make("/etc/auricle/device.json", "{}")
    try make("/home/ada/.local/state/auricle/book/book.sqlite")
    #expect(advice().command == "sudo systemctl start auricled")
  }

  @Test(
    "a system's aid that is closed to a person is no aid of theirs",
    .enabled(if: geteuid() != 0, "root may look into every folder"))
  func closed() throws {
    try install()
    try enable()
    try Folder.make(folder.path + "/run/auricle")
    chmod(folder.path + "/run/auricle", 0)
    #expect(!advice().isSystems)
    chmod(folder.path + "/run/auricle", 0o700)
  }
}
