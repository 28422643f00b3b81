import Base
import CommonTesting
import Control
import Glibc
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("Changes of the configuration in words") struct ConfigCommandTests {
  private let folder = TemporaryFolder()

  @Test("a failure that was there before is known on whichever line it is by now, and no other is")
  func added() {
    let file = "/e/auricle.toml"
    func missing(_ name: String, _ line: Int) -> Failure {
      Failure(
        "/e/\(name)", found: "no such file", expected: "the audiogram that \(file):\(line) names",
        exit: .noInput)
    }
    func bands(_ count: Int, _ line: Int) -> Failure {
      Failure("\(file):\(line)", found: "\(count) bands", expected: "fewer", exit: .configuration)
    }
    let former = [bands(50, 7), missing("gone.json", 13)]
    func added(_ failures: [Failure]) -> [Failure] {
      ConfigCommand.added(failures, to: former, in: file)
    }
    #expect(added([bands(50, 8), missing("gone.json", 14)]) == [])
    #expect(added([missing("gone.json", 9)]) == [])
    // Numbers that are no line of the file count.
    let new = [bands(51, 7), missing("other.json", 13)]
    #expect(added(new) == new)
  }

  @Test("a change says if the aid that runs follows it, and gives the command where it does not")
  func consequences() {
    for name in ["own.toml", "etc.toml", "third.toml"] { folder.write("", to: name) }
    let (own, etc, third) = (folder.file("own.toml"), folder.file("etc.toml"), folder.file("third.toml"))
    func words(_ read: String?, _ aid: ConfigCommand.RunningConfiguration?) -> String {
      ConfigCommand.consequence(ofWriting: own, read: read, by: aid)
    }
    func aid(_ file: String?, isOwn: Bool) -> ConfigCommand.RunningConfiguration {
      ConfigCommand.RunningConfiguration(file: file, isOwn: isOwn)
    }
    let follows = "A running aid follows after: auricle reload."
    #expect(words(nil, nil) == follows)
    #expect(words(own, nil) == follows)
    #expect(words(own, aid(own, isOwn: false)) == follows)
    #expect(words(nil, aid(nil, isOwn: true)) == follows)
    #expect(words(etc, aid(etc, isOwn: true)) == "It began as a copy of \(etc). \(follows)")
    #expect(!words(nil, aid(nil, isOwn: false)).contains(follows))
    for (text, other) in [
      (words(etc, nil), etc), (words(etc, aid(etc, isOwn: false)), etc),
      (words(own, aid(third, isOwn: true)), third),
      (words(etc, aid(third, isOwn: true)), third),
    ] {
      #expect(!text.contains(follows), "\(text)")
      #expect(text.hasSuffix("To change that one: auricle config set --config \(other) KEY=VALUE"))
    }
  }

  private func route(of file: String?, asked: RouteReport.Names? = nil) -> RouteReport {
    let none = StatusReport.Calibration.End(status: .none, device: nil, date: nil)
    return RouteReport(
      devices: .init(capture: "hw:0", playback: "hw:9"), former: nil, asked: asked,
      state: .init(.running, since: 0), isOnTrial: false, trial: nil, trialLeftSeconds: nil, ended: nil,
      calibration: .init(microphone: none, earphone: none), uncalibratedEnds: [], configurationFile: file)
  }

  /// A person's configuration, which is also the one that is found where none is named.
  private func configuration(_ text: String) -> String {
    mkdir(folder.file("auricle"), 0o700)
    folder.write(text, to: "auricle/auricle.toml")
    return folder.file("auricle/auricle.toml")
  }

  /// Note on kept devices that could not be written.
  private func note(_ route: RouteReport, _ error: any Error) -> String {
    let search = ConfigurationSearch(
      explicit: route.configurationFile, environment: [:],
      paths: StandardPaths(environment: ["XDG_CONFIG_HOME": folder.path], userID: 1000))
    return Route.unwritten(route, in: search, because: error)
  }

  /// The command in it; nil: it has none.
  private func command(_ route: RouteReport, _ error: any Error) -> String? {
    let words = note(route, error)
    return words.firstRange(of: "To write them there: ").map { String(words[$0.upperBound...]) }
  }

  @Test("kept devices that could not be written come with the command for the file that the daemon reads")
  func unwritten() {
    let file = configuration("")
    let keys = "device.capture=hw:0 device.playback=hw:9"
    let refused = Failure.writing(file, SystemError(code: EACCES))
    #expect(
      command(route(of: file), ConfigurationFailures(failures: [refused]))
        == "sudo auricle config set --config \(file) \(keys)")
    #expect(command(route(of: file), refused) == "sudo auricle config set --config \(file) \(keys)")
    let full = Failure.writing(file, SystemError(code: ENOSPC))
    #expect(command(route(of: file), full) == "auricle config set --config \(file) \(keys)")
    #expect(command(route(of: nil), full) == "auricle config set \(keys)")
  }

  @Test(
    "that command binds the calibrations first, so that those of the former devices do not count for new ones",
    arguments: [
      ("", "calibration.earphone.device=lat: "),
      ("device = \"HDA 200\"", "'calibration.earphone.device=lat: (HDA 200)' "),
      // Bound already.
      ("device = \"hw:1 (HDA 200)\"", ""),
    ])
  func bindings(stated: String, binding: String) {
    // The microphone's device is the one that it was calibrated with.
    let file = configuration(
      "[calibration.microphone]\nfull-scale-level = 110\n[calibration.earphone]\nfull-scale-level = 100\n"
        + stated + "\n")
    let full = Failure.writing(file, SystemError(code: ENOSPC))
    #expect(
      command(route(of: file, asked: .init(capture: "hw:0", playback: "lat")), full)
        == "auricle config set --config \(file) \(binding)device.capture=hw:0 device.playback=hw:9")
  }

  @Test(
    "no command is given where it cannot be told with which devices the calibrations were made",
    arguments: ["[calibration.earphone]\nfile = \"gone.json\"\n", "no key"])
  func untold(text: String) {
    let file = configuration(text)
    let refused = Failure.writing(file, SystemError(code: EACCES))
    let words = note(route(of: file, asked: .init(capture: "hw:0", playback: "lat")), refused)
    #expect(!words.contains("config set"), "\(words)")
    #expect(words.hasSuffix("try them again as a user who can read and change it."))
  }

  @Test("a daemon's configuration that is gone is to be put back: no command begins one without its limit")
  func gone() {
    let file = folder.file("gone.toml")
    let missing = Failure(file, found: "no such file", exit: .noInput)
    let words = note(route(of: file), missing)
    #expect(words.contains("\(file): found no such file any more") && words.contains("Put it back"))
    #expect(!words.contains("config set") && !words.contains("config reference"), "\(words)")
    // Gone by the time of the note; and a link that leads nowhere, for which another command would begin a file.
    #expect(note(route(of: file), Failure.writing(file, SystemError(code: ENOSPC))) == words)
    #expect(symlink("nowhere.toml", file) == 0)
    let unread = Failure(
      file, found: "no such file", remedy: "To begin one: auricle config reference > \(file)",
      exit: .noInput)
    #expect(note(route(of: file), unread) == words)
  }

  @Test("file and values stand in a command as words of a shell")
  func shellWords() {
    #expect(
      ConfigCommand.setting(
        ["device.playback=plug:SLAVE=\"hw:0\"", "device.capture=hw:CARD=PCH,DEV=0"],
        in: "/home/ada/it's mine.toml", asRoot: true)
        == "sudo auricle config set --config '/home/ada/it'\\''s mine.toml' "
        + "'device.playback=plug:SLAVE=\"hw:0\"' device.capture=hw:CARD=PCH,DEV=0")
  }
}
