import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle setup`: from nothing to safe sound, by questions.
struct Setup: Verb {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Set up this device by questions, from nothing to safe sound.",
    discussion: """
      Devices, the greatest loudness, left and right, calibration, prescription, feedback test and start. Asks \
      only what it cannot know, line by line. Left with Ctrl-C, it goes on where it was left. Everything is \
      written into the configuration, as you would by hand.
      """)

  @Option(help: .init("The microphone's device, instead of a question.", valueName: "device"))
  var input: String?
  @Option(help: .init("The earphones' device, instead of a question.", valueName: "device"))
  var output: String?
  @Flag(help: "Begin again, with the devices.") var again = false

  @OptionGroup var configuration: ConfigurationOption

  func answer() throws -> ExitStatus {
    try refuse()
    TextColumns.limit()
    let search = ConfigurationSearch(explicit: configuration.file)
    var file = try ConfigurationFile(search)
    let progressFile = SetupFile()
    var progress = progressFile.read()
    if again {
      progress.reopen(.devices)
      try forget(in: &file)
    }
    var run = SetupRun(
      interview: TerminalInterview(), bench: RealBench(), file: file, progressFile: progressFile,
      progress: progress, named: (input, output))
    return try run.run()
  }

  /// Refuses where it would be of no use, or another's.
  private func refuse() throws(Failure) {
    try DeviceGuard().refuse(.configuration)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure(
        "setup", inWords: "There is no terminal to ask on", remedy: "In a script: auricle config set.",
        exit: .usage)
    }
    try refuseRoot()
    let aid = RunningAid(SocketOption.parseOrExit([]))
    try aid.refuse(for: "setup", "To change one thing of it: auricle route, auricle rx scan.")
    try aid.refuseKeptSocket(for: "setup")
  }

  /// Refuses root where what is kept would lie in the service's folder: the service has a user of its own, who may not read what is
  /// root's.
  private func refuseRoot() throws(Failure) {
    let isServices =
      StandardPaths.current.stateDirectory == StandardPaths.systemsState
      && Accounts.group(named: "auricle") != nil
    guard geteuid() == 0, isServices || configuration.file == nil else { return }
    throw Failure(
      "setup", found: "root", expected: "the person who wears the aid",
      remedy:
        "Call it as them. A device that starts before anybody logs in is set up by hand (auricled(8)): "
        + "auricle config set --config /etc/auricle/auricle.toml, then systemctl enable --now auricled",
      exit: .noPermission)
  }

  /// Takes out the answers of an earlier setup that would not be asked again.
  private func forget(in file: inout ConfigurationFile) throws(Failure) {
    let device = file.configuration.device
    if let playback = device.playback { try file.bind(.earphone, to: playback) }
    if let capture = device.capture { try file.bind(.microphone, to: capture) }
    for key in ["device.capture", "device.playback"] { try file.unset(key, subject: key) }
  }
}
