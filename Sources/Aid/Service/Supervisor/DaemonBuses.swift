import AudioIO
import Base
import Bus
import Control
import Glibc

/// The daemon's connections to the machine's message bus and to its session's, and what it has asked for
/// there.
///
/// A bus that is not there, or goes, is tried again; nothing waits for it.
///
/// - Threads: main.
final class DaemonBuses {
  /// Time between two attempts to connect, s; own choice.
  private static let interval = 10.0

  private var system: MessageBus?
  private var session: MessageBus?
  private var sleep: SleepWatch?
  private var bluetooth: BluetoothWatch?
  private var wantsBluetooth = false
  /// Earphones that are connected by Bluetooth; none until they are watched.
  private(set) var earphones: [BluetoothEarphones] = []
  private var cards: CardRequest?
  /// ALSA's names of the devices whose cards are asked for; nil: none are wanted.
  private var wanted: [RouteReport.Names]?
  private var events: [Event] = []
  private var nextAttempt = 0.0
  private let hasSession: Bool
  private let connect: (MessageBus.Address) -> MessageBus?

  /// - Parameters:
  ///   - hasSession: True for the daemon of a person's session.
  ///   - connect: Makes a connection; another one in tests.
  init(
    hasSession: Bool, connect: @escaping (MessageBus.Address) -> MessageBus? = { try? MessageBus($0) }
  ) {
    (self.hasSession, self.connect) = (hasSession, connect)
    cards = CardRequest { [weak self] in self?.events.append(.reserved($0)) }
  }

  // MARK: - Serving

  var descriptors: [pollfd] { [system, session].compactMap { $0?.descriptor } }

  /// When to be served though nothing was polled, monotonic s.
  var deadline: Double {
    let watches = [sleep?.deadline, bluetooth?.deadline]
    let buses = ([system?.deadline, session?.deadline] + watches).compactMap(\.self).min()
    let isComplete = system != nil && (session != nil || !hasSession)
    return min(buses ?? .infinity, isComplete ? .infinity : nextAttempt)
  }

  /// - Returns: Events since the last call.
  func serve(now: Double) -> [Event] {
    connectMissing(now: now)
    if let bus = system, !bus.process() {
      (system, sleep, bluetooth) = (nil, nil, nil)
      earphones = []
      // A word that it has woken would never come.
      events.append(.sleep(.ended))
    }
    sleep?.serve(now: now)
    bluetooth?.serve(now: now)
    if let bus = session, !bus.process() {
      session = nil
      cards?.loseBus()
    }
    return takeEvents()
  }

  private func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Begins to connect to the buses that are missing, unless that was tried within ``interval``.
  func connectMissing(now: Double) {
    guard now >= nextAttempt else { return }
    nextAttempt = now + Self.interval
    if system == nil, let bus = connect(.system) {
      system = bus
      sleep = SleepWatch(bus) { [weak self] news in self?.events.append(.sleep(news)) }
    }
    if session == nil, hasSession, let bus = connect(.session) {
      session = bus
      // Nobody was asked while there was none, and what was held on a lost one is not any longer.
      ask(on: bus)
    }
    if wantsBluetooth { watchBluetooth() }
  }

  /// Watches from now on which earphones are connected by Bluetooth.
  func watchBluetooth() {
    wantsBluetooth = true
    guard bluetooth == nil, let system else { return }
    bluetooth = BluetoothWatch(system) { [weak self] in self?.earphones = $0 }
  }

  // MARK: - Asking

  func allowSleep() { sleep?.allow() }

  /// - Parameter thread: Number of the audio thread.
  func prioritise(_ thread: Int32) -> [Event] {
    guard let system else { return [.prioritised("there is no message bus with a RealtimeKit")] }
    RealtimeKit.prioritise(thread: thread, on: system) { [weak self] in
      self?.events.append(.prioritised($0))
    }
    return []
  }

  /// Asks for the cards of devices; those that are held already are not asked for. Without a bus that is done once there is one, and
  /// not waited for.
  func reserve(_ devices: [RouteReport.Names]) -> [Event] {
    wanted = devices
    guard let session else { return [.reserved([])] }
    ask(on: session)
    return takeEvents()
  }

  private func ask(on bus: MessageBus) {
    guard let wanted else { return }
    let devices = wanted.reduce(into: [Int: String]()) { found, names in
      let more = DevicePlace.cards(capture: names.capture, playback: names.playback)
      found.merge(more) { first, _ in first }
    }
    cards?.ask(for: devices, on: bus)
  }

  func releaseCards() {
    wanted = nil
    cards?.release()
  }
}
