import Base
import Engine
import Synchronization

/// Carries procedures out on a thread of its own, one after another: a hearing test takes a quarter of an hour, and neither the
/// supervisor nor the disk's thread waits for it.
///
/// - Threads: the supervisor's; the procedure runs on its own.
final class ProcedureWorker: Sendable {
  typealias News = (number: RequestID, news: ProcedureNews)

  private let worker: SerialWorker<@Sendable () -> News, News>
  private let aid: HearingAid
  /// Nil: nothing can be kept.
  private let folder: ProcedureFolder?
  private let inbox = ProcedureInbox()
  /// The procedure that may go on; 0: none.
  private let current = Atomic<RequestID>(0)

  /// - Throws: ``Failure`` when the system has no thread left.
  init(_ aid: HearingAid, folder: ProcedureFolder?) throws(Failure) {
    (self.aid, self.folder) = (aid, folder)
    worker = try SerialWorker("auricle-hearing") { $0() }
  }

  /// Readable when there is ``news()``.
  var descriptor: Int32 { worker.descriptor }

  /// True while none is under way.
  var isIdle: Bool { worker.delay == 0 && worker.count == 0 }

  /// Begins a procedure, once the former one has ended.
  func begin(_ number: RequestID, _ commission: ProcedureCommission) {
    _ = inbox.take()
    current.store(number, ordering: .releasing)
    worker.submit { [self] in (number, .ended(failure(of: commission, number))) }
  }

  /// Hands a key on.
  func put(_ key: ProcedureKey, at moment: Double) { inbox.put(key, at: moment) }

  /// Ends the procedure under way, without waiting for it. Its record can be gone on with.
  func cancel() { current.store(0, ordering: .releasing) }

  /// Takes the news there is, in order.
  func news() -> [News] { worker.results() }

  /// Ends the thread, without waiting for it.
  func end() {
    cancel()
    worker.end()
  }

  // MARK: - On the procedure's thread

  private func failure(of commission: ProcedureCommission, _ number: RequestID) -> Failure? {
    do throws(ProcedureFault) {
      try carryOut(commission, number)
      return nil
    } catch { return Failure(error) }
  }

  private func carryOut(_ commission: ProcedureCommission, _ number: RequestID) throws(ProcedureFault) {
    guard let folder else {
      throw .plan(
        Failure(
          "state folder", found: "none that can be written", expected: "one to keep the record in",
          exit: .cannotCreate))
    }
    let isCancelled = { [self] in current.load(ordering: .acquiring) != number }
    guard !isCancelled() else { throw .sound(.cancelled) }
    var outcome = Result<Void, ProcedureFault>.success(())
    do throws(FeedbackFault) {
      try aid.present(isCancelled: isCancelled) { player throws(FeedbackFault) in
        outcome = Result { () throws(ProcedureFault) in
          let opening = ProcedureOpening(commission, folder: folder, player: player)
          var run = try opening.run(inbox: inbox, allow: { worker.tell((number, .allowance($0))) }) {
            [worker] in worker.tell((number, .notice($0)))
          }
          _ = try run.carryOut(by: &player)
        }
      }
    } catch { throw .sound(error) }
    try outcome.get()
  }
}
