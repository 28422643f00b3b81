import Base
import Control
import Service

/// Spectra one after another: live ones as they come, or those of a recording.
struct SpectrumSource {
  private let client: ControlClient?
  private let recording: SpectrumRecording?
  /// Files for sound that comes beside the spectra; nil: none comes.
  var sound: SoundFiles?

  /// Time without a spectrum after which the daemon is asked why, s.
  static let patience = 1.0

  /// Live ones.
  ///
  /// - Throws: ``Failure`` when the daemon refuses, or no sound flows.
  init(by client: ControlClient, every interval: Double) throws(Failure) {
    (self.client, recording) = (client, nil)
    try client.ask(SpectrumSubscription(every: interval))
    try checkSound()
  }

  /// Those of a recording.
  init(of recording: SpectrumRecording) { (client, self.recording) = (nil, recording) }

  /// True for live sound.
  var isLive: Bool { client != nil }

  /// Something worth saying about a recording, known once it was read to its end, a sentence; nil: nothing is.
  var note: String? { recording?.note }

  private static let damaged = Failure(
    "spectrum", found: "one with a list of another length than its bands, or a number that no sound has",
    expected: "a number of sound for each band", remedy: ControlClient.sameVersion, exit: .protocolMismatch)

  static let nothing = Failure(
    "spectrum", inWords: "No spectrum came", remedy: "See: auricle status", exit: .temporary)

  /// - Throws: ``Failure`` as ``silence()`` tells it.
  private func checkSound() throws(Failure) {
    if let reason = try silence() { throw reason }
  }

  /// Reason for which no live spectrum comes; nil: one may come, or this is a recording.
  ///
  /// - Throws: ``Failure`` when the daemon has gone.
  func silence() throws(Failure) -> Failure? {
    guard let client else { return nil }
    let report = try client.ask(ReportMethods.Status())
    return Self.silence(in: report.state, isTesting: report.isTesting)
  }

  /// Reason for which an aid in a state has no spectra; nil: it has.
  static func silence(in state: StatusReport.State, isTesting: Bool) -> Failure? {
    guard state.name != .running && state.name != .muted else { return nil }
    // A test ends by itself; the advice on a device that is waited for would end it.
    guard !isTesting else {
      return Failure(
        "spectrum", inWords: "There is no sound of the aid to look at: a test plays",
        remedy: "Look again afterwards.", exit: .temporary)
    }
    // A message has no line break.
    let sentence = StateText.sentence(state).split(whereSeparator: \.isNewline).joined(separator: " ")
    return Failure(
      "spectrum", inWords: "There is no sound to look at. \(sentence)",
      remedy: state.name == .stopped ? "Start it with: auricle start" : nil, exit: .temporary)
  }

  /// The next one; nil when none came in time, or a recording is over.
  ///
  /// - Throws: ``Failure`` when the daemon has gone, has ended them, or sends one that is not whole, or a recording cannot be read.
  mutating func next(timeout: Double) throws(Failure) -> SpectrumReport? {
    guard let client else { return try recording?.next() }
    guard let news = try client.nextNotification(timeout: timeout) else { return nil }
    if news.topic == SoundNotice.topic, let notice = try? JSON.value(SoundNotice.self, from: news.content) {
      try sound?.append(notice)
    }
    guard news.topic == SpectrumSubscription.topic else { return nil }
    guard let report = try? JSON.value(SpectrumReport.self, from: news.content) else {
      if let end = try? JSON.value(SpectrumEnd.self, from: news.content) { throw Self.over(end) }
      return nil
    }
    guard report.isWhole else { throw Self.damaged }
    return report
  }

  /// Failure with which the daemon has ended the spectra.
  private static func over(_ end: SpectrumEnd) -> Failure {
    Failure(
      "spectrum", inWords: "The daemon has ended the spectra: \(end.ended)",
      remedy: "Begin again, with --as where a role is needed; it lasts for control.role-time.",
      exit: .noPermission)
  }

  /// Gives each to `body`, until a time has passed, the recording is over or the command is interrupted.
  ///
  /// The time is that of the spectra; of live ones also that of the clock, for theirs stands still while none comes.
  mutating func forEach(
    for length: Double, _ body: (SpectrumReport) throws(Failure) -> Void
  ) throws(Failure) {
    var begin: Double?
    var last = SystemTime.monotonic
    var end = Double.infinity
    while !Interruption.hasCome, sound?.isOver != true {
      if isLive, SystemTime.monotonic > end { return }
      if let report = try next(timeout: 0.1) {
        if begin == nil { end = SystemTime.monotonic + length + Self.patience }
        begin = begin ?? report.timeSeconds
        guard report.timeSeconds - (begin ?? 0) <= length else { return }
        try body(report)
        last = SystemTime.monotonic
      } else if isLive {
        guard SystemTime.monotonic - last > Self.patience else { continue }
        try checkSound()
        last = SystemTime.monotonic
      } else {
        return
      }
    }
  }
}
