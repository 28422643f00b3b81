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

/// A state of the sound that a request waits for.
enum SoundGoal: Sendable {
  /// Everything done that does not depend on a device.
  case settled
  /// And not opening devices any more.
  case opened
  /// And neither opening devices nor stopped.
  case begun
}

/// The answer of a method, or what it waits for.
enum Outcome<Reply: Sendable>: Sendable {
  case now(Reply)
  /// When the sound is as wanted, or after ``ServiceState/soundPatience``.
  case when(SoundGoal, @Sendable (ServiceState) -> Reply)
  /// When a piece of work is done, or after ``ServiceState/savingPatience``; nil: there is none.
  case whenDone(Int?, @Sendable (ServiceState) -> Reply)
  /// The result of a piece of work on the disk answers.
  case later
}

/// A request whose answer waits.
struct PendingAnswer: Sendable {
  enum Condition: Sendable, Equatable {
    case sound(SoundGoal)
    /// A piece of work on the disk, which goes on when it is late.
    case done(Int)
    /// A piece of work on the disk whose result answers. When it is late the request is refused.
    case result(Int, patience: Double)
  }

  let request: RequestID
  let condition: Condition
  /// When it is answered at the latest, monotonic s.
  let due: Double
  /// Nil of ``Condition/result(_:patience:)``.
  var reply: (@Sendable (ServiceState) -> any Encodable & Sendable)?
}

extension ServiceState {
  /// Longest that a request waits for the state it asked for, s.
  static let soundPatience = 0.3
  /// Longest that a program, volume or tone waits to be remembered before it is answered, s.
  static let savingPatience = 0.3

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
    do throws(Failure) {
      finish(id, .success(try method.carryOut(in: &self, from: peer)))
    } catch {
      emit(.answer(id, .failure(error)))
    }
  }

  /// Answers a request, or notes what it waits for.
  mutating func finish<Reply>(_ id: RequestID, _ result: Result<Outcome<Reply>, Failure>)
  where Reply: Encodable {
    let waiting: PendingAnswer
    switch result {
    case .failure(let failure): return emit(.answer(id, .failure(failure)))
    case .success(.now(let reply)): return emit(.answer(id, .success(reply)))
    case .success(.later): return
    case .success(.when(let goal, let reply)):
      waiting = PendingAnswer(
        request: id, condition: .sound(goal), due: now.monotonic + Self.soundPatience,
        reply: { reply($0) })
    case .success(.whenDone(let work, let reply)):
      waiting = PendingAnswer(
        request: id, condition: .done(work ?? 0), due: now.monotonic + Self.savingPatience,
        reply: { reply($0) })
    }
    pending.append(waiting)
  }

  /// Answers what waits no longer.
  ///
  /// - Parameter isEnd: True: everything. False by default.
  mutating func answerPending(isEnd: Bool = false) {
    for waiting in pending where isEnd || isAnswerable(waiting) {
      pending.removeAll { $0.request == waiting.request }
      if case .result(let work, let patience) = waiting.condition {
        let failure = refuseLate(work, patience)
        emit(.answer(waiting.request, .failure(failure)))
      } else if let reply = waiting.reply {
        emit(.answer(waiting.request, .success(reply(self))))
      }
    }
  }

  private func isAnswerable(_ waiting: PendingAnswer) -> Bool {
    if now.monotonic >= waiting.due { return true }
    switch waiting.condition {
    case .sound(let goal): return sound.isSettled && isReached(goal)
    case .done(let work): return !disk.holds(work)
    case .result: return false
    }
  }

  private func isReached(_ goal: SoundGoal) -> Bool {
    switch goal {
    case .settled: true
    case .opened: state.name != .starting
    case .begun: state.name != .starting && state.name != .stopped
    }
  }
}
