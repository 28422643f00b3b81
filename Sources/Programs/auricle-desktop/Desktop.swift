import Base
import Bus
import Glibc
import Service

/// The one loop of the desktop's program: waits for the buses, the daemon, signals and time, hands each to the ``DesktopState`` as an
/// event, and carries out its orders.
///
/// - Threads: main.
final class Desktop {
  /// Time between two attempts to connect to the machine's bus, s, which has the earphones; the session's is needed. Own choice.
  private static let interval = 10.0

  private var state = DesktopState()
  private let session: MessageBus
  private let aid: AidConnection
  private let source: EarphoneSource
  private var server: NotificationServer<DesktopState.Topic>?
  private var system: MessageBus?
  private var watch: BluetoothWatch?
  private var nextAttempt = 0.0
  private var bluetooth: [BluetoothEarphones] = []
  /// By which the earphones were looked up last; nil: they have to be anew.
  private var looked: EarphoneSource.Question?
  private var looks = EarphoneSource.Schedule()
  private var events: [DesktopState.Event] = []

  /// - Throws: ``Failure`` without a message bus of the session.
  init(_ aid: AidConnection, _ source: EarphoneSource) throws(Failure) {
    (self.aid, self.source) = (aid, source)
    session = try rethrowing(Self.noSession, try MessageBus(.session))
    server = NotificationServer(session) { [weak self] news in
      switch news {
      case .dismissed(let topic): self?.events.append(.dismissed(topic))
      case .acted(let topic, let action): self?.events.append(.acted(topic, action))
      }
    }
  }

  private static func noSession(_ error: SystemError) -> Failure {
    Failure(
      "message bus of the session", found: "that it cannot be reached: \(error.words)",
      remedy:
        "Start this program within a desktop's session: systemctl --user enable --now auricle-desktop",
      exit: .unavailable)
  }

  /// Stays until a signal ends it; then its notices are closed.
  ///
  /// - Throws: ``Failure`` when the session's bus has gone.
  func run(_ inbox: borrowing SignalInbox) throws(Failure) {
    while true {
      var polled = [pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0), session.descriptor]
      let daemon = aid.descriptor
      polled += [daemon, system?.descriptor].compactMap(\.self)
      wait(&polled)
      while let signal = inbox.next() { if signal != SIGUSR1 { return end() } }
      guard session.process() else {
        throw Failure(
          "message bus of the session", inWords: "It has ended",
          remedy: "The service manager starts this program again.",
          exit: .unavailable)
      }
      serveSystem(now: SystemTime.monotonic)
      for event in aid.serve(isReadable: daemon != nil && polled[2].revents != 0, now: SystemTime.monotonic)
      { handle(event) }
      for event in takeEvents() { handle(event) }
      if let looked, SystemTime.monotonic >= looks.due { lookUp(looked, isNews: false) }
      handle(.time)
    }
  }

  private func wait(_ polled: inout [pollfd]) {
    let buses = min(
      session.deadline, system?.deadline ?? nextAttempt, watch?.deadline ?? .infinity)
    let left = min(state.deadline, aid.deadline, buses, looks.due) - SystemTime.monotonic
    let milliseconds = Int32(min(max(left * 1000, 0).rounded(.up), 60_000))
    if poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
      for index in polled.indices { polled[index].revents = 0 }
    }
  }

  /// Connects to the machine's bus, which may begin later and be started again.
  private func serveSystem(now: Double) {
    if let bus = system, !bus.process() {
      (system, watch) = (nil, nil)
      events.append(.bluetooth([]))
    }
    watch?.serve(now: now)
    guard system == nil, now >= nextAttempt else { return }
    nextAttempt = now + Self.interval
    guard let bus = try? MessageBus(.system) else { return }
    system = bus
    watch = BluetoothWatch(bus) { [weak self] in self?.events.append(.bluetooth($0)) }
  }

  private func takeEvents() -> [DesktopState.Event] {
    defer { events = [] }
    return events
  }

  /// The last words go out as the bus is closed.
  private func end() { server?.closeAll() }

  // MARK: - Events and orders

  private func handle(_ event: DesktopState.Event) {
    for order in state.handle(event, at: SystemTime.monotonic) { perform(order) }
    switch event {
    case .aid(let standing): look(EarphoneSource.Question(standing, bluetooth))
    case .bluetooth(let earphones):
      bluetooth = earphones
      if let former = looked { look(former.with(earphones)) }
    case .lost: (looked, looks) = (nil, EarphoneSource.Schedule())
    default: break
    }
  }

  /// Looks up the earphones on which the aid plays, when the answer may be another one.
  private func look(_ question: EarphoneSource.Question) {
    guard question != looked else { return }
    looked = question
    lookUp(question, isNews: true)
  }

  private func lookUp(_ question: EarphoneSource.Question, isNews: Bool) {
    let (answer, isServer) = (source.answer(question), source.asksServer(question))
    looks.note(answer, at: SystemTime.monotonic, isNews: isNews, isServer: isServer)
    if !looks.isPending { handle(.worn(looks.earphones)) }
  }

  private func perform(_ order: DesktopState.Order) {
    switch order {
    case .show(let topic, let notice): server?.show(notice, as: topic)
    case .close(let topic): server?.close(topic)
    case .call(let action): aid.call(action)
    case .tell(let earphones): aid.tell(earphones)
    }
  }
}
