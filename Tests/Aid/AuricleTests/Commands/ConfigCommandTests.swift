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

  private func route(of file: String?) -> RouteReport {
    let none = StatusReport.Calibration.End(status: .none, device: nil, date: nil)
    return RouteReport(
      devices: .init(capture: "hw:0", playback: "hw:9"), former: nil, asked: nil,
      state: .init(.running, since: 0), isOnTrial: false, trial: nil, trialLeftSeconds: nil, ended: nil,
      calibration: .init(microphone: none, earphone: none), uncalibratedEnds: [], configurationFile: file)
  }

  @Test("kept devices that could not be written come with the command for the file that the daemon reads")
  func unwritten() {
    let file = "/etc/auricle/auricle.toml"
    let keys = "device.capture=hw:0 device.playback=hw:9"
    func command(_ route: RouteReport, _ error: any Error) -> String? {
      let words = Route.unwritten(route, because: error)
      return words.firstRange(of: "To write them there: ").map { String(words[$0.upperBound...]) }
    }
    let refused = Failure.writing(file, SystemError(code: EACCES))
    #expect(
      command(route(of: file), ConfigurationFailures(failures: [refused]))
        == "sudo auricle config set --config \(file) \(keys)")
    #expect(command(route(of: file), refused) == "sudo auricle config set --config \(file) \(keys)")
    let full = Failure.writing(file, SystemError(code: ENOSPC))
    #expect(command(route(of: file), full) == "auricle config set --config \(file) \(keys)")
    #expect(command(route(of: nil), full) == "auricle config set \(keys)")
  }
}
