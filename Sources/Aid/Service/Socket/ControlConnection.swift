import Base
import CLinux
import Control
import Glibc

/// One connected client: bytes in, lines to the session, bytes out.
final class ControlConnection {
  let descriptor: Int32
  var session: ControlSession
  /// The request whose answer waits; nothing more is read meanwhile.
  var request: RequestID?
  /// The line that is taken next; nil: none is complete, or an answer comes first.
  private var next: Request?
  /// Its last turn, or when it came, counted among all.
  var turn: UInt64 = 0
  /// A request of its has been begun.
  var hasBegun = false
  /// One of the places for clients is its. Until it is given one it waits without.
  var hasPlace = false
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

  /// True while nothing is under way: no request, no answer, no subscription, no feedback test.
  var isIdle: Bool {
    request == nil && next == nil && session.subscription == nil && session.spectra == nil
      && !session.isFollowing && output.isEmpty && input.count == 0 && !isClosing
  }

  /// True while a request of its can be begun.
  var isAsking: Bool { next != nil && !isClosing && !isDead }

  /// True while that request is one that silences, and its client may.
  func asksForSilence(at now: Double) -> Bool {
    isAsking && next.map { session.silences($0, now: now) } == true
  }

  /// Descriptor to poll; -1: none. A client that has ended its side would otherwise wake the loop again and
  /// again until it is answered.
  var polledDescriptor: Int32 { hasEnded && output.isEmpty ? -1 : descriptor }

  /// Events to wait for. Nothing more is read while a line waits: who sends more than is answered fills their own end.
  var events: Int16 {
    var events: Int32 = 0
    if !hasEnded, next == nil, !input.hasNext, isReadyForRequest { events |= POLLIN }
    if !output.isEmpty { events |= POLLOUT }
    return Int16(events)
  }

  /// When something is due without an event, monotonic s.
  var deadline: Double {
    if isAsking || isReadyForRequest && (input.hasNext || hasEnded) { return 0 }
    var deadline = firstMessageDue ?? .infinity
    if let stalledSince { deadline = min(deadline, stalledSince + limits.writeStall) }
    if session.wants(.meters) { deadline = min(deadline, session.metersDue) }
    return deadline
  }

  /// Reads and writes what can be.
  func serve(_ events: Int16, now: Double) {
    if events & Int16(POLLIN | POLLHUP) != 0, !isClosing, !hasEnded { read() }
    checkDeadlines(now: now)
    flush(now: now)
    if events & Int16(POLLERR | POLLNVAL) != 0 { isDead = true }
  }

  /// Begins the end: what was to be said already still goes out.
  func finish(now: Double) {
    while let notification = session.nextNotification() { output += notification }
    isClosing = true
    flush(now: now)
  }

  /// Ends it with a reason.
  func refuse(_ failure: ControlFailure, now: Double) {
    output += session.refuse(failure)
    isClosing = true
    flush(now: now)
  }

  /// Ends it at once, with a reason if that can be said at once.
  func dismiss(_ failure: ControlFailure) { dismiss(session.refuse(failure)) }

  /// Ends it at once, with this line if it can be said at once.
  func dismiss(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
    isDead = true
  }

  /// As the bounds on clients see it.
  ///
  /// - Parameter isEngaged: True while something of it goes on without a request.
  func client(at now: Double, isEngaged: Bool) -> ClientPlaces.Client {
    ClientPlaces.Client(
      peer: session.peer, maySilence: session.maySilence(at: now),
      idleSince: isIdle && !isEngaged ? lastRequest : nil,
      asksToStay: next.map(session.stays) == true)
  }

  /// Little at a time: what one client sends must not delay what another has sent.
  private func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count > 0 {
      input.append(chunk[..<count])
    } else if count == 0 {
      hasEnded = true
    } else if errno != EAGAIN, errno != EINTR {
      isDead = true
    }
  }

  /// Questions wait while answers do.
  private var isReadyForRequest: Bool {
    request == nil && !isClosing && !isDead && output.count < limits.outputBytes
  }

  /// Reads the next line that asks something, where one has come whole and nothing is to be answered first.
  func readNext(now: Double) {
    while isReadyForRequest, next == nil {
      let line: [UInt8]
      switch input.next() {
      case .whole(let bytes): line = bytes
      case .tooLong:
        let message =
          "request: found a line of more than \(limits.lineBytes) bytes, expected a shorter one."
        return refuse(ControlFailure(.invalidRequest, message), now: now)
      case nil:
        guard hasEnded else { return }
        // The last question may lack its line break.
        line = input.remainder()
        guard !line.isEmpty else { return isClosing = true }
      }
      firstMessageDue = nil
      if !line.allSatisfy({ $0 == .space || $0 == .tab }) { next = Request(line: line) }
    }
  }

  /// Takes the request that was read.
  ///
  /// - Returns: Nil where it is answered already: a refusal, a subscription.
  func takeNext(
    now: Double, log: inout [ControlServer.Occurrence]
  ) -> (method: any ControlMethod, caller: Peer)? {
    guard let asked = next else { return nil }
    next = nil
    lastRequest = now
    switch session.take(asked, now: now) {
    case .call(let method, let caller, let line):
      if let line { log.append(.log(line)) }
      return (method, caller)
    case .done(let bytes, let occurrence):
      output += bytes ?? []
      if let occurrence { log.append(occurrence) }
    }
    flush(now: now)
    return nil
  }

  /// Sends the answer to the request that waits.
  ///
  /// - Returns: A line for the log.
  func answer(_ answer: Answer, now: Double) -> LogLine? {
    guard let (response, line) = session.answer(answer) else { return nil }
    output += response ?? []
    flush(now: now)
    return line
  }

  private func checkDeadlines(now: Double) {
    if let due = firstMessageDue, now >= due, !isClosing {
      let message =
        "request: found nothing for \(NumberText.exact(limits.firstMessage)) s, expected a first line."
      refuse(ControlFailure(.tooSlow, message), now: now)
    }
    if let stalledSince, now >= stalledSince + limits.writeStall { isDead = true }
  }

  func flush(now: Double) {
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
    if isClosing { isDead = true }
  }
}
