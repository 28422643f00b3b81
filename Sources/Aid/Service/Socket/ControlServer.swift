import Base
import CLinux
import Control
import Glibc

/// Names one request until it is answered.
package typealias RequestID = UInt64

/// Outcome of a request.
package typealias Answer = Result<any Encodable & Sendable, Failure>

/// Serves the control socket: JSON-RPC 2.0, one object a line.
///
/// It has no thread: the owner's loop polls its descriptors and lets it work. Nobody can make it wait:
/// sockets do not block, lines and answers have limits, a client that does not read is dropped. Of one
/// connection the next request is read when the one before is answered; the others go on meanwhile.
///
/// A round begins every request for silence (`Conduct.silencing`) that has come, and after them one other, in the order of
/// ``ClientTurns``. So silence waits for one command at most, however many are sent, and the owner's own work as well.
///
///     var polled = server.descriptors(at: now)
///     poll(&polled, nfds_t(polled.count), …)          // until server.deadline
///     for occurrence in server.serve(polled, now: now) { … server.answer(id, result, now: now) … }
///
/// - Threads: one.
package final class ControlServer {
  private let socket: ListeningSocket
  var rule: AccessRule
  private let methods: MethodTable
  /// Peers of whom something goes on without a request, told by the owner: they do not count as idle.
  package var engaged: [Peer] = []
  private let limits: Limits
  private let identify: (Int32, UInt64) -> Peer?
  private(set) var connections: [ControlConnection] = []
  /// Connections and requests so far.
  private var connectionCount: UInt64 = 0
  private var requestCount: RequestID = 0
  /// Connections and their turns so far.
  private var turnCount: UInt64 = 0
  private var turns = ClientTurns()
  /// Until when no connection is accepted, because the process has run out of descriptors; monotonic s.
  private var acceptAfter = 0.0
  /// When the last answers must be out; nil while serving.
  private var farewellDue: Double?
  private var isClosed = false

  /// Takes the socket; clients that connect before it is served wait.
  ///
  /// - Parameters:
  ///   - guardian: The process that starts this one again, told to commands by the lock file.
  ///   - passed: The socket where a service manager made it; nil: it is made.
  ///   - identify: The peer at the other end of a connected socket with its number; nil: it cannot be told. By default
  ///     as the kernel vouches for it.
  /// - Throws: ``Failure`` when another daemon runs or the path cannot be used.
  package init(
    path: String, rule: AccessRule, methods: MethodTable, limits: Limits = Limits(), guardian: Int32? = nil,
    passed: PassedSocket? = nil,
    identify: @escaping (Int32, UInt64) -> Peer? = { Peer(of: $0, connection: $1) }
  ) throws(Failure) {
    socket = try ListeningSocket(path: path, rule: rule, guardian: guardian, passed: passed)
    self.rule = rule
    self.methods = methods
    self.limits = limits
    self.identify = identify
  }

  deinit { close() }

  /// Path of the socket.
  package var path: String { socket.path }

  /// Why further groups cannot connect, a sentence; nil: they can, or there are none.
  var warning: String? { socket.warning }

  /// True while clients can reach this server, and other daemons see that it is there: socket and lock are
  /// in place.
  package var isReachable: Bool { socket.isInPlace }

  /// True where the lock file in the place of this daemon's is another one's.
  var isTakenOver: Bool { socket.isTakenOver }

  // MARK: - The owner's loop

  /// Descriptors to poll: the listener, then one descriptor for each connection.
  package func descriptors(at now: Double) -> [pollfd] {
    let isOpen = farewellDue == nil && now >= acceptAfter
    return [pollfd(fd: isOpen ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0)]
      + connections.map { pollfd(fd: $0.polledDescriptor, events: $0.events, revents: 0) }
  }

  /// When ``serve(_:now:)`` is to be called although no descriptor is ready, monotonic s.
  package var deadline: Double {
    var deadline = connections.map(\.deadline).min() ?? .infinity
    if acceptAfter > 0 { deadline = min(deadline, acceptAfter) }
    return min(deadline, farewellDue ?? .infinity)
  }

  /// Reads and writes what can be, and takes the requests of a round: those for silence first.
  ///
  /// - Parameter polled: ``descriptors(at:)`` after poll(2).
  package func serve(_ polled: some RandomAccessCollection<pollfd>, now: Double) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    if acceptAfter > 0, now >= acceptAfter { acceptAfter = 0 }
    let events = polled.map(\.revents)
    if events[0] != 0 { accept(now: now, &occurrences) }
    // New connections stand behind those that were polled; as a rule their first line is there.
    for (number, connection) in connections.enumerated() {
      connection.session.endUnpermitted(at: now)
      connection.serve(number + 1 < events.count ? events[number + 1] : Int16(POLLIN), now: now)
      connection.readNext(now: now)
    }
    for connection in connections where connection.asksForSilence(at: now) {
      begin(connection, now: now, &occurrences)
    }
    for connection in connections where connection.isAsking && !connection.hasPlace {
      place(connection, now: now, &occurrences)
    }
    // The reserved place serves the ones that were neither given a place nor refused.
    let asking = connections.filter(\.isAsking)
    if let next = turns.next(among: asking.map { turn(of: $0, at: now) }) {
      begin(asking[next], now: now, &occurrences)
    }
    for connection in connections { connection.flush(now: now) }
    limitWaiting()
    part(&occurrences) { $0.isDead }
    return occurrences
  }

  private func begin(_ connection: ControlConnection, now: Double, _ occurrences: inout [Occurrence]) {
    turnCount += 1
    connection.turn = turnCount
    connection.hasBegun = true
    guard let (method, caller) = connection.takeNext(now: now, log: &occurrences) else { return }
    requestCount += 1
    connection.request = requestCount
    occurrences.append(.request(requestCount, method, from: caller))
  }

  /// Answers a request. One whose connection has ended is answered in vain.
  ///
  /// - Returns: A line for the log.
  package func answer(_ id: RequestID, _ answer: Answer, now: Double) -> LogLine? {
    guard let connection = connections.first(where: { $0.request == id }) else { return nil }
    connection.request = nil
    return connection.answer(answer, now: now)
  }

  // MARK: - Ending

  /// Begins the end: answers already given still go out.
  package func finish(now: Double) {
    guard farewellDue == nil else { return }
    farewellDue = now + limits.farewell
    for connection in connections { connection.finish(now: now) }
  }

  /// True when everybody has gone, or was waited for long enough.
  package func isFinished(at now: Double) -> Bool {
    connections.isEmpty || farewellDue.map { now >= $0 } ?? false
  }

  /// Drops everybody, removes the socket and frees the lock.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    connections = []
    socket.close()
  }

  // MARK: - Connections

  private func accept(now: Double, _ occurrences: inout [Occurrence]) {
    for _ in 0..<limits.accepted {
      let descriptor = clinux_accept(socket.descriptor)
      guard descriptor >= 0 else {
        if [-EMFILE, -ENFILE, -ENOMEM, -ENOBUFS].contains(descriptor) {
          // The connection stays in the queue and would wake the loop at once, again and again.
          acceptAfter = now + 1
          let reason = SystemError.words(for: -descriptor)
          occurrences.append(
            .log(LogLine(.warning, "control socket: no connection accepted: \(reason)")))
        }
        return
      }
      connectionCount += 1
      guard let peer = identify(descriptor, connectionCount) else {
        Glibc.close(descriptor)
        continue
      }
      let session = ControlSession(peer: peer, methods: methods, rule: rule)
      let connection = ControlConnection(descriptor, session: session, limits: limits, now: now)
      turnCount += 1
      connection.turn = turnCount
      connections.append(connection)
    }
  }

  private var places: ClientPlaces { ClientPlaces(limits: limits, path: path) }

  /// A connection that asks, as the order of turns sees it.
  private func turn(of connection: ControlConnection, at now: Double) -> ClientTurns.Asking {
    let others = connections.filter { $0.session.peer.processID == connection.session.peer.processID }
    return ClientTurns.Asking(
      turn: connection.turn, connections: others.count,
      isNew: !others.contains(where: \.hasBegun) && connection.session.maySilence(at: now))
  }

  /// Gives a place to a connection that asks something, or tells it why not.
  private func place(_ connection: ControlConnection, now: Double, _ occurrences: inout [Occurrence]) {
    let placed = connections.filter { $0.hasPlace && !$0.isDead }
    let clients = placed.map { $0.client(at: now, isEngaged: engaged.contains($0.session.peer)) }
    let client = connection.client(at: now, isEngaged: false)
    switch places.decision(for: client, among: clients, now: now) {
    case .free: connection.hasPlace = true
    case .insteadOf(let number):
      let seconds = NumberText.exact((now - placed[number].lastRequest).rounded(.down))
      placed[number].dismiss(
        ControlFailure(
          .tooSlow,
          "connection: found no request for \(seconds) s, and another client needs its place."))
      part(&occurrences) { $0 === placed[number] }
      connection.hasPlace = true
    case .reserved: break
    case .none(let failure): connection.dismiss(failure)
    }
  }

  /// Ends connections of which too many wait.
  private func limitWaiting() {
    let waiting = connections.filter { !$0.hasPlace && !$0.isDead }
    guard waiting.count > limits.waiting else { return }
    for number in places.leaving(waiting.map(\.session.peer)) { waiting[number].dismiss(crowded) }
  }

  /// The last line to one of too many that wait, written once: thousands a second may need it.
  private lazy var crowded = {
    let failure = ControlFailure(
      .tooManyClients,
      "connection: found \(limits.waiting) connections that have asked nothing, expected fewer. Send a request at "
        + "once.")
    return ControlLine.response(to: "null", .failure(failure), version: .current) + [.newline]
  }()

  /// Drops connections, and says so.
  private func part(_ occurrences: inout [Occurrence], _ isGone: (ControlConnection) -> Bool) {
    occurrences += connections.filter(isGone).map { .gone($0.session.peer) }
    connections.removeAll(where: isGone)
  }
}
