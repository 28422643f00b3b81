import Base
import Book
import Control

extension ServiceState {
  /// Leaves a piece of work for the disk.
  ///
  /// - Parameters:
  ///   - prepare: Makes the work when its turn has come, of what is known by then.
  ///   - consequence: Done on the state with the result.
  /// - Returns: Its number.
  @discardableResult mutating func work<Output: Sendable>(
    _ kind: DiskQueue.Kind,
    _ prepare: @escaping @Sendable (ServiceState) -> @Sendable (ServiceDisk) -> Output,
    after consequence: @escaping @Sendable (inout ServiceState, Output) -> Void
  ) -> Int {
    disk.add(kind) { state in
      let work = prepare(state)
      return { disk in
        let output = work(disk)
        return { state in consequence(&state, output) }
      }
    }
  }

  /// Leaves a piece of work for the disk whose result answers the request at hand; once the disk is closed the request is refused.
  ///
  /// - Parameters:
  ///   - patience: Longest wait, s, but no shorter than usual; nil: the usual one.
  ///   - answer: Done on the state with the result, also when the request was refused meanwhile because it
  ///     was late.
  mutating func work<Output: Sendable, Reply: Encodable>(
    _ kind: DiskQueue.Kind, within patience: Double? = nil,
    _ prepare: @escaping @Sendable (ServiceState) -> @Sendable (ServiceDisk) -> Output,
    then answer: @escaping @Sendable (inout ServiceState, Output) throws(Failure) -> Outcome<Reply>
  ) -> Outcome<Reply> {
    let id = request
    guard !disk.isClosed else {
      if let id { emit(.answer(id, .failure(Self.refusalAtEnd(isUndone: true)))) }
      return .later
    }
    let number = work(kind, prepare) { state, output in
      let result = Result { () throws(Failure) in try answer(&state, output) }
      guard let id, state.pending.contains(where: { $0.request == id }) else { return }
      state.pending.removeAll { $0.request == id }
      state.finish(id, result)
    }
    let patience = max(patience ?? 0, facts.diskPatience)
    if let id {
      pending.append(
        PendingAnswer(request: id, due: now.monotonic + patience) {
          .failure($0.refuseLate(number, patience))
        })
    }
    return .later
  }

  /// Carries out a method of the book, and applies what it changed.
  mutating func begin<Method: BookMethod>(_ method: Method, from peer: Peer) {
    let actor = peer.actor
    _ =
      work(.book, within: Method.patience) { state in
        { [heard = state.heard, loaded = state.configuration] in
          $0.answer(method, actor) { (card) throws(Failure) in try heard.checkPlayable(card, loaded) }
        }
      } then: { (state, result) throws(Failure) -> Outcome<Method.Reply> in
        state.take(result.known)
        if Method.changesBook {
          let failure: Failure? = if case .failure(let failure) = result.reply { failure } else { nil }
          state.noteChange(failure)
        }
        return .now(try result.reply.get())
      }
  }

  /// Keeps for status, and logs once, that the disk does not take what is written into the book, as one that is full; until it takes a
  /// change. A book that is not open has its own reason in the status, and one that cannot be begun is told whoever asks for it.
  ///
  /// - Parameter failure: Reason for which a change was not written; nil: it was.
  mutating func noteChange(_ failure: Failure?) {
    guard let failure else { return refusedChange = nil }
    guard failure.exitStatus == .inputOutput, known.book != nil else { return }
    let words = "The book cannot be changed: \(failure.logMessage)"
    guard words != refusedChange else { return }
    refusedChange = words
    log(.error, "the book cannot be changed: \(failure.logMessage)")
  }

  /// Begins the next piece, unless the end waits for it no longer.
  mutating func beginWork() {
    if let ending, ending.hasEnded || ending.isClosing && now.monotonic >= ending.due { return }
    guard let next = disk.begin(at: now.monotonic) else { return }
    emit(.disk(next.kind, next.prepare(self)))
  }

  /// Takes in the result of the piece under way.
  mutating func finishWork(_ result: DiskResult) {
    checkDisk()
    disk.finish()
    checkDisk()
    result(&self)
  }

  /// Withdraws work that was not begun.
  ///
  /// - Returns: The refusal of the request that waited for it.
  mutating func refuseLate(_ work: Int, _ patience: Double) -> Failure {
    let isWithdrawn = disk.withdraw(work)
    guard ending == nil else { return Self.refusalAtEnd(isUndone: isWithdrawn) }
    return Failure(
      "disk", found: "that it does not answer",
      expected: "an answer within \(NumberText.fixed(patience, 1)) s",
      remedy: isWithdrawn
        ? "Nothing was changed; try again when it does."
        : "The request is carried out when it answers; see: auricle status.", exit: .temporary)
  }

  /// Refusal of a request that the end of the daemon comes before.
  ///
  /// - Parameter isUndone: False where its work is under way.
  private static func refusalAtEnd(isUndone: Bool) -> Failure {
    Failure(
      "auricled",
      inWords: isUndone
        ? "The daemon is ending" : "The daemon is ending before the disk has done what was asked",
      remedy: isUndone
        ? "Nothing was changed; ask again when it runs."
        : "It may still be done: look when the daemon runs again.", exit: .temporary)
  }
}
