import AuricleClient
import Base
import Control
import Glibc

/// The user's service that starts the aid at login.
enum LoginStart {
  private static let manager = "/usr/bin/systemctl"
  private static let unit = "auricled.service"

  /// Reason for which it cannot be enabled from here, a sentence; nil: it can.
  ///
  /// - Parameters:
  ///   - configuration: With which the aid is to start: the service finds its own, without the variables and options of a shell.
  ///   - home: The person's folder; by default that of this process.
  static func reasonAgainst(
    configuration: String, home: String? = ProcessEnvironment.variables["HOME"]
  ) -> String? {
    let environment = home.map { ["HOME": $0] } ?? [:]
    let paths = StandardPaths(environment: environment, userID: geteuid())
    let found = ConfigurationSearch(explicit: nil, environment: environment, paths: paths).file()
    guard found.map(OutputDraft.resolved) == OutputDraft.resolved(configuration) else {
      let deed = found.map { "reads \($0), not \(configuration)" } ?? "does not find \(configuration)"
      return "The service that would start it \(deed)."
    }
    guard access(manager, X_OK) == 0 else { return "This machine has no systemd, which would start it." }
    guard succeeds(["cat", unit]) else {
      return "This user's service manager does not know \(unit), which the package brings."
    }
    return nil
  }

  /// - Throws: ``Failure`` when the service manager refuses.
  static func enable() throws(Failure) {
    guard succeeds(["enable", unit]) else {
      throw Failure(
        "systemctl --user enable \(unit)", found: "that it failed", remedy: "Call it by hand to see why.",
        exit: .unavailable)
    }
  }

  /// Asks the user's service manager; what it says itself is not shown.
  private static func succeeds(_ arguments: [String]) -> Bool {
    let nowhere = ProgramLaunch.Stream.file("/dev/null", flags: O_RDWR)
    guard
      let process = try? ProgramLaunch.start(
        manager, ["--user", "--quiet"] + arguments, streams: [nowhere, nowhere, nowhere])
    else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return false } }
    return ProcessEnding(status: status) == .exit(0)
  }
}
