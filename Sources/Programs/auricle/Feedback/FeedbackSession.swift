import Acoustics
import Base
import Control
import Engine
import Glibc
import Service

/// A feedback test that a command begins: the daemon measures and keeps the result, or this process does where none runs.
struct FeedbackSession {
  let kind: FeedbackTestKind
  /// Nil: both.
  let ear: Ear?
  let socket: SocketOption
  let configuration: ConfigurationOption
  /// True where nothing but the answer is said.
  let isQuiet: Bool

  /// Longest time between two looks at a request to end, s.
  private static let interval = 0.1

  /// Measurements that are kept, where no daemon runs.
  var file: FeedbackFile { FeedbackFile(folder: StandardPaths.current.stateDirectory) }

  /// Settings in force where no daemon runs: the configuration, and the prescription.
  private func settings() throws -> AidSettings {
    var settings = try AidSettings(playing: ConfigurationSearch(explicit: configuration.file).load().get())
    _ = try settings.hearing.followPrescription(by: socket)
    return settings
  }

  /// The measurement that is kept.
  func report(by client: ControlClient?) throws -> StatusReport.Feedback {
    if let report = try client?.ask(ReportMethods.Status()).feedback { return report }
    let (record, problem) = file.read()
    var hearing = try settings().hearing
    hearing.feedback.measurements = record.measurements
    hearing.feedback.delays = record.delays
    return StatusReport.Feedback(hearing, notes: [problem].compactMap(\.self) + record.cautions)
  }

  /// Measures, and keeps what was measured.
  ///
  /// - Parameter client: Of the daemon that does it; nil: none runs.
  func measured(by client: ControlClient?) throws -> FeedbackAnswer {
    // A reader that goes away must not end the test between two tones.
    signal(SIGPIPE, SIG_IGN)
    Interruption.watch()
    if let client {
      try configuration.check(against: client, whichOne: "measures")
      return try followed(client)
    }
    let record = try measured(with: try settings())
    try file.write(record.over(file.read().record))
    let report = try report(by: nil)
    return kind == .delay ? .keptDelay(report) : .kept(report)
  }

  /// Lets the daemon measure, and shows how far it is. The test ends with this process at the latest.
  private func followed(_ client: ControlClient) throws(Failure) -> FeedbackAnswer {
    try client.ask(FeedbackMethods.Measure(ear.map { [$0] }, of: kind))
    var bar = begun()
    defer { bar?.end() }
    var last = SystemTime.monotonic
    while !Interruption.hasCome {
      if let news = try client.nextNotification(timeout: Self.interval) {
        last = SystemTime.monotonic
        guard let notice = try? JSON.value(FeedbackNotice.self, from: news.content) else { continue }
        if let share = notice.share { bar?.update(share) }
        if let found = notice.onceMore { bar?.say("Once more: found \(found).") }
        if let failure = notice.error { throw failure }
        if let answer = notice.answer { return answer }
      } else if SystemTime.monotonic - last > client.timeout {
        // Fails for a daemon that hangs.
        try client.ask(ReportMethods.Status())
        last = SystemTime.monotonic
      }
    }
    try client.ask(FeedbackMethods.Stop())
    throw interrupted
  }

  /// Measures in this process.
  private func measured(with settings: AidSettings) throws(Failure) -> FeedbackRecord {
    let devices = try HeldDevices(of: settings)
    defer { withExtendedLifetime(devices) {} }
    var bar = begun()
    defer { bar?.end() }
    let aid = HearingAid(settings: settings)
    do { try aid.startSilently() } catch { throw Failure(.system("\(error)"), of: kind.words) }
    defer { aid.stop() }
    do throws(FeedbackFault) {
      return try aid.measure(
        kind, ear.map { [$0] } ?? Ear.allCases, progress: { bar?.update($0) },
        repeats: { bar?.say(TextColumns.broken("Once more: found \($0).")) },
        isCancelled: { Interruption.hasCome })
    } catch { throw error == .cancelled ? interrupted : devices.failure(error, of: kind.words) }
  }

  private var interrupted: Failure {
    Failure(kind.words, saying: "ended before there was a result", exit: Interruption.exitStatus)
  }

  /// Says that sound begins; nil: to a program nothing is said.
  private func begun() -> ProgressBar? {
    guard !isQuiet else { return nil }
    switch kind {
    case .path:
      print(
        TextColumns.broken(
          "Keep still. Rising tones, softly first, for half a minute or so; Ctrl-C ends them."))
    case .delay:
      print(
        "Rising tones, softly first, for half a minute or so, through a cable from output to input or from the earpieces to their"
          + " microphones; Ctrl-C ends them.")
    }
    fflush(nil)
    return ProgressBar("measuring")
  }
}
