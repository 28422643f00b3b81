import Base
import Control
import Engine
import Glibc
import Service

/// Requests of every method, given through a socket to the server with a whole daemon behind it.
struct ControlLines: MutationKind {
  static let good: Set<String> = ["carried out", "refused"]

  let shelf: MaterialShelf
  private let fixtures: Fixtures
  private let scratch: String
  private var talk: Talk?

  init(_ fixtures: Fixtures, scratch: String) throws {
    self.fixtures = fixtures
    self.scratch = scratch
    // A path in a request may be relative to this.
    chdir(scratch)
    let cards = try SampleCards(fixtures.clinic, at: fixtures.now)
    let identity = fixtures.clinic.identity
    let fingerprint = identity.fingerprint.grouped
    let calls: [any ControlMethod] = [
      SoundMethods.Start(), SoundMethods.Stop(), SoundMethods.Mute(), SoundMethods.Unmute(),
      SoundMethods.Reload(), RouteMethods.Show(), RouteMethods.Try(capture: "hw:0", playback: "hw:1"),
      RouteMethods.Keep(), RouteMethods.Back(), SoundMethods.Shutdown(), ReportMethods.Status(),
      ReportMethods.Devices(),
      ReportMethods.Version(),
      Subscription(to: [.state, .meters], every: 1),
      Unsubscription(), PrescriptionMethods.Look(card: cards["trial"]),
      PrescriptionMethods.Load(card: cards["trial"], confirmation: "0123456789abcdef0123456789abcdef"),
      PrescriptionMethods.List(), PrescriptionMethods.Card(number: 1), PrescriptionMethods.Use("quiet"),
      PrescriptionMethods.Try("1", seconds: 600), PrescriptionMethods.Accept(),
      PrescriptionMethods.Revert(), TrustMethods.Add(card: identity.cardText, fingerprint: fingerprint),
      TrustMethods.Revoke(fingerprint: fingerprint), TrustMethods.List(), BookMethods.ShowAudit(count: 20),
      BookMethods.VerifyAudit(), BookMethods.VerifyAudit(head: "0:" + String(repeating: "0", count: 64)),
      BookMethods.AcceptDamage(), BookMethods.CorrectClock(),
      BookMethods.BackUp(path: scratch + "/backup", passphrase: "four words are enough"),
      ProgramMethods.List(), ProgramMethods.Use("music"), ProgramMethods.Volume(.by(-2)),
      ProgramMethods.Tone(.reset), StreamMethods.Set(on: false, levelDB: -6),
      FeedbackMethods.Measure([.left]),
      FeedbackMethods.Stop(), FeedbackMethods.Keep(SampleState.measured), FeedbackMethods.Clear(),
    ]
    shelf = MaterialShelf(
      try calls.map { call in
        let name = type(of: call).name
        return MaterialShelf.Item(
          name: name, material: JSONMaterial(try ControlLine.request(call, identifier: 1)),
          isSlow: name == "book.backup")
      })
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    if talk == nil {
      Fixtures.lay(fixtures.used, at: scratch + "/state")
      talk = try Talk(scratch)
    }
    defer { unlink(scratch + "/backup") }
    let answer = try talk?.answer(to: input.bytes) ?? []
    // What was carried out may have changed the daemon: the next case gets a new one.
    if answer.contains(where: { $0.contains("\"result\"") }) { talk = nil }
    return answer.isEmpty
      ? "no answer" : answer.contains { $0.contains("\"error\"") } ? "refused" : "carried out"
  }
}

/// A daemon, its socket, and a client that says one line and waits for the answer to another.
private final class Talk {
  private static let last = "{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"version\"}\n"

  private let daemon: DevicelessDaemon
  private let server: ControlServer

  init(_ scratch: String) throws {
    daemon = try DevicelessDaemon(paths: Fixtures.paths(scratch + "/state"))
    server = try daemon.server(path: scratch + "/socket")
  }

  deinit { server.close() }

  /// Lines that came in return, without the last one's.
  func answer(to line: [UInt8]) throws -> [String] {
    let descriptor = try connection()
    defer { close(descriptor) }
    var rest = line + [UInt8(ascii: "\n")] + Array(Self.last.utf8)
    var said: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    // Reading while writing, and serving in between: nobody waits for the other for ever.
    while true {
      let events = Int16(POLLIN) | (rest.isEmpty ? 0 : Int16(POLLOUT))
      var polled =
        [pollfd(fd: descriptor, events: events, revents: 0)] + server.descriptors(at: SystemTime.monotonic)
      let left = min(max(server.deadline - SystemTime.monotonic, 0) * 1000, 60_000)
      guard poll(&polled, nfds_t(polled.count), Int32(left.rounded(.up))) >= 0 else { continue }
      daemon.serve(server, Array(polled.dropFirst()))
      if polled[0].revents & Int16(POLLOUT) != 0 {
        let count = send(descriptor, rest, min(rest.count, 1 << 15), Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        if count > 0 { rest.removeFirst(count) } else if errno != EAGAIN { rest = [] }
      }
      if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { break }
        said += chunk[..<count]
        if said.last == UInt8(ascii: "\n"), Self.isLast(said) { break }
      }
    }
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.filter { !$0.contains("\"id\":\"last\"") }
  }

  private static func isLast(_ said: [UInt8]) -> Bool {
    String(decoding: said.suffix(1000), as: UTF8.self).contains("\"id\":\"last\"")
  }

  private func connection() throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: server.path.utf8) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      throw MutationFault(text: "the daemon cannot be reached any more")
    }
    return descriptor
  }
}
