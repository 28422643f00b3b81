import Acoustics
import Base
import HearingDSP
import Realtime
public import Synchronization

/// Gives the running loop the takes of a procedure, one after the other, and waits for what comes of them.
///
/// - Threads: control, one at a time.
struct TakePlayer {
  let state: LoopState
  let devices: AidDevices
  /// Greatest output.
  var limits: OutputLimits
  /// Time in which sound rises, s.
  let ramp: Double
  let patience: Patience
  let isCancelled: () -> Bool
  let wake: WakeSignal

  /// Longest waits, s.
  struct Patience {
    /// For the devices to be opened, and the aid to fall silent.
    var opening = 10.0
    /// Part of that for devices that were open and stopped working before they played: that they do not move is seen after 2 s
    /// (``RestartLimits/startPatience``), and opened anew they move as a rule. Where they cannot be opened, nothing is waited for.
    var reopening = 3.0
    /// Beyond what a take lasts: a device may stall and start again.
    var take = 5.0
  }

  /// Time until silence again after the rise, before a recording begins, s: longer than any path rings.
  static let settling = 0.25
  /// Attempts at a take that has gaps.
  static let attempts = 3
  /// Longest time between two looks at what may end a procedure, s.
  private static let interval = 0.02

  /// Waits until the loop plays what it is given.
  ///
  /// - Throws: ``FeedbackFault``, where the devices cannot be had.
  init(
    _ state: LoopState, limits: OutputLimits, ramp: Double, patience: Patience,
    isCancelled: @escaping () -> Bool
  ) throws(FeedbackFault) {
    do { wake = try WakeSignal() } catch { throw .system("\(error)") }
    (self.state, self.limits, self.ramp) = (state, limits, ramp)
    (self.patience, self.isCancelled) = (patience, isCancelled)
    var devices: AidDevices?
    try Self.wait(
      wake, state, isCancelled, atMost: patience.opening, afterLoss: patience.reopening,
      orSay: "the sound device does not open within \(patience.opening.shortText) s"
    ) {
      guard state.isProcedurePlaying else { return false }
      devices = state.notice.withLock { $0.devices }
      return devices != nil
    }
    guard let devices else { throw .device("the sound device was lost") }
    self.devices = devices
  }

  /// Hz.
  var rate: Double { Double(devices.capture.rate) }

  /// Plays and records.
  ///
  /// - Parameters:
  ///   - sound: Repeated while the take lasts.
  ///   - ear: That of the earphone that plays.
  ///   - factor: Of the sound; 0: silence.
  ///   - periods: Recorded.
  /// - Throws: ``FeedbackFault``.
  func take(
    _ sound: PeriodicSound, _ ear: Ear, factor: Double, periods: Int
  ) throws(FeedbackFault) -> (sent: [Float], heard: Binaural<[Float]>) {
    let score = Take.Score(
      ear: ear, factor: Float(factor), settling: Int((ramp + Self.settling) * rate),
      frames: periods * sound.count)
    for _ in 0..<Self.attempts {
      let take = Take(score, of: sound, limits: limits, rise: ramp, wake: wake)
      try run(take) {}
      if take.phase == .done { return take.recording() }
    }
    throw .dropOuts
  }

  /// Plays a take to its end, or until it has broken off.
  ///
  /// - Parameter look: Called every 20 ms or sooner.
  /// - Throws: ``FeedbackFault``.
  func run(_ take: Take, look: () -> Void) throws(FeedbackFault) {
    state.takes.publish(take)
    // One that nobody waits for must not begin in a later procedure.
    defer { take.withdraw() }
    let length = Double(take.score.settling + take.score.frames) / rate
    // Also where no daemon watches.
    var plug = PlugWatch()
    try Self.wait(
      wake, state, isCancelled, atMost: length + patience.take, orSay: "no sound flows through the device"
    ) {
      look()
      state.note(plug.news(of: devices.playbackName, opens: 1, now: SystemTime.monotonic))
      return take.phase == .done || take.phase == .brokenOff
    }
  }

  /// Waits for a condition, or for a fault that excludes it.
  ///
  /// - Parameter recovery: Time in which devices that stopped working may come back, s.
  private static func wait(
    _ wake: WakeSignal, _ state: LoopState, _ isCancelled: () -> Bool, atMost time: Double,
    afterLoss recovery: Double = 0, orSay reason: String, until condition: () -> Bool
  ) throws(FeedbackFault) {
    var left = TimeLeft(seconds: time)
    var leftAfterLoss = TimeLeft(seconds: recovery)
    while true {
      // Looked at on both sides of the fault, which may begin or be over between two looks.
      var isLost = state.isWaitingAfterLoss
      let fault = state.procedureFault
      isLost = isLost || state.isWaitingAfterLoss
      if let fault, !isLost || leftAfterLoss.seconds <= 0 { throw fault }
      if isCancelled() { throw .cancelled }
      if condition() { return }
      guard left.seconds > 0 else { throw .system(reason) }
      let begin = SystemTime.monotonic
      wake.wait(atMost: interval)
      let passed = SystemTime.monotonic - begin
      left.pass(passed)
      if isLost { leftAfterLoss.pass(passed) }
    }
  }
}

/// Time left of a wait for a device. While the process itself stood still, none passes: the device is not to
/// blame for that.
struct TimeLeft {
  /// Time between two looks from which the process is taken to have stood still, s: fifty times the longest
  /// that it waits of itself.
  static let standstill = 1.0

  /// s; the wait is over at 0.
  private(set) var seconds: Double

  /// Takes away the time between two looks, s.
  mutating func pass(_ time: Double) { if time < Self.standstill { seconds -= time } }
}

/// Reason for which a procedure is ended before it has a result.
public enum ProcedureEnd: UInt8, AtomicRepresentable, Sendable {
  /// It is not.
  case none
  /// A person, or whoever began it, does not want it any longer.
  case cancelled
  /// The aid was muted.
  case muted
  /// The aid was stopped, or its devices are to be opened anew.
  case stopped
  /// The earphones were unplugged.
  case unplugged
}

extension LoopState {
  /// True while the loop plays takes.
  var isProcedurePlaying: Bool {
    phase.load(ordering: .acquiring) == .sounding && playing.load(ordering: .acquiring) == .procedure
  }

  /// True while devices that stopped working are to be opened anew, and nobody has ended the procedure.
  var isWaitingAfterLoss: Bool {
    procedureEnd.load(ordering: .acquiring) == .none && phase.load(ordering: .acquiring) == .waiting
      && notice.withLock { $0.isAfterLoss }
  }

  /// Reason for which a procedure cannot go on; nil when it can.
  var procedureFault: FeedbackFault? {
    switch procedureEnd.load(ordering: .acquiring) {
    case .none: break
    case .cancelled: return .cancelled
    case .muted: return .muted
    case .stopped: return .stopped
    case .unplugged:
      return .device(withheld ?? "the earphones were pulled out of their jack for a moment")
    }
    if phase.load(ordering: .acquiring) == .sounding, let withheld { return .device(withheld) }
    switch state {
    case .stopped: return .stopped
    case .waitingForDevice(let reason), .faulted(let reason): return .device(reason)
    case .starting, .running, .muted: return nil
    }
  }
}
