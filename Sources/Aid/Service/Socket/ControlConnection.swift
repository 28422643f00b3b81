import Base
import CLinux
import Control
import Glibc

/// One connected client: bytes in, lines to the session, bytes out. Lives on the server's thread.
final class ControlConnection {
  let descriptor: Int32
  var session: ControlSession
  private let limits: ControlServer.Limits
  private var input: LineBuffer
  private var output: [UInt8] = []
  /// Since when the client has taken nothing, monotonic s; nil while it reads.
  private var stalledSince: Double?
  /// Time of the last request, or of the connection before the first, monotonic s.
  private(set) var lastRequest: Double
  /// When it must have said something, monotonic s; nil once it has.
  private var firstMessageDue: Double?
  /// The client has closed its side; what it asked before is still answered.
  private var hasEnded = false
  /// Nothing more is answered; the connection ends when everything is written.
  private(set) var isClosing = false
  /// Cannot be used any more.
  private(set) var isDead = false

  init(_ descriptor: Int32, session: ControlSession, limits: ControlServer.Limits, now: Double) {
    self.descriptor = descriptor
    self.session = session
    self.limits = limits
    input = LineBuffer(limit: limits.lineBytes)
    lastRequest = now
    firstMessageDue = now + limits.firstMessage
  }

  deinit { close(descriptor) }

  /// True while nothing is under way: no request, no answer, no subscription.
  var isIdle: Bool { session.subscription == nil && output.isEmpty && input.count == 0 && !isClosing }

  /// What to wait for.
  var events: Int16 {
    var events: Int32 = 0
    if !isClosing, !hasEnded, output.count < limits.outputBytes { events |= POLLIN }
    if !output.isEmpty { events |= POLLOUT }
    return Int16(events)
  }

  /// When something is due without an event, monotonic s.
  var deadline: Double {
    var deadline = firstMessageDue ?? .infinity
    if let stalledSince { deadline = min(deadline, stalledSince + limits.writeStall) }
    if let subscription = session.subscription, subscription.topics.contains(.meters) {
      deadline = min(deadline, session.metersDue)
    }
    return deadline
  }

  /// Reads what is there, answers it, writes what can be written.
  func serve(_ events: Int16, now: Double) {
    if events & Int16(POLLIN | POLLHUP) != 0, !isClosing, !hasEnded { read() }
    // Questions wait while answers do, so one round of answers can free the way for the next.
    repeat {
      answer(now: now)
      checkDeadlines(now: now)
      flush(now: now)
    } while output.isEmpty && !isClosing && !isDead && input.hasNext
    if events & Int16(POLLERR | POLLNVAL) != 0 { isDead = true }
    if isClosing, output.isEmpty { isDead = true }
  }

  /// Begins the end: what was to be said already still goes out.
  func finish() {
    while let notification = session.nextNotification() { output += notification }
    isClosing = true
  }

  /// Says why it ends at once, if that can be said at once.
  func dismiss(_ failure: ControlFailure) {
    let bytes = session.refuse(failure)
    _ = bytes.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 {
      input.append(chunk[..<count])
    } else if count == 0 {
      hasEnded = true
    } else if errno != EAGAIN, errno != EINTR {
      isDead = true
    }
  }

  private func answer(now: Double) {
    while !isClosing, output.count < limits.outputBytes {
      switch input.next() {
      case .whole(let bytes): reply(to: bytes, now: now)
      case .tooLong:
        let message =
          "request: found a line of more than \(limits.lineBytes) bytes, expected a shorter one."
        output += session.refuse(ControlFailure(.invalidRequest, message))
        isClosing = true
      case nil:
        guard hasEnded else { return }
        // The last question may lack its line break.
        reply(to: input.remainder(), now: now)
        isClosing = true
      }
    }
  }

  private func reply(to line: [UInt8], now: Double) {
    firstMessageDue = nil
    lastRequest = now
    if let response = session.respond(to: line, now: now) { output += response }
  }

  private func checkDeadlines(now: Double) {
    if let due = firstMessageDue, now >= due, !isClosing {
      let message =
        "request: found nothing for \(NumberText.exact(limits.firstMessage)) s, expected a first line."
      output += session.refuse(ControlFailure(.tooSlow, message))
      isClosing = true
    }
    if let stalledSince, now >= stalledSince + limits.writeStall { isDead = true }
  }

  private func flush(now: Double) {
    while !isDead {
      // Notifications wait in their short queue until everything before them is out.
      if output.isEmpty, !isClosing, let notification = session.nextNotification() { output = notification }
      guard !output.isEmpty else { break }
      let count = output.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        output.removeFirst(count)
        stalledSince = nil
      } else if count == -Int(EAGAIN) {
        if stalledSince == nil { stalledSince = now }
        return
      } else if count != -Int(EINTR) {
        isDead = true
      }
    }
    stalledSince = nil
  }
}
