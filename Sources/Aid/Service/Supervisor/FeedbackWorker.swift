import Acoustics
import Base
import Engine
import Synchronization

/// Measures feedback paths and the loop's delay on a thread of its own, one test after another: a test takes half a minute, and
/// neither the supervisor nor the disk waits for it.
///
/// - Threads: the supervisor's; the measurement runs on its own.
final class FeedbackWorker: Sendable {
  typealias News = (number: RequestID, news: FeedbackTestNews)

  /// Measures, and asks again and again if it may go on.
  typealias Measurement =
    @Sendable (
      _ kind: FeedbackTestKind, _ ears: [Ear], _ tell: @escaping (FeedbackNotice) -> Void,
      _ isCancelled: @escaping () -> Bool
    ) throws(FeedbackFault) -> FeedbackRecord

  private let worker: SerialWorker<@Sendable () -> News, News>
  private let measure: Measurement
  /// The test that may go on; 0: none.
  private let current = Atomic<RequestID>(0)

  /// - Throws: ``Failure`` when the system has no thread left.
  init(_ measure: @escaping Measurement) throws(Failure) {
    self.measure = measure
    worker = try SerialWorker("auricle-test") { $0() }
  }

  /// One that measures on the devices of an aid.
  convenience init(_ aid: HearingAid) throws(Failure) {
    try self.init { (kind, ears, tell, isCancelled) throws(FeedbackFault) in
      try aid.measure(
        kind, ears, progress: { tell(FeedbackNotice(share: $0)) },
        repeats: { tell(FeedbackNotice(onceMore: "\($0)")) }, isCancelled: isCancelled)
    }
  }

  /// Readable when there is ``news()``.
  var descriptor: Int32 { worker.descriptor }

  /// True while nothing is measured.
  var isIdle: Bool { worker.delay == 0 && worker.count == 0 }

  /// Begins a test, once the former one has ended.
  func begin(_ number: RequestID, _ kind: FeedbackTestKind, _ ears: [Ear]) {
    current.store(number, ordering: .releasing)
    worker.submit { [self] in
      do throws(FeedbackFault) {
        guard isCurrent(number) else { throw .cancelled }
        let record = try measure(
          kind, ears, { [worker] in worker.tell((number, .progress($0))) }, { [self] in !isCurrent(number) }
        )
        return (number, .ended(.success(record)))
      } catch { return (number, .ended(.failure(error))) }
    }
  }

  private func isCurrent(_ number: RequestID) -> Bool { current.load(ordering: .acquiring) == number }

  /// Ends the test under way, without waiting for it.
  func cancel() { current.store(0, ordering: .releasing) }

  /// Takes the news there is, in order.
  func news() -> [News] { worker.results() }

  /// Ends the thread, without waiting for it.
  func end() {
    cancel()
    worker.end()
  }
}
