import Base
import Control
import Engine
import Glibc
import HearingDSP

/// A daemon made of a state folder and a configuration as ``DaemonProcess`` makes it, that opens no sound
/// device: mutated and damaged material is given to it.
///
/// - Threads: one.
package final class DevicelessDaemon {
  private var state: ServiceState
  private let disk: ServiceDisk
  /// Faults of the files, in the order in which the daemon finds it.
  package let problems: [String]
  /// By how much its time is ahead of the system's, s: it does not wait.
  private var lead = 0.0

  /// - Parameters:
  ///   - paths: With the state folder.
  ///   - loaded: The configuration, also of a reload.
  /// - Throws: ``ConfigurationFailures`` with which a daemon would not start.
  package init(
    paths: StandardPaths, _ loaded: LoadedConfiguration = .defaults
  ) throws(ConfigurationFailures) {
    disk = ServiceDisk(folder: paths.stateDirectory, store: PrescriptionStore(paths)) { .success(loaded) }
    let (programs, feedback, problems) = disk.readKept()
    let configured = try AidSettings(loaded).hearing
    let failure = disk.store.open()
    self.problems = problems + [failure?.logMessage].compactMap(\.self)
    state = ServiceState(
      ServiceState.Facts(started: .now, processID: getpid()), configuration: loaded, configured: configured,
      known: disk.store.known, programs: programs, feedback: feedback)
  }

  // MARK: - Calls

  /// A control server of this daemon, which ``serve(_:_:)`` drives.
  package func server(path: String) throws(Failure) -> ControlServer {
    try ControlServer(path: path, rule: .person, methods: .daemon)
  }

  /// Carries out a method as one that root called through the socket.
  ///
  /// - Throws: ``ControlFailure`` as the caller would get it.
  @discardableResult package func answer(
    _ method: some ControlMethod
  ) throws(ControlFailure) -> any Encodable & Sendable {
    try method.check()
    var answers = handle(.control(.request(1, method, from: Peer(processID: 1, userID: 0, groupID: 0))))
    // No device answers: requests wait as long as they may.
    while answers.isEmpty { answers = passTime() }
    do throws(Failure) { return try answers[0].answer.get() } catch { throw ControlFailure(error) }
  }

  /// Serves a control socket.
  ///
  /// - Parameter polled: The server's descriptors after poll(2).
  package func serve(_ server: ControlServer, _ polled: [pollfd]) {
    var answers: [(id: RequestID, answer: Answer)] = []
    for occurrence in server.serve(polled, now: SystemTime.monotonic) {
      answers += handle(.control(occurrence))
    }
    while !state.pending.isEmpty { answers += passTime() }
    for (id, answer) in answers { _ = server.answer(id, answer, now: SystemTime.monotonic) }
  }

  /// Lets a second pass: the book's time, and what follows from it.
  ///
  /// - Returns: Answers to requests that waited for it.
  @discardableResult package func passTime() -> [(id: RequestID, answer: Answer)] {
    lead += 1
    return handle(.time)
  }

  private func handle(_ event: Event) -> [(id: RequestID, answer: Answer)] {
    var (events, answers): ([Event], [(RequestID, Answer)]) = ([event], [])
    while !events.isEmpty {
      var now = Moment.now
      now.monotonic += lead
      for effect in state.handle(events.removeFirst(), at: now) {
        switch effect {
        case .disk(_, let job): events.append(.disk(job(disk)))
        case .answer(let id, let answer): answers.append((id, answer))
        default: break
        }
      }
    }
    return answers
  }

  // MARK: - What is in force

  /// The settings in force and the status of them; the same for two folders that hold the same.
  package var standing: String {
    let hearing = state.heard
    let ears = hearing.fittedEars.map(\.rawValue).joined(separator: "+")
    let measured = hearing.feedback.measurements
    return
      ([
        "\(state.known.prescribed)", "\(hearing.ruleName) for \(ears.isEmpty ? "no ear" : ears)",
        "program \(state.programReport.inForce)",
        "measured \([measured.left, measured.right].compactMap(\.self).count)",
      ] + (problems + (state.report.prescription?.notes ?? [])).map { "note: \($0)" }).joined(
        separator: "; ")
  }

  /// Makes the chain that devices which grant what the configuration asks for would get.
  ///
  /// - Throws: ``FittingFailure`` or ``ChainError`` when what is in force cannot be played.
  package func makeChain() throws {
    let device = state.configuration.configuration.device
    let geometry = try ChainGeometry(sampleRate: Double(device.rate), blockFrames: device.period)
    _ = try HearingChain(
      geometry: geometry, bands: state.heard.bands, parameters: try state.heard.parameters(for: geometry))
  }

  /// Recalls what was kept of FFTW's measurements, as the audio thread does before it makes its chain.
  ///
  /// - Returns: `recalled`, `nothing`, or `damaged`, which a daemon with devices says in its log.
  package func recallWisdom() -> String {
    disk.wisdomPath.map { "\(FFTPlanning.recallWisdom(from: $0))" } ?? "nothing"
  }
}
