/// A piece of work on the daemon's files, done on the disk's thread.
///
/// It returns what follows from its result, done on the state.
typealias DiskJob = @Sendable (ServiceDisk) -> DiskResult

/// The consequences of a piece of work.
typealias DiskResult = @Sendable (inout ServiceState) -> Void

/// Work for the disk in its order: one piece under way, the others waiting.
struct DiskQueue: Sendable {
  /// Subject of a piece.
  enum Kind: Sendable {
    case configuration, signalledConfiguration, book, bookTime, closing, program, feedback,
      keptConfiguration, wisdom, devices, procedures
  }

  struct Entry: Sendable {
    let number: Int
    let kind: Kind
    /// Makes the job when its turn has come, of what is known by then.
    let prepare: @Sendable (ServiceState) -> DiskJob
  }

  private(set) var current: Entry?
  private(set) var waiting: [Entry] = []
  /// True once nothing is added any more.
  private(set) var isClosed = false
  /// When ``current`` was begun, monotonic s.
  private var began = 0.0
  private var count = 0

  var isIdle: Bool { current == nil && waiting.isEmpty }

  /// Time that the present piece has taken so far, s; 0 when there is none.
  func delay(at now: Double) -> Double { current == nil ? 0 : now - began }

  /// Adds a piece, which is dropped where the queue is closed.
  ///
  /// - Returns: Its number, by which it is withdrawn.
  mutating func add(_ kind: Kind, _ prepare: @escaping @Sendable (ServiceState) -> DiskJob) -> Int {
    count += 1
    if !isClosed { waiting.append(Entry(number: count, kind: kind, prepare: prepare)) }
    return count
  }

  /// Drops what is added from now on; what waits already is still done.
  mutating func close() { isClosed = true }

  /// Takes a piece out that was not begun.
  ///
  /// - Returns: False when it is under way or done.
  mutating func withdraw(_ number: Int) -> Bool {
    let former = waiting.count
    waiting.removeAll { $0.number == number }
    return waiting.count < former
  }

  /// True while it waits or is under way.
  func holds(_ number: Int) -> Bool {
    current?.number == number || waiting.contains { $0.number == number }
  }

  /// Begins the next piece, when none is under way.
  mutating func begin(at now: Double) -> Entry? {
    guard current == nil, !waiting.isEmpty else { return nil }
    current = waiting.removeFirst()
    began = now
    return current
  }

  /// Ends the present piece.
  mutating func finish() { current = nil }
}
