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

  private func advice(user: UInt32 = 1000) -> StartAdvice {
    StartAdvice(
      StandardPaths(
        environment: ["HOME": folder.path + "/home/ada", "XDG_RUNTIME_DIR": "/run/user/\(user)"],
        userID: user), below: folder.path)
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

  @Test("a socket that systemd keeps for it counts as much")
  func socket() throws {
    try install()
    try make("/etc/systemd/system/sockets.target.wants/auricled.socket")
    #expect(advice().isSystems)
  }

  @Test(
    "a state folder of the service's user tells that it has run; one of root's is that of root's commands",
    .enabled(if: geteuid() == 0, "root alone can give a file away"))
  func state() throws {
    try install()
    try Folder.make(folder.path + "/var/lib/auricle")
    #expect(!advice().isSystems)
    // nobody, 65534 in Debian.
    chown(folder.path + "/var/lib/auricle", 65_534, 65_534)
    #expect(advice().isSystems)
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
