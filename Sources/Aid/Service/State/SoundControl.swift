import Engine

/// Brings the audio thread to where it is wanted, without ever waiting for it.
///
/// Opening a device can take seconds, and a thread that opens one cannot be interrupted. What is wanted is
/// therefore noted at once, and ``step(_:now:)`` says what to do next whenever something has happened.
struct SoundControl: Sendable, Equatable {
  enum Wanted: Sendable { case silence, sound }

  /// An order to the audio engine.
  enum Order: Sendable, Equatable {
    /// Make the audio thread.
    case start
    /// Ask the audio thread to fade out and end.
    case requestStop
    /// Take leave of a thread that has given the devices back.
    case join
  }

  /// Time after which a device that does not close is reported, s: longer than the longest buffer takes to
  /// fade out. Own choice.
  static let longestClosing = 2.0

  private(set) var wanted = Wanted.silence
  /// Who else has the devices, a clause; what is wanted waits. Nil: nobody.
  private(set) var occupant: String?
  /// True while an audio thread exists.
  private(set) var hasThread = false
  /// True when the devices are to be closed first, because they, or a fault, belong to the past.
  private var reopens = false
  /// When the thread was asked to end, monotonic s: it does, whatever is wanted meanwhile, and another is
  /// made then.
  private var ending: Double?
  /// Why no thread could be made.
  private var refusal: String?

  private var needsThread: Bool { wanted == .sound && occupant == nil }

  // MARK: - What is wanted

  /// Wants sound. A fault is left behind, and a wait for the device cut short.
  mutating func wantSound(_ audio: AidState) {
    wanted = .sound
    refusal = nil
    switch audio {
    case .faulted, .waitingForDevice: reopens = hasThread
    case .stopped, .starting, .running, .muted: break
    }
  }

  /// Wants silence and free devices.
  mutating func wantSilence() {
    wanted = .silence
    reopens = false
  }

  /// Wants devices closed and opened again, if they are in use.
  mutating func wantReopening() { if hasThread { reopens = true } }

  /// Gives the devices away; what is wanted stays wanted.
  ///
  /// - Parameter reason: Who has them, a clause: reported as what is waited for.
  mutating func give(to reason: String) {
    occupant = reason
    reopens = false
  }

  /// Takes them back.
  mutating func takeBack() { occupant = nil }

  /// No thread could be made.
  mutating func refuse(_ reason: String) {
    hasThread = false
    refusal = reason
  }

  // MARK: - The way there

  /// Goes as far as it goes now.
  ///
  /// - Parameter audio: The engine's state.
  mutating func step(_ audio: AidState, now: Double) -> [Order] {
    var orders: [Order] = []
    if hasThread, !needsThread || reopens || ending != nil {
      if ending == nil {
        ending = now
        orders.append(.requestStop)
      }
      guard audio == .stopped else { return orders }
      orders.append(.join)
      hasThread = false
      ending = nil
      reopens = false
    }
    if needsThread, !hasThread, refusal == nil {
      hasThread = true
      orders.append(.start)
    }
    return orders
  }

  /// True when everything wanted has been done that does not depend on a device.
  var isSettled: Bool {
    needsThread ? refusal != nil || (hasThread && !reopens && ending == nil) : !hasThread
  }

  /// The state as a person sees it: a thread that is only ending counts as stopped.
  ///
  /// - Parameter audio: The engine's state.
  func state(_ audio: AidState, now: Double) -> AidState {
    if let refusal { return .faulted(reason: refusal) }
    if wanted == .silence { return .stopped }
    if let occupant { return .waitingForDevice(reason: occupant) }
    guard let ending else { return audio == .stopped || !hasThread ? .starting : audio }
    // A thread that is ending says nothing about the next one, but it may know why it cannot end.
    if case .waitingForDevice = audio { return audio }
    return now - ending < Self.longestClosing
      ? .starting : .waitingForDevice(reason: "the sound device that was used before does not close")
  }
}
