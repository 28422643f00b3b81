import Synchronization

/// Order in which the aid's devices and the stream's are opened, where one of them belongs to a sound server.
///
/// Opened for the first time after its server has ended, libjack frees all clients that the process still has (jack2,
/// common/JackLibAPI.cpp: "Jack server was closed but clients are still allocated"): whoever held one of them then uses freed
/// memory. So the aid's devices are opened while the stream's is closed, and the stream's while the aid's are closed or
/// deliver sound, which those of a server that has ended do not.
///
/// - Threads: any, as each member says.
final class OpeningOrder: Sendable {
  /// Blocks that the aid's devices have delivered.
  private let blocks = Atomic(0)
  private let isAidOpen = Atomic(false)
  private let isStreamOpen = Atomic(false)

  // MARK: - On audio

  /// The aid's devices deliver. Allocates and locks nothing.
  func noteBlock() { blocks.add(1, ordering: .relaxed) }

  /// The aid is about to open its devices, while no sound flows.
  ///
  /// - Returns: False while the stream's device is still open: ask again.
  func beginAid() -> Bool {
    // Each side announces itself before it looks at the other.
    isAidOpen.store(true, ordering: .sequentiallyConsistent)
    return !isStreamOpen.load(ordering: .sequentiallyConsistent)
  }

  /// The aid's devices are closed.
  func endAid() { isAidOpen.store(false, ordering: .sequentiallyConsistent) }

  // MARK: - On the stream's thread

  /// The number of blocks so far: to be given to ``beginStream(since:)`` a moment later.
  var delivered: Int { blocks.load(ordering: .relaxed) }

  /// The stream is about to open its device.
  ///
  /// - Parameter former: Value that ``delivered`` had a moment ago; nil: it was not looked at.
  /// - Returns: False while the aid's devices are open and have delivered nothing since.
  func beginStream(since former: Int?) -> Bool {
    isStreamOpen.store(true, ordering: .sequentiallyConsistent)
    if !isAidOpen.load(ordering: .sequentiallyConsistent) { return true }
    if let former, delivered != former { return true }
    endStream()
    return false
  }

  /// The stream's device is closed.
  func endStream() { isStreamOpen.store(false, ordering: .sequentiallyConsistent) }
}
