import Base
import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

/// A control server whose rounds a test runs one by one, while clients send more than it can take.
@Suite("Flooded control server") struct FloodedServerTests: SocketSuite {
  let place = SocketPlace()

  /// - Parameter processes: Those of the clients, in the order in which they connect; by default all are one.
  private func server(processes: [Int32]? = nil) throws -> ControlServer {
    var limits = ControlServer.Limits()
    limits.clientsOfProcess = .max
    return try ControlServer(path: path, rule: .person, methods: handler.methods, limits: limits) {
      _, number in
      let process = processes.map { $0[Int(number) - 1] } ?? 1
      return Peer(processID: process, userID: geteuid(), groupID: getegid(), connection: number)
    }
  }

  private func lines(_ method: String, _ count: Int = 1) -> String {
    String(repeating: request(method), count: count)
  }

  private func client(sending text: String) throws -> RawClient {
    let client = try RawClient(path)
    client.send(text)
    return client
  }

  /// One round, in which every request is answered.
  ///
  /// - Returns: Names of the requests begun.
  @discardableResult private func round(_ server: ControlServer) -> [String] {
    let now = SystemTime.monotonic
    var polled = server.descriptors(at: now)
    poll(&polled, nfds_t(polled.count), 0)
    return server.serve(polled, now: now).compactMap { occurrence in
      guard case .request(let id, let method, let peer) = occurrence else { return nil }
      _ = server.answer(id, handler.answer(method, from: peer), now: now)
      return type(of: method).name
    }
  }

