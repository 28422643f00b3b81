import Base
import CommonTesting
import Glibc
import Testing

@testable import Control

@Suite("Standard paths") struct StandardPathsTests {
  private func paths(_ environment: [String: String], user: UInt32 = 1000) -> StandardPaths {
    StandardPaths(environment: environment, userID: user)
  }

  @Test("a person's files follow the XDG variables, and the home folder without them")
  func person() {
    let xdg = paths([
      "HOME": "/home/a", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s",
      "XDG_RUNTIME_DIR": "/run/user/1000/",
    ])
    #expect(xdg.configurationFiles == ["/c/auricle/auricle.toml", "/etc/auricle/auricle.toml"])
    #expect(xdg.stateDirectory == "/s/auricle")
    #expect(xdg.socket == "/run/user/1000/auricle/control.sock")
    let home = paths(["HOME": "/home/a"])
    #expect(
      home.configurationFiles == ["/home/a/.config/auricle/auricle.toml", "/etc/auricle/auricle.toml"])
    #expect(home.stateDirectory == "/home/a/.local/state/auricle")
    #expect(home.socket == "/tmp/auricle-1000/control.sock")
  }

  @Test("variables that are empty or relative are ignored, as the specification demands")
  func ignored() {
    let odd = paths(["HOME": "/h", "XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": "./r"])
    #expect(odd.configurationFiles.first == "/h/.config/auricle/auricle.toml")
    #expect(odd.stateDirectory == "/h/.local/state/auricle")
    #expect(odd.runtimeDirectory == "/tmp/auricle-1000")
    #expect(paths([:]).configurationFiles == ["/etc/auricle/auricle.toml"])
    #expect(paths([:]).stateDirectory == "/var/lib/auricle")
  }

  @Test("the system's daemon uses what the unit gives it, and root the system's folders")
  func system() {
    let unit = paths(
      [
        "RUNTIME_DIRECTORY": "/run/auricle", "STATE_DIRECTORY": "/var/lib/auricle:/x",
        "XDG_STATE_HOME": "/s",
      ])
    #expect(unit.socket == "/run/auricle/control.sock")
    #expect(unit.stateDirectory == "/var/lib/auricle")
    let root = paths(["HOME": "/root", "XDG_RUNTIME_DIR": "/run/user/0"], user: 0)
    #expect(root.socket == "/run/auricle/control.sock")
    #expect(root.stateDirectory == "/var/lib/auricle")
  }

  @Test(
    "the service's account has the system's folders, whatever its session's variables say, and no other")
  func systemsAccount() {
    let session = [
      "HOME": "/root", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/999", "STATE_DIRECTORY": "",
    ]
    let service = StandardPaths(environment: session, userID: 999, accountHome: "/var/lib/auricle")
    #expect(service.stateDirectory == "/var/lib/auricle")
    #expect(service.socket == "/run/auricle/control.sock" && service.isSystemsDaemon(named: nil))
    #expect(service.socketCandidates == ["/run/auricle/control.sock"])
    // The system's first: its own is what a restoration left.
    #expect(
      service.configurationFiles == ["/etc/auricle/auricle.toml", "/root/.config/auricle/auricle.toml"])
    // A unit's folders come first, as for everybody.
    let unit = StandardPaths(
      environment: ["STATE_DIRECTORY": "/t", "RUNTIME_DIRECTORY": "/r"], userID: 999,
      accountHome: "/var/lib/auricle")
    #expect(unit.stateDirectory == "/t" && unit.runtimeDirectory == "/r")
    #expect(!unit.isSystemsDaemon(named: nil))
  }

  @Test("accounts are asked for nobody but the owner of a folder of the system's daemon")
  func owner() {
    let folder = TemporaryFolder()
    #expect(StandardPaths.ownsSystems(geteuid(), [folder.file("absent"), folder.path]))
    #expect(!StandardPaths.ownsSystems(geteuid() + 1, [folder.path]))
    #expect(!StandardPaths.ownsSystems(geteuid(), [folder.file("absent")]))
  }

  @Test("a person of another home keeps their own folders, also where HOME leads to the service's")
  func borrowedHome() {
    let person = StandardPaths(
      environment: ["HOME": "/var/lib/auricle"], userID: 1000, accountHome: "/home/a")
    #expect(person.stateDirectory == "/var/lib/auricle/.local/state/auricle")
    #expect(person.runtimeDirectory == "/tmp/auricle-1000")
  }

  @Test("the service's account and its folders are those that the installation makes")
  func installed() throws {
    let repository = try #require(#filePath.firstRange(of: "/Tests/").map { #filePath[..<$0.lowerBound] })
    func lines(_ path: String) throws -> [[Substring]] {
      let bytes = try FileContent.bytes(of: "\(repository)/Installation/usr/lib/\(path)", limit: 1 << 16)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    }
    let user = try #require(try lines("sysusers.d/auricle.conf").first { $0.first == "u" })
    #expect(user[1] == "auricle" && user.last == Substring(StandardPaths.systemsState))
    let folder = try #require(try lines("tmpfiles.d/auricle.conf").first { $0.first == "d" })
    #expect(folder[1] == Substring(StandardPaths.systemsRuntime) && folder[3] == user[1])
  }

  @Test("root's commands find the system's daemon, not that of the person whose session they are begun in")
  func rootInSession() {
    let session = ["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/1000"]
    let root = paths(session, user: 0)
    #expect(root.socketCandidates == ["/run/auricle/control.sock"])
    #expect(root.clientSocket(explicit: nil, exists: { _ in true }) == "/run/auricle/control.sock")
    let inFolder = paths(session.merging(["RUNTIME_DIRECTORY": "/f"]) { $1 }, user: 0)
    #expect(inFolder.clientSocket(explicit: nil, exists: { _ in true }) == "/f/control.sock")
  }

  @Test("an aid of root's own session is found by root, before the system's; root begins the system's")
  func rootsOwnSession() {
    let root = paths(["HOME": "/root", "XDG_RUNTIME_DIR": "/run/user/0/"], user: 0)
    #expect(
      root.socketCandidates == ["/run/user/0/auricle/control.sock", "/run/auricle/control.sock"])
    #expect(root.clientSocket(explicit: nil, exists: { _ in false }) == "/run/auricle/control.sock")
  }

  @Test(
    "the system's daemon is the one of the system's run-time folder, unless a socket is named for this run")
  func systemsDaemon() {
    let unit = paths(["RUNTIME_DIRECTORY": "/run/auricle"])
    #expect(unit.isSystemsDaemon(named: nil))
    #expect(!unit.isSystemsDaemon(named: "/run/auricle/other.sock"))
    #expect(!paths(["XDG_RUNTIME_DIR": "/run/user/1000"]).isSystemsDaemon(named: nil))
  }

  @Test("a command finds its own daemon before the system's, and what it is told before both")
  func client() {
    let own = paths(["XDG_RUNTIME_DIR": "/r"])
    #expect(own.clientSocket(explicit: "/x", exists: { _ in true }) == "/x")
    #expect(own.clientSocket(explicit: nil, exists: { _ in true }) == "/r/auricle/control.sock")
    #expect(
      own.clientSocket(explicit: nil, exists: { $0.hasPrefix("/run/") }) == "/run/auricle/control.sock")
    #expect(own.clientSocket(explicit: nil, exists: { _ in false }) == "/r/auricle/control.sock")
    let told = paths(["AURICLE_SOCKET": "/e"])
    #expect(told.clientSocket(explicit: nil, exists: { _ in true }) == "/e")
    #expect(told.clientSocket(explicit: "/x", exists: { _ in true }) == "/x")
    #expect(paths(["AURICLE_SOCKET": ""]).namedSocket == nil)
  }

  @Test(
    "a command finds a daemon where the configuration says it listens, or where it listens all the same")
  func configured() {
    let own = paths(["XDG_RUNTIME_DIR": "/r"])
    #expect(own.clientSocket(explicit: nil, configured: "/c", exists: { _ in true }) == "/c")
    #expect(
      own.clientSocket(explicit: nil, configured: "/c", exists: { $0.hasPrefix("/run/") })
        == "/run/auricle/control.sock")
    #expect(own.clientSocket(explicit: nil, configured: "/c", exists: { _ in false }) == "/c")
    let told = paths(["AURICLE_SOCKET": "/e"])
    #expect(told.clientSocket(explicit: nil, configured: "/c", exists: { _ in true }) == "/e")
  }

  @Test("a socket in another user's folder below /tmp is passed over, unless somebody names it")
  func stranger() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "control.sock")
    let socket = folder.file("control.sock")
    // Root's folders are trusted by everybody: where this is root, it becomes nobody's (65534 in Debian).
    let owner: UInt32 = geteuid() == 0 ? 65534 : geteuid()
    try #require(chown(folder.path, owner, getegid()) == 0)
    let (own, other) = (paths([:], user: owner), paths([:], user: owner + 1))
    #expect(own.hasSocket(socket) && !own.hasSocket(folder.file("other.sock")))
    #expect(!other.hasSocket(socket))
    #expect(own.clientSocket(explicit: nil, configured: socket) == socket)
    #expect(other.clientSocket(explicit: socket) == socket)
  }

  @Test("the configuration is searched in order: flag, variable, person, system, none")
  func search() {
    let environment = ["HOME": "/h", "AURICLE_CONFIG": "/named"]
    func file(_ explicit: String?, _ environment: [String: String], _ existing: Set<String>) -> String? {
      ConfigurationSearch(explicit: explicit, environment: environment, paths: paths(environment))
        .file { existing.contains($0) }
    }
    let own = "/h/.config/auricle/auricle.toml"
    let system = "/etc/auricle/auricle.toml"
    #expect(file("/flag", environment, [own, system]) == "/flag")
    #expect(file(nil, environment, [own, system]) == "/named")
    #expect(file(nil, ["HOME": "/h"], [own, system]) == own)
    #expect(file(nil, ["HOME": "/h"], [system]) == system)
    #expect(file(nil, ["HOME": "/h"], []) == nil)
  }

  @Test("a configuration that was named and is not there, or is a folder, is a failure")
  func loading() throws {
    let folder = TemporaryFolder()
    func failures(_ path: String) -> [Failure] {
      switch ConfigurationSearch(explicit: path).load() {
      case .success: []
      case .failure(let error): error.failures
      }
    }
    let absent = folder.file("a.toml")
    #expect(
      failures(absent) == [
        Failure(
          absent, found: "no such file", expected: "a file",
          remedy: "To begin one: auricle config reference > \(absent)", exit: .noInput)
      ])
    #expect(
      failures(folder.path) == [
        Failure(folder.path, found: "something that is not a file", expected: "a file", exit: .badData)
      ])
    folder.write("[device]\nperiods = 0\nx = 1\n", to: "a.toml")
    #expect(failures(absent).map(\.subject) == ["\(absent):2", "\(absent):3"])
    folder.write("[device]\nperiods = 2\n", to: "a.toml")
    let loaded = try ConfigurationSearch(explicit: absent).load().get()
    #expect(loaded.configuration.device.periods == 2)
    folder.write(String(repeating: "#", count: 1 << 20) + "#", to: "a.toml")
    #expect(
      failures(absent).first?.message
        == "\(absent): found more than 1048576 bytes, expected a smaller file.")
  }
}
