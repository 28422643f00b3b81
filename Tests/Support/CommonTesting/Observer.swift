import Glibc
import Synchronization

/// A look at something, repeated by a thread of its own until a test ends it: a task of the shared pool may first run when what it
/// should have seen is over.
///
/// - Threads: one at a time.
package final class Observer {
  private final class Work: Sendable {
    let looks = Atomic(0)
    let hasEnded = Atomic(false)
    let look: @Sendable () -> Void

    init(_ look: @escaping @Sendable () -> Void) { self.look = look }

    func run() {
      while !hasEnded.load(ordering: .acquiring) {
        look()
        looks.add(1, ordering: .releasing)
      }
    }
  }

  private let work: Work
  private var thread: pthread_t?

  /// Returns once it has looked.
  package init(_ look: @escaping @Sendable () -> Void) {
    work = Work(look)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    guard code == 0 else { fatalError("no thread: \(String(cString: strerror(code)))") }
    self.thread = thread
    while work.looks.load(ordering: .acquiring) == 0 { usleep(100) }
  }

  deinit { end() }

  /// Waits for its last look.
  ///
  /// - Returns: How often it has looked since it was made.
  @discardableResult package func end() -> Int {
    work.hasEnded.store(true, ordering: .releasing)
    if let thread { pthread_join(thread, nil) }
    thread = nil
    return work.looks.load(ordering: .acquiring) - 1
  }
}