  @Test("a round begins every request for silence that has come, before one other of all that came earlier")
  func silenceFirst() throws {
    let server = try server()
    let crowd = try (1...6).map { _ in try client(sending: lines("version", 40)) }
    round(server)
    let wearers = try [client(sending: lines("mute")), client(sending: lines("feedback.stop"))]
    #expect(round(server) == ["mute", "feedback.stop", "version"])
    #expect(wearers.allSatisfy { $0.line()?.contains("error") == false })
    for _ in 0..<20 { #expect(round(server) == ["version"]) }
    crowd[3].send(lines("stop"))
    // Of one connection the order stays: its forty questions stand before.
    #expect(round(server) == ["version"])
  }

  @Test("of those who ask, the one that has waited the longest is next")
  func turns() throws {
    let server = try server()
    let many = try client(sending: lines("version", 40))
    for _ in 0..<3 { round(server) }
    let few = try client(sending: lines("devices", 2))
    #expect((0..<4).flatMap { _ in round(server) } == ["version", "devices", "version", "devices"])
    #expect(many.line() != nil && few.line() != nil)
  }

  @Test("a line that is no request takes its client's turn: rubbish is answered one line a round")
  func rubbish() throws {
    let server = try server()
    let vandal = try client(sending: String(repeating: "x\n", count: 2000))
    for _ in 0..<10 { round(server) }
    let other = try client(sending: lines("mute"))
    #expect(round(server) == ["mute"])
    #expect(other.line()?.contains("muted") == true)
    var answers = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(vandal.descriptor, &answers, answers.count, Int32(MSG_DONTWAIT))
    #expect(answers.prefix(max(count, 0)).count { $0 == UInt8(ascii: "\n") } == 11)
  }

  @Test("what a client sends faster than it is answered waits at its own end")
  func backlog() throws {
    let server = try server()
    let flood = try RawClient(path)
    let line = [UInt8](lines("version").utf8)
    /// Bytes that the kernel takes without waiting.
    func pour() -> Int {
      var poured = 0
      while true {
        let count = send(flood.descriptor, line, line.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        if count < line.count { return poured + max(count, 0) }
        poured += count
      }
    }
    let backlog = pour()
    try #require(backlog > 150 * line.count)
    for _ in 0..<100 { #expect(round(server).count <= 1) }
    // A hundred lines at most were taken, and what one reading of 4 KiB has beyond them; each line has a buffer of
    // its own in the kernel.
    #expect(pour() <= 100 * line.count + 4096 + line.count)
    #expect(flood.line()?.contains("result") == true)
  }

  @Test("a process that has taken every place is served silence all the same, and nothing else")
  func taken() throws {
    let server = try server()
    let crowd = try (1...16).map { _ in try client(sending: lines("version")) }
    for _ in 0..<17 { round(server) }
    for client in crowd { #expect(client.line()?.contains("result") == true) }
    let wearer = try client(sending: lines("mute") + lines("stop") + lines("status"))
    #expect(round(server) == ["mute"] && round(server) == ["stop"])
    round(server)
    let answers = wearer.lines()
    #expect(answers.map { $0.contains("result") } == [true, true, false])
    #expect(answers.last?.contains("found 16 clients connected, expected fewer than 16.") == true)
  }

  /// Sixteen processes that hold every place, have been served, and go on asking; then come others.
  private func occupied(then others: [Int32]) throws -> (ControlServer, [RawClient]) {
    let server = try server(processes: Array(1...16) + others)
    let crowd = try (1...16).map { _ in try client(sending: lines("version", 60)) }
    // Every second round is a new process's.
    for _ in 1...32 { #expect(round(server) == ["version"]) }
    return (server, crowd)
  }

  @Test("with every place taken by processes that go on asking, another is served in the next round")
  func reserved() throws {
    let (server, crowd) = try occupied(then: [101, 102])
    let first = try client(sending: lines("unmute"))
    #expect(round(server) == ["unmute"])
    let second = try client(sending: lines("status", 2))
    #expect(round(server) + round(server) == ["version", "status"])
    #expect((0..<17).flatMap { _ in round(server) }.count { $0 == "status" } == 1)
    for answered in [first, second, second] + crowd { #expect(answered.line()?.contains("result") == true) }
  }

  @Test(
    "a request that goes on after its answer needs a place of its own, and is refused where there is none")
  func staying() throws {
    let (server, crowd) = try occupied(then: [101])
    let watcher = try client(sending: lines("subscribe"))
    #expect(round(server) == ["version"])
    #expect(watcher.lines().map { $0.contains("found 16 clients connected") } == [true])
    #expect(crowd.allSatisfy { $0.line()?.contains("result") == true })
  }

  @Test("of clients that ask nothing for two seconds, one of whom something goes on keeps its place")
  func engaged() throws {
    let server = try server()
    let crowd = try (1...16).map { _ in try client(sending: lines("version")) }
    for _ in 0..<17 { round(server) }
    for client in crowd { #expect(client.line()?.contains("result") == true) }
    server.engaged = [
      Peer(
        processID: 1, userID: geteuid(), groupID: getegid(),
        connection: server.connections[0].session.peer.connection)
    ]
    let next = try client(sending: lines("status"))
    let later = SystemTime.monotonic + 3
    var polled = server.descriptors(at: later)
    poll(&polled, nfds_t(polled.count), 0)
    let begun = server.serve(polled, now: later)
    #expect(
      begun.contains {
        if case .request(_, let method, _) = $0 { type(of: method).name == "status" } else { false }
      })
    #expect(crowd[1].line()?.contains("another client needs its place") == true)
    #expect(server.connections[0].session.peer == server.engaged[0] && next.descriptor >= 0)
  }

  @Test("a new process with one connection is served before a new process with many, which came earlier")
  func fewest() throws {
    let (server, crowd) = try occupied(then: [Int32](repeating: 101, count: 20) + [102])
    let flood = try (1...20).map { _ in try client(sending: lines("devices")) }
    let wearer = try client(sending: lines("status"))
    #expect(round(server) == ["status"])
    #expect(round(server) + round(server) == ["version", "devices"])
    for answered in [wearer, flood[0]] + crowd { #expect(answered.line()?.contains("result") == true) }
  }

  @Test("those who may not silence the aid get half of the places, and their mute does not come first")
  func strangers() throws {
    let stranger = Peer(processID: 7, userID: 4003, groupID: 4004)
    let rule = AccessRule(userID: 4001, groupID: 4002)
    let session = ControlSession(peer: stranger, methods: handler.methods, rule: rule)
    let member = ControlSession(
      peer: Peer(processID: 7, userID: 4003, groupID: 4002), methods: handler.methods, rule: rule)
    for (method, isFirst) in [("mute", true), ("stop", true), ("feedback.stop", true), ("unmute", false)] {
      let request = Request(line: [UInt8](lines(method).utf8.dropLast()))
      #expect(!session.silences(request, now: 0) && member.silences(request, now: 0) == isFirst)
    }
    #expect(!session.maySilence(at: 0) && member.maySilence(at: 0))
  }

  @Test("a thousand connections that say nothing keep nobody out, and most of them are sent away")
  func thousand() throws {
    let server = try server()
    // As many as a process may have open, less those of the other tests.
    let crowd = try (1...400).map { _ in
      let client = try RawClient(path)
      round(server)
      return client
    }
    let wearer = try client(sending: lines("mute"))
    #expect(round(server) == ["mute"])
    #expect(wearer.line()?.contains("muted") == true)
    #expect(server.descriptors(at: 0).count <= 1 + 64)
    #expect(
      crowd[0].line()?.contains("found 64 connections that have asked nothing, expected fewer.") == true)
    let other = try client(sending: lines("version"))
    #expect(round(server) == ["version"])
    #expect(other.line()?.contains("result") == true)
  }

  @Test(
    "all connections that the queue holds are accepted in one round, and silence among them is carried out")
  func queue() throws {
    let server = try server()
    let crowd = try (1...62).map { _ in try RawClient(path) }
    let wearer = try client(sending: lines("mute"))
    #expect(round(server) == ["mute"])
    #expect(wearer.line() != nil && crowd.count == 62)
  }
}

/// The bounds on clients, as values.
@Suite("Places of clients") struct ClientPlacesTests {
  private let places = ClientPlaces(limits: ControlServer.Limits(), path: "/run/a")

  private func client(
    _ process: Int32, maySilence: Bool = true, idleSince: Double? = nil
  ) -> ClientPlaces.Client {
    ClientPlaces.Client(
      peer: Peer(processID: process, userID: 1000, groupID: 1000), maySilence: maySilence,
      idleSince: idleSince)
  }

  private func refusal(_ decision: ClientPlaces.Decision) -> String? {
    if case .none(let failure) = decision { failure.message } else { nil }
  }

  @Test("one process has eight places at most, and is told so; others have the rest")
  func process() {
    let placed = (0..<8).map { _ in client(7) }
    #expect(
      refusal(places.decision(for: client(7), among: placed, now: 9))
        == "control socket /run/a: found 8 connections of process 7, expected fewer than 8. "
        + "Ask through one of them, or end one.")
    #expect(places.decision(for: client(8), among: placed, now: 9) == .free)
  }

  @Test("those who may not silence the aid have eight places together")
  func strangers() {
    let placed = (1...8).map { client($0, maySilence: false) }
    #expect(
      refusal(places.decision(for: client(20, maySilence: false), among: placed, now: 9))
        == "control socket /run/a: found 8 clients that may not silence the aid, expected fewer than 8. "
        + "Try again when one has gone.")
    #expect(places.decision(for: client(20), among: placed, now: 9) == .free)
  }

  @Test(
    "a client gives way only where a bound is reached and it has been idle for two seconds, the idlest first"
  )
  func idle() {
    var placed = (1...16).map { client($0) }
    placed[4] = client(5, idleSince: 3)
    placed[9] = client(10, idleSince: 2)
    #expect(places.decision(for: client(20), among: placed, now: 5) == .insteadOf(9))
    #expect(places.decision(for: client(20), among: placed, now: 4) == .insteadOf(9))
    #expect(places.decision(for: client(20), among: placed, now: 3.9) == .reserved)
    #expect(places.decision(for: client(20), among: Array(placed.dropLast()), now: 5) == .free)
  }

  @Test(
    "the reserved place is for one request of a process without a place, by a peer who may silence; others are refused"
  )
  func reserved() {
    let placed = (1...16).map { client($0) }
    var staying = client(20)
    staying.asksToStay = true
    #expect(places.decision(for: client(20), among: placed, now: 9) == .reserved)
    for other in [client(16), client(20, maySilence: false), staying] {
      #expect(
        refusal(places.decision(for: other, among: placed, now: 9))
          == "control socket /run/a: found 16 clients connected, expected fewer than 16. Try again when one has gone."
      )
    }
    #expect(places.decision(for: staying, among: Array(placed.dropLast()), now: 9) == .free)
  }

  @Test(
    "of those that wait, the oldest of the process that has the most goes, never the only one of another")
  func leaving() {
    func peers(_ processes: [Int32]) -> [Peer] {
      processes.map { Peer(processID: $0, userID: 1000, groupID: 1000) }
    }
    let flood = [Int32](repeating: 7, count: 40) + [Int32](repeating: 8, count: 23)
    #expect(places.leaving(peers([5] + flood)) == [])
    #expect(places.leaving(peers([5] + flood + [8])) == [1])
    let numbers = places.leaving(peers([5] + [Int32](repeating: 8, count: 50) + [6] + flood))
    #expect(numbers.count == 51 && !numbers.contains(0) && !numbers.contains(51))
    #expect(places.leaving(peers([5] + flood + [7, 8, 8])) == [1, 2, 3])
  }
}

/// The order of requests, as a value.
@Suite("Turns of clients") struct ClientTurnsTests {
  private func asking(_ turn: UInt64, connections: Int = 1, isNew: Bool = false) -> ClientTurns.Asking {
    ClientTurns.Asking(turn: turn, connections: connections, isNew: isNew)
  }

  @Test("new processes and those that were served take turns, each side in order of waiting")
  func alternate() {
    var turns = ClientTurns()
    var asking = [
      asking(3), asking(1), asking(8, isNew: true), asking(7, isNew: true), asking(2),
      asking(9, isNew: true),
    ]
    var order: [UInt64] = []
    while let next = turns.next(among: asking) { order.append(asking.remove(at: next).turn) }
    #expect(order == [7, 1, 8, 2, 9, 3])
  }

  @Test(
    "of new processes the one with the fewest connections is next; of others their number means nothing")
  func connections() {
    var turns = ClientTurns()
    #expect(turns.next(among: [asking(1, connections: 9, isNew: true), asking(2, isNew: true)]) == 1)
    #expect(turns.next(among: [asking(1, connections: 9), asking(2)]) == 0)
    #expect(turns.next(among: []) == nil)
  }
}
