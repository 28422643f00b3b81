import Base
import CLinux
import Control
import Glibc

/// The server's thread: waits for sockets and the bell, and serves one client after another.
final class ControlLoop {
  private let server: ControlServer
  private var connections: [ControlConnection] = []
  /// Connections accepted so far.
  private var count: UInt64 = 0
  /// Until when no connection is accepted, because the process has run out of descriptors; monotonic s.
  private var acceptAfter = 0.0
  /// When the last answers must be out; nil while serving.
  private var farewellDue: Double?

  init(_ server: ControlServer) { self.server = server }

  func run() {
    defer { part { _ in true } }
    while true {
      let now = SystemTime.monotonic
      if let due = farewellDue, connections.isEmpty || now >= due { return }
      var polled = descriptors(now: now)
      let ready = poll(&polled, nfds_t(polled.count), milliseconds(until: deadline, now: now))
      if ready < 0, errno != EINTR {
        server.log(LogLine(.error, "control socket: poll fails: \(SystemError.words(for: errno))"))
        return
      }
      serve(polled, now: SystemTime.monotonic)
    }
  }

  /// Bell, listener, then one for each connection.
  private func descriptors(now: Double) -> [pollfd] {
    let isOpen = farewellDue == nil && now >= acceptAfter
    var list = [
      pollfd(fd: server.bell, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isOpen ? server.socket.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    list += connections.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    return list
  }

  private var deadline: Double {
    var deadline = connections.map(\.deadline).min() ?? .infinity
    if acceptAfter > 0 { deadline = min(deadline, acceptAfter) }
    return min(deadline, farewellDue ?? .infinity)
  }

  private func milliseconds(until deadline: Double, now: Double) -> Int32 {
    guard deadline < .infinity else { return -1 }
    return Int32(min(max((deadline - now) * 1000, 0).rounded(.up), 60_000))
  }

  private func serve(_ polled: [pollfd], now: Double) {
    if acceptAfter > 0, now >= acceptAfter { acceptAfter = 0 }
    if polled[0].revents != 0 { answerBell(now: now) }
    if polled[1].revents != 0 {
      let isAsking = Set(polled.dropFirst(2).filter { $0.revents != 0 }.map(\.fd))
      accept(now: now, sparing: isAsking)
    }
    publishMeters(now: now)
    // New connections stand behind those that were polled.
    for (i, connection) in connections.enumerated() {
      let events = i + 2 < polled.count ? polled[i + 2].revents : 0
      connection.serve(events, now: now)
    }
    part { $0.isDead }
  }

  /// Lets connections go, and says so to the handler.
  private func part(_ isGone: (ControlConnection) -> Bool) {
    for connection in connections where isGone(connection) {
      server.handler.hasGone(connection.session.peer)
    }
    connections.removeAll(where: isGone)
  }

  private func answerBell(now: Double) {
    _ = clinux_eventfd_take(server.bell)
    let (states, isStopping) = server.collect()
    for connection in connections {
      for state in states { connection.session.notify(state) }
    }
    if isStopping, farewellDue == nil {
      farewellDue = now + server.limits.farewell
      for connection in connections { connection.finish() }
    }
  }

  /// - Parameter sparing: Descriptors of connections from which something has come just now.
  private func accept(now: Double, sparing isAsking: Set<Int32>) {
    let descriptor = clinux_accept(server.socket.descriptor)
    guard descriptor >= 0 else {
      if descriptor == -EMFILE || descriptor == -ENFILE || descriptor == -ENOMEM || descriptor == -ENOBUFS {
        // The connection stays in the queue and would wake this loop at once, again and again.
        acceptAfter = now + 1
        server.log(
          LogLine(
            .warning, "control socket: no connection accepted: \(SystemError.words(for: -descriptor))"))
      }
      return
    }
    count += 1
    guard let peer = Peer(of: descriptor, connection: count) else {
      close(descriptor)
      return
    }
    let session = ControlSession(
      peer: peer, methods: server.methods, rule: server.rule, log: server.log)
    let connection = ControlConnection(descriptor, session: session, limits: server.limits, now: now)
    if connections.count >= server.limits.clients, !makeRoom(now: now, sparing: isAsking) {
      refuse(connection)
    } else {
      connections.append(connection)
    }
  }

  /// Ends the connection that has been idle the longest: clients that only stay connected keep nobody out.
  ///
  /// - Returns: False when none has been idle for long enough.
  private func makeRoom(now: Double, sparing isAsking: Set<Int32>) -> Bool {
    let idle = connections.filter {
      $0.isIdle && !isAsking.contains($0.descriptor) && now - $0.lastRequest >= server.limits.idle
    }
    guard let longest = idle.min(by: { $0.lastRequest < $1.lastRequest }) else { return false }
    let seconds = NumberText.exact((now - longest.lastRequest).rounded(.down))
    longest.dismiss(
      ControlFailure(
        .tooSlow, "connection: found no request for \(seconds) s, and another client needs its place."))
    part { $0 === longest }
    return true
  }

  /// One line says why, if it can be said at once.
  private func refuse(_ connection: ControlConnection) {
    let count = server.limits.clients
    let failure = Failure(
      "control socket \(server.path)", found: "\(count) clients connected", expected: "fewer than \(count)",
      remedy: "Try again when one has gone.", exit: .temporary)
    connection.dismiss(ControlFailure(.tooManyClients, failure.message, failure: failure))
  }

  /// One reading serves every client whose time has come.
  private func publishMeters(now: Double) {
    guard connections.contains(where: { $0.session.wantsMeters(at: now) }) else { return }
    let meters = server.handler.meters()
    for connection in connections where connection.session.wantsMeters(at: now) {
      connection.session.notify(meters, now: now)
    }
  }
}
