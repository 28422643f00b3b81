import Engine

/// Brings the audio thread to where it is wanted, without ever waiting for it.
///
/// Opening a device can take seconds, and a thread that opens one cannot be interrupted. What is wanted is
/// therefore noted at once, and ``step(_:now:)`` says what to do next whenever something has happened.
struct SoundControl: Sendable, Equatable {
  enum Wanted: Sendable { case silence, sound }

  /// An order to the audio engine.
  enum Order: Sendable, Equatable {
    /// Make the audio thread, or let one that was made silently sound.
    case start
    /// Make the audio thread for a procedure alone.
    case startSilently
    /// Ask the audio thread to fade out and end.
    case requestStop
    /// Take leave of a thread that has given the devices back.
    case join
  }

  /// Time after which a device that does not close is reported, s: longer than the longest buffer takes to
  /// fade out. Own choice.
  static let longestClosing = 2.0

  /// Time after which a device that does not open is reported, s: a JACK server answers within 2 s or refuses. Own choice.
  static let longestOpening = 5.0

  /// Time without a block after which a device that sounds is reported, s: longer than one that stalls, is begun anew and wakes takes
  /// for it (``RestartLimits``). Own choice.
  static let longestStandstill = 3.0

  /// Longest time between two looks that counts as one of the device, s; own choice: while the process itself stood still, the device is
  /// not to blame.
  private static let longestLook = 0.5

  private(set) var wanted = Wanted.silence
  /// The procedure that has the audio thread, a clause; what is wanted waits. Nil: none.
  private(set) var occupant: String?
  /// Why there is no sound for now whatever is wanted, a clause; nil: there may be.
  private(set) var pause: String?
  /// True while an audio thread exists.
  private(set) var hasThread = false
  /// True while that thread was made for a procedure alone.
  private var isSilent = false
  /// True when the devices are to be closed first, because they, or a fault, belong to the past.
  private var reopens = false
  /// When the thread was asked to end, monotonic s: it does, whatever is wanted meanwhile, and another is
  /// made then.
  private(set) var ending: Double?
  /// Since when the thread opens or starts devices, monotonic s; nil: it does not.
  private(set) var openingSince: Double?
  /// Since when it closes them, monotonic s; nil: it does not.
  private(set) var closingSince: Double?
  /// True once the devices are granted.
  private var areOpen = false
  /// When they had a block last, as told at the last look, monotonic s; nil: no sound flows.
  private var lastBlock: Double?
  /// When that was, monotonic s.
  private var lastLook = 0.0
  /// Time since they had one, as far as it was looked at, s.
  private var standstill = 0.0
  /// Why no thread could be made.
  private var refusal: String?

  /// True when sound, or a procedure, needs the devices.
  var needsThread: Bool { pause == nil && (wanted == .sound || occupant != nil) }

  // MARK: - What is wanted

  /// Wants sound. A fault is left behind, and a wait for the device cut short.
  mutating func wantSound(_ audio: AidState) {
    wanted = .sound
    beginAnew(audio)
  }

  private mutating func beginAnew(_ audio: AidState) {
    refusal = nil
    switch audio {
    case .faulted, .waitingForDevice: reopens = hasThread
    case .stopped, .starting, .running, .muted: break
    }
  }

  /// Wants silence and free devices. That no thread could be made is left behind.
  mutating func wantSilence() {
    wanted = .silence
    reopens = false
    refusal = nil
  }

  /// Wants devices closed and opened again, if they are in use.
  mutating func wantReopening() { if hasThread { reopens = true } }

  /// Leaves the audio thread to a procedure; what is wanted stays wanted. A fault is left behind, and a
  /// wait for the device cut short.
  ///
  /// - Parameter reason: Its name, a clause: reported as what is waited for.
  mutating func occupy(_ reason: String, _ audio: AidState) {
    occupant = reason
    beginAnew(audio)
  }

  /// Takes the audio thread back from the procedure.
  mutating func vacate() {
    occupant = nil
    if wanted == .silence { refusal = nil }
  }

  /// Has the devices closed until ``resume(_:)``; what is wanted stays wanted.
  ///
  /// - Parameter reason: A clause: reported as what is waited for.
  mutating func pause(_ reason: String) { pause = reason }

