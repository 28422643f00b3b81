import Base
import CommonTesting
import Control
import EngineTesting
import Glibc
import Synchronization
import Testing

@testable import Service

@Suite("Control server") struct ControlServerTests: SocketSuite {
  let place = SocketPlace()

  private func serve(
    rule: AccessRule = .person, limits: ControlServer.Limits = .init(),
    log: @escaping @Sendable (LogLine) -> Void = { _ in }
  ) throws -> ServedSocket {
    let server = try ServedSocket(path: path, rule: rule, handler: handler, limits: limits, log: log)
    server.start()
    return server
  }

  /// All clients of a test are one process.
  private static let ofOneProcess = {
    var limits = ControlServer.Limits()
    limits.clientsOfProcess = .max
    return limits
  }()

  private static let muted =
    #""jsonrpc":"2.0","result":{"state":{"muted":true,"name":"muted","reason":"asked","since_unix_seconds":1}}}"#

  // MARK: - Conversation

  @Test("the first answer of a connection carries the protocol's version, the next ones do not")
  func greeting() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send(request("mute") + request("mute", id: 2))
    #expect(
      client.line() == #"{"id":1,"jsonrpc":"2.0","protocol":{"major":1,"minor":6},"result":"#
        + #"{"state":{"muted":true,"name":"muted","reason":"asked","since_unix_seconds":1}}}"#)
    #expect(client.line() == #"{"id":2,"# + Self.muted)
  }

  @Test("a request without an identifier is carried out and not answered")
  func silent() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send(#"{"jsonrpc":"2.0","method":"mute"}"# + "\n" + request("unmute"))
    #expect(client.line()?.contains(#""name":"stopped""#) == true)
    #expect(handler.received == ["mute", "unmute"])
  }

  @Test("a client that ends its side after the last question, even without a line break, is answered")
  func halfClosed() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send(request("mute") + String(request("mute", id: 2).dropLast()))
    client.finish()
    #expect(client.lines().count == 2)
  }

  @Test("the handler is told of every connection that ends, once, whatever ended it, and which one it was")
  func gone() throws {
    var limits = ControlServer.Limits()
    limits.firstMessage = 0.05
    let server = try serve(limits: limits)
    var clients: [RawClient]? = try (1...3).map { _ in try RawClient(path) }
    // The first is dropped for its silence; the second has half a question under way when it ends.
    _ = clients?[0].lines()
    let second = try RawClient(path)
    second.send(request("mute") + "{")
    _ = second.line()
    #expect(handler.gone.allSatisfy { $0.connection <= 3 })
    clients = nil
    second.finish()
    #expect(eventually { handler.gone.count >= 4 })
    #expect(handler.gone.map(\.connection).sorted() == [1, 2, 3, 4])
    // One that is still there when the server ends has gone as well.
    let last = try RawClient(path)
    last.send(request("mute"))
    _ = last.line()
    server.stop()
    #expect(handler.gone.last?.connection == 5 && handler.gone.last?.processID == getpid())
  }

  @Test("rubbish is answered with an error, and the connection goes on")
  func rubbish() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send("hello\n\n  \n[]\n" + request("nothing") + request("mute", id: 5))
    let codes = (0..<4).map { _ in client.line()?.firstMatch(of: #/"code":(-\d+)/#).map { String($0.1) } }
    #expect(codes == ["-32700", "-32600", "-32601", nil])
  }

  @Test("a thousand questions at once are all answered, in order, to a client that reads only afterwards")
  func pipelined() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send((1...1000).map { request("status", id: $0) }.joined())
    for id in 1...1000 {
      try #require(client.line()?.contains(#""id":\#(id),"#) == true)
    }
  }

  @Test("a line of more than 64 KiB is refused and ends the connection")
  func tooLong() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send(String(repeating: "x", count: 65_537))
    #expect(
      client.lines() == [
        #"{"error":{"code":-32600,"message":"request: found a line of more than 65536 bytes, expected a "#
          + #"shorter one."},"id":null,"jsonrpc":"2.0","protocol":{"major":1,"minor":6}}"#
      ])
  }

  @Test("a client that says nothing in time is told so and dropped")
  func mute() throws {
    var limits = ControlServer.Limits()
    limits.firstMessage = 0.05
    let server = try serve(limits: limits)
    defer { server.stop() }
    let client = try RawClient(path)
    #expect(
      client.lines() == [
        #"{"error":{"code":-32003,"message":"request: found nothing for 0.05 s, expected a first line."},"#
          + #""id":null,"jsonrpc":"2.0","protocol":{"major":1,"minor":6}}"#
      ])
  }

  @Test("the seventeenth client is refused with a reason; when one goes, the next is served")
  func crowd() throws {
    let server = try serve(limits: Self.ofOneProcess)
    defer { server.stop() }
    var clients = try (1...16).map { _ in try RawClient(path) }
    for client in clients {
      client.send(request("version"))
      #expect(client.line() != nil)
    }
    let late = try RawClient(path)
    late.send(request("version"))
    let lines = late.lines()
    #expect(lines.count == 1)
    #expect(
      lines.first?.contains(
        "control socket \(path): found 16 clients connected, expected fewer than 16. Try again when one has gone: "
          + "process \(getpid()) has 16.") == true)
    #expect(throws: Failure.self) { try ControlClient(path: path).ask(ReportMethods.Status()) }
    clients.removeLast()
    // The server notices the closed one at its next turn.
    var isServed = false
    for _ in 0..<1000 where !isServed {
      let next = try RawClient(path)
      next.send(request("version"))
      isServed = next.line()?.contains("1.2.3") == true
    }
    #expect(isServed)
  }

  @Test(
    "of sixteen that ask nothing the one idle the longest gives way to the next, and no subscriber does")
  func idleClients() throws {
    var limits = Self.ofOneProcess
    limits.idle = 0
    let server = try serve(limits: limits)
    defer { server.stop() }
    let subscriber = try RawClient(path)
    subscriber.send(request("subscribe", #"{"topics":["state"]}"#))
    #expect(subscriber.line() != nil)
    let halfAsked = try RawClient(path)
    halfAsked.send(request("version") + "{")
    #expect(halfAsked.line() != nil)
    let idle = try (1...14).map { _ in
      let client = try RawClient(path)
      client.send(request("version"))
      #expect(client.line() != nil)
      return client
    }
    #expect(try ControlClient(path: path).ask(ReportMethods.Status()) == .sample)
    let last = idle[0].lines()
    #expect(last.count == 1)
    #expect(
      last.first?.contains("connection: found no request for 0 s, and another client needs its place.")
        == true)
    idle[1].send(request("version"))
    #expect(idle[1].line() != nil)
    server.publish(StatusReport.State(.running, since: 4))
    #expect(subscriber.line()?.contains("running") == true)
  }

  @Test("a client that does not read is dropped, and others are served meanwhile")
  func slowReader() throws {
    var limits = ControlServer.Limits()
    limits.writeStall = 0.2
    let server = try serve(limits: limits)
    defer { server.stop() }
    let slow = try RawClient(path)
    // 2000 answers are far more than the kernel and the server keep for a client.
    slow.send((1...2000).map { request("status", id: $0) }.joined())
    #expect(try ControlClient(path: path).ask(ReportMethods.Status()) == .sample)
    #expect(slow.isHungUp())
    #expect(slow.lines().count < 2000)
  }

  @Test("stopping gives out what was said last, removes socket and lock, and hangs up")
  func stopping() throws {
    let server = try serve()
    let client = try RawClient(path)
    client.send(request("subscribe", #"{"topics":["state"]}"#))
    #expect(client.line() != nil)
    server.publish(StatusReport.State(.stopped, reason: "the daemon ends", since: 3))
    server.stop()
    #expect(client.lines().map { $0.contains("the daemon ends") } == [true])
    #expect(folder.names == [])
    server.stop()
  }

  // MARK: - Permission

  @Test("a peer without a role may read, is told which role it lacks, and its owner hears of it")
  func refusal() throws {
    let peer = Peer(processID: 77, userID: 4003, groupID: 4004)
    var session = ControlSession(
      peer: peer, methods: handler.methods, rule: AccessRule(userID: 4001, groupID: 4002))
    func take(_ method: String) -> ControlSession.LineOutcome {
      session.take([UInt8](request(method).utf8.dropLast()), now: 0)
    }
    guard case .done(let bytes?, .refused("mute", let refused)?) = take("mute") else {
      Issue.record("mute was not refused")
      return
    }
    let line = String(decoding: bytes, as: UTF8.self)
    #expect(refused == peer && refused.roles.isEmpty)
    #expect(
      line.contains(
        #""message":"mute: found user 4003, no role, expected wearer, audiologist or operator. "#
          + #"Ask as one of them; auricle roles shows who may do what, and how.""#))
    #expect(line.contains(#""code":-32001"#) && line.contains(#""exit_status":77"#))
    guard case .call(let status, let caller, nil) = take("status") else {
      Issue.record("status was refused")
      return
    }
    #expect(status is ReportMethods.Status && caller == peer)
    #expect(
      session.answer(handler.answer(status, from: caller))?.line
        == LogLine(.debug, "status by user 4003, process 77"))
  }

  @Test("each change is logged with user and process before it is made, and once more when it fails")
  func changesAreLogged() throws {
    let shared = SharedLog()
    let server = try serve(log: { shared.add($0) })
    let client = try ControlClient(path: path)
    try client.ask(SoundMethods.Mute())
    #expect(throws: Failure.self) { try client.ask(SoundMethods.Start()) }
    server.stop()
    let who = "user \(geteuid()), process \(getpid())"
    #expect(
      shared.all == [
        LogLine(.notice, "mute by \(who)"), LogLine(.notice, "start by \(who)"),
        LogLine(
          .warning,
          "start by \(who) failed: hw:CARD=Aid: found no such device, expected a sound card. Plug it in."),
      ])
  }

  // MARK: - Notifications

  @Test("subscribers get each state, and meters only when they asked for them")
  func notifications() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try RawClient(path)
    client.send(request("subscribe", #"{"topics":["state"]}"#))
    #expect(client.line()?.contains(#""topics":["state"]"#) == true)
    server.publish(StatusReport.State(.running, since: 4))
    #expect(
      client.line() == #"{"jsonrpc":"2.0","method":"state","params":{"sequence":1,"state":"#
        + #"{"muted":false,"name":"running","since_unix_seconds":4}}}"#)
    client.send(request("unsubscribe", id: 2))
    #expect(client.line() == #"{"id":2,"jsonrpc":"2.0","result":{}}"#)
    #expect(handler.metersAsked == 0)
  }

  @Test("meters come at the interval asked for, numbered, through the client")
  func meters() throws {
    let server = try serve()
    defer { server.stop() }
    let client = try ControlClient(path: path)
    // Before it asks: however late it is to run afterwards, the server counts from the question.
    let start = SystemTime.monotonic
    #expect(
      try client.ask(Subscription(to: [.meters], every: 0.05))
        == Subscription(to: [.meters], every: 0.05))
    for sequence in 1...4 {
      let notification = try #require(try client.nextNotification(timeout: 60))
      #expect(notification.topic == "meters" && notification.sequence == sequence)
      #expect(try JSON.value(MetersReport.self, from: notification.content) == .silent)
    }
    // The first at once, three more 0.05 s apart; poll rounds up to a millisecond.
    #expect(SystemTime.monotonic - start >= 0.14)
    // A question between notifications finds its own answer.
    #expect(try client.ask(ReportMethods.Status()) == .sample)
  }

  @Test("spectra come at the interval asked for, to the owner, until they unsubscribe")
  func spectra() throws {
    let peer = Peer(processID: 1, userID: geteuid(), groupID: 0)
    var session = ControlSession(peer: peer, methods: handler.methods, rule: .person)
    func call(_ method: String, _ parameters: String = "{}") -> [UInt8] {
      [UInt8](request(method, parameters).utf8.dropLast())
    }
    _ = session.take(call("spectrum.watch", #"{"interval_seconds":0.2}"#), now: 10)
    for frame in 0..<25 where session.wantsSpectrum(at: 10 + 0.04 * Double(frame)) {
      session.notify(spectrum: "\(frame)", now: 10 + 0.04 * Double(frame))
    }
    var received: [String] = []
    while let line = session.nextNotification() { received.append(String(decoding: line, as: UTF8.self)) }
    // 25 a second, of which every fifth is 0.2 s after the one before.
    #expect(
      received
        == (0..<5).map {
          #"{"jsonrpc":"2.0","method":"spectrum","params":{"sequence":\#($0 + 1),"spectrum":\#(5 * $0)}}"#
            + "\n"
        })
    guard case .done(_, .unsubscribed(peer)?) = session.take(call("unsubscribe"), now: 11) else {
      Issue.record("expected that the end is told")
      return
    }
    #expect(session.spectra == nil && !session.wantsSpectrum(at: 20))
    let stranger = Peer(processID: 1, userID: geteuid() + 4242, groupID: 0)
    var refused = ControlSession(
      peer: stranger, methods: handler.methods, rule: AccessRule(userID: geteuid(), groupID: nil))
    _ = refused.take(call("spectrum.watch"), now: 10)
    #expect(refused.spectra == nil)
  }

  @Test("of what a slow reader has not taken, the newest is kept and the numbering shows the gap")
  func newestWins() throws {
    let peer = Peer(processID: 1, userID: geteuid(), groupID: 0)
    var session = ControlSession(peer: peer, methods: handler.methods, rule: .person)
    _ = session.take([UInt8](request("subscribe").utf8.dropLast()), now: 10)
    for time in 0..<40 { session.notify(StatusReport.State(.running, since: Double(time))) }
    for time in 0..<3 { session.notify(MetersReport.silent, now: 11 + Double(time)) }
    var received: [Int] = []
    while let line = session.nextNotification() {
      let message = try JSONValue(line)
      guard case .number(let sequence) = message["params"]?["sequence"]?.content else { continue }
      received.append(Int(sequence))
    }
    // 16 in all: the states 26 to 40, less none, and the third of the meters, which replaced the others.
    #expect(received == Array(26...40) + [43])
  }
}

/// Lines logged by several threads.
final class SharedLog: Sendable {
  private let lines = Mutex<[LogLine]>([])

  func add(_ line: LogLine) { lines.withLock { $0.append(line) } }
  var all: [LogLine] { lines.withLock { $0 } }
}
