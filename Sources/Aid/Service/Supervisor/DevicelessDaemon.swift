import Base
import Control
import Engine
import HearingDSP
import Prescriptions
import Realtime

/// A daemon made of a state folder and a configuration as ``DaemonProcess`` makes it, that opens no sound device and
/// no socket of its own: mutated and damaged material is given to it.
///
/// - Threads: control.
package final class DevicelessDaemon {
  /// Longest wait for the disk, s: whatever a busy machine takes.
  private static let patience = 60.0

  private let daemon: Daemon
  private let wisdomPath: String?
  /// Whatever is wrong with what was found, in the order in which the daemon finds it.
  package let problems: [String]

  /// - Parameters:
  ///   - paths: Where the state folder is.
  ///   - loaded: The configuration, also of a reload.
  /// - Throws: ``ConfigurationFailures`` with which a daemon would not start.
  package init(
    paths: StandardPaths, _ loaded: LoadedConfiguration = .defaults
  ) throws(ConfigurationFailures) {
    let state = StateMemory(paths.stateDirectory)
    wisdomPath = state.wisdomPath
    var settings = try AidSettings(loaded)
    let desk = PrescriptionDesk(paths)
    let failure = desk.open()
    problems = state.problems + [failure?.logMessage].compactMap(\.self)
    let (prescribed, configured) = (desk.prescribed, settings.hearing)
    settings.hearing = state.feedback.informed(state.dial.adjusted(configured.following(prescribed)))
    daemon = Daemon(
      HearingAid(settings: settings), options: DaemonOptions(), configuration: loaded,
      log: MessageLog(threshold: .error, environment: [:], descriptor: -1), desk: desk,
      applied: prescribed, configured: configured, dial: state.dial, feedback: state.feedback,
      memoryLock: .onFault,
      wisdomPath: wisdomPath, diskPatience: Self.patience
    ) { .success(loaded) }
  }

  deinit {
    // So that whoever opens the folder next finds the book free.
    daemon.disk.wait(atMost: Self.patience) { [desk = daemon.desk] in desk.close() }
  }

  /// A control server of this daemon.
  package func server(path: String) throws(Failure) -> ControlServer {
    try ControlServer(path: path, rule: .person, methods: MethodTable(daemon), handler: daemon)
  }

  /// Carries out a method as one that root called through the socket.
  ///
  /// - Throws: ``ControlFailure`` as the caller would get it.
  @discardableResult
  package func answer(_ method: some ControlMethod) throws(ControlFailure) -> any Encodable & Sendable {
    try MethodTable(daemon).carryOut(method, from: Peer(processID: 1, userID: 0, groupID: 0))
  }

  /// Lets a second of the daemon's main loop pass: the book's time, and what follows from it.
  package func passTime() { daemon.advanceBook() }

  /// The settings in force and the status of them; the same for two folders that hold the same.
  package var standing: String {
    let hearing = daemon.aid.currentSettings.hearing
    let ears = hearing.fittedEars.map(\.rawValue).joined(separator: "+")
    let measured = hearing.feedback.measurements
    return
      ([
        "\(daemon.desk.prescribed)", "\(hearing.ruleName) for \(ears.isEmpty ? "no ear" : ears)",
        "program \(daemon.programReport().inForce)",
        "measured \([measured.left, measured.right].compactMap(\.self).count)",
      ] + (problems + (daemon.report().prescription?.notes ?? [])).map { "note: \($0)" }).joined(
        separator: "; ")
  }

  /// Makes the chain that devices which grant what the configuration asks for would get.
  ///
  /// - Throws: ``FittingFailure`` or ``ChainError`` when what is in force cannot be played.
  package func makeChain() throws {
    let device = daemon.memory.withLock { $0.configuration.configuration.device }
    let hearing = daemon.aid.currentSettings.hearing
    let geometry = try ChainGeometry(sampleRate: Double(device.rate), blockFrames: device.period)
    _ = try HearingChain(
      geometry: geometry, bands: hearing.bands, parameters: try hearing.parameters(for: geometry))
  }

  /// Recalls what was kept of FFTW's measurements, as the audio thread does before it makes its chain.
  ///
  /// - Returns: `recalled`, `nothing`, or `damaged`, which a daemon with devices says in its log.
  package func recallWisdom() -> String {
    wisdomPath.map { "\(FFTPlanning.recallWisdom(from: $0))" } ?? "nothing"
  }
}