  /// Opens the devices again, if they are wanted.
  mutating func resume(_ audio: AidState) {
    pause = nil
    beginAnew(audio)
  }

  /// No thread could be made.
  mutating func refuse(_ reason: String) {
    hasThread = false
    refusal = reason
  }

  // MARK: - The way there

  /// Goes as far as it goes now.
  ///
  /// - Parameters:
  ///   - audio: The engine's state.
  ///   - opening: Since when the engine opens or starts devices, monotonic s; nil: it does not, or has yet to begin.
  ///   - closing: Since when it closes them; nil: it does not.
  ///   - lastBlock: When they had a block last; nil: no sound flows.
  ///   - areOpen: True once they are granted, whether they move yet or not.
  ///   - mayOpen: False while somebody else has yet to give the devices back.
  mutating func step(
    _ audio: AidState, opening: Double? = nil, closing: Double? = nil, lastBlock: Double? = nil,
    areOpen: Bool = false, now: Double, mayOpen: Bool = true
  ) -> [Order] {
    var orders: [Order] = []
    self.areOpen = areOpen
    look(at: lastBlock, now: now)
    closingSince = hasThread ? closing : nil
    let begins = audio == .starting && !areOpen ? openingSince ?? now : nil
    openingSince = hasThread ? opening ?? begins : nil
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
    if needsThread, mayOpen, refusal == nil, !hasThread || (isSilent && wanted == .sound) {
      hasThread = true
      isSilent = wanted == .silence
      orders.append(isSilent ? .startSilently : .start)
    }
    return orders
  }

  /// Counts how long no block has come while sound flows.
  private mutating func look(at block: Double?, now: Double) {
    let passed = min(now - lastLook, Self.longestLook)
    standstill = hasThread && block != nil && block == lastBlock ? standstill + passed : 0
    (lastBlock, lastLook) = (block, now)
  }

  /// True while a device that sounds stands still: the call that the thread is in may never come back.
  var isStandingStill: Bool { standstill >= Self.longestStandstill }

  /// True while there is an audio thread that is to stay.
  var isOpen: Bool { hasThread && !reopens && ending == nil }

  /// True when everything wanted has been done that does not depend on a device.
  var isSettled: Bool { needsThread ? refusal != nil || isOpen : !hasThread }

  /// True while a device does not open.
  private func isHeldUp(_ audio: AidState, at now: Double) -> Bool {
    switch audio {
    case .starting, .waitingForDevice: openingSince.map { now - $0 >= Self.longestOpening } ?? false
    case .stopped, .running, .muted, .faulted: false
    }
  }

  /// True while a device does not close. A fault goes on being told: it was there before, and says what to change.
  private func isHeldClosing(_ audio: AidState, at now: Double) -> Bool {
    switch audio {
    case .starting, .waitingForDevice, .running, .muted:
      closingSince.map { now - $0 >= Self.longestClosing } ?? false
    case .stopped, .faulted: false
    }
  }

  /// The state as a person sees it: a thread that is only ending counts as stopped.
  ///
  /// - Parameter audio: The engine's state.
  func state(_ audio: AidState, now: Double) -> AidState {
    if let refusal { return .faulted(reason: refusal) }
    if wanted == .silence { return .stopped }
    if let pause { return .waitingForDevice(reason: pause) }
    if let occupant { return .waitingForDevice(reason: occupant) }
    // Whatever was told before: of a device that was waited for that is the reason of the attempt before.
    if isHeldUp(audio, at: now) {
      let verb = areOpen ? "start" : "open"
      return .waitingForDevice(reason: "the sound device does not \(verb): its sound server may hang")
    }
    if isHeldClosing(audio, at: now) {
      return .waitingForDevice(reason: "the sound device does not close: its sound server may hang")
    }
    guard let ending else {
      if isStandingStill {
        return .waitingForDevice(reason: "the sound device stands still: its sound server may hang")
      }
      return audio == .stopped || !hasThread ? .starting : audio
    }
    // A thread that is ending says nothing about the next one, but it may know why it cannot end.
    if case .waitingForDevice = audio { return audio }
    return now - ending < Self.longestClosing
      ? .starting : .waitingForDevice(reason: "the sound device that was used before does not close")
  }
}
