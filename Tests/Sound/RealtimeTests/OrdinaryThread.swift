import Glibc

@testable import Realtime

extension SchedulingCalls {
  /// Refuses everything, as for a user without any limit raised.
  static let refusing = SchedulingCalls(
    set: { _, _, _ in -EPERM }, get: { _, _, _ in 0 }, setNice: { _, _ in -EACCES }, nice: { _ in 0 },
    priorityLimit: { 0 })
}

/// Runs `body` on a thread of its own without real-time priority, which two spinning threads must not have on
/// a small machine.
func ordinaryThread(_ body: @escaping @Sendable () -> Void) throws -> RealtimeThread {
  try RealtimeThread(.init(name: "test", calls: .refusing)) { _ in body() }
}

/// True where this process gets a real-time priority: without one no thread is limited by RLIMIT_RTTIME.
let getsRealTime: Bool = (try? RealtimeThread { _ in })?.startScheduling.isRealtime == true

/// Items for tests with two threads: millions, fewer where each step is 10 to 80 times slower: by a sanitizer, or by an emulator,
/// which says so (Tests/arm).
let manyItems: UInt64 = {
  if let items = getenv("AURICLE_HANDOVERS").flatMap({ UInt64(String(cString: $0)) }) { return items }
  #if DEBUG
    return 500_000
  #else
    return 4_000_000
  #endif
}()

/// A value too big to be stored at once; it is whole if all its words are equal.
struct WideValue: BitwiseCopyable, Sendable {
  var words: SIMD32<UInt64>

  init(_ number: UInt64) { words = SIMD32(repeating: number) }

  var number: UInt64 { words[0] }
  var isWhole: Bool { words == SIMD32(repeating: words[0]) }
}

/// One allocation and one release that the optimiser leaves in.
@_optimize(none)
func heapRoundTrip() {
  free(malloc(64))
}
