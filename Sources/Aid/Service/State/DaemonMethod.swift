import Base
import Control

/// A method that the daemon carries out.
protocol DaemonMethod: ControlMethod {
  // Named again, to be inferred from ``carryOut(in:from:)``.
  associatedtype Reply

  /// Carries it out, or begins to.
  ///
  /// - Throws: ``Failure``; then nothing was changed.
  func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<Reply>
}

/// The answer of a method, or what it waits for.
enum Outcome<Reply: Sendable>: Sendable {
  case now(Reply)
  /// When the state is as wanted, or when so much time has passed, s.
  case when(
    @Sendable (ServiceState) -> Bool, within: Double = ServiceState.patience,
    @Sendable (ServiceState) -> Reply)
  /// The result of a piece of work on the disk answers.
  case later
}

/// A request whose answer waits.
struct PendingAnswer: Sendable {
  let request: RequestID
  /// When it is answered at the latest, monotonic s.
  let due: Double
  /// True when it is answered before that. Never where the result of a piece of work answers.
  var isReached: @Sendable (ServiceState) -> Bool = { _ in false }
  /// Called when the state is reached, or it is due.
  let answer: @Sendable (inout ServiceState) -> Answer
}

extension ServiceState {
  /// Longest that a request waits for the state it asked for, and a program, volume or tone to be
  /// remembered before it is answered, s.
  static let patience = 0.3

  /// Carries out a request, or begins to.
  mutating func carryOut(_ method: any ControlMethod, from peer: Peer, as id: RequestID) {
    request = id
    defer { request = nil }
    switch method {
    case let method as any DaemonMethod: begin(method, from: peer, as: id)
    case let method as any BookMethod: begin(method, from: peer)
    default:
      let name = type(of: method).name
      emit(.answer(id, .failure(Failure(name, found: "a method of the connection", exit: .software))))
    }
  }

  private mutating func begin<Method: DaemonMethod>(_ method: Method, from peer: Peer, as id: RequestID) {
    finish(id, Result { () throws(Failure) in try method.carryOut(in: &self, from: peer) })
  }

  /// Answers a request, or notes what it waits for.
  mutating func finish<Reply: Encodable>(_ id: RequestID, _ result: Result<Outcome<Reply>, Failure>) {
    switch result {
    case .failure(let failure): emit(.answer(id, .failure(failure)))
    case .success(.now(let reply)): emit(.answer(id, .success(reply)))
    case .success(.later): break
    case .success(.when(let isReached, let patience, let reply)):
      let due = now.monotonic + patience
      pending.append(PendingAnswer(request: id, due: due, isReached: isReached) { .success(reply($0)) })
    }
  }

  /// Answers what waits no longer.
  ///
  /// - Parameter isEnd: True: everything. False by default.
  mutating func answerPending(isEnd: Bool = false) {
    for waiting in pending where isEnd || now.monotonic >= waiting.due || waiting.isReached(self) {
      pending.removeAll { $0.request == waiting.request }
      emit(.answer(waiting.request, waiting.answer(&self)))
    }
  }

  // MARK: - States of the sound that a request waits for

  /// Everything done that does not depend on a device.
  var isSettled: Bool { sound.isSettled }
  /// And not opening devices any more.
  var isOpened: Bool { isSettled && state.name != .starting }
  /// And the new ones sound, or there is nothing to come back to.
  var hasFoundDevices: Bool {
    isOpened && (formerDevices == nil || [.running, .muted].contains(state.name))
  }
  /// And neither opening devices nor stopped.
  var isBegun: Bool { isOpened && state.name != .stopped }
}
