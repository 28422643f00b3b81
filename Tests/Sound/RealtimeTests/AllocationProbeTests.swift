import CAllocationProbe
import Glibc
import Synchronization
import Testing

@testable import Realtime

/// A probe that cannot see proves nothing: each function it replaces is called here.
@Suite("Allocation probe") struct AllocationProbeTests {
  /// Whether this build counts at all; the sanitizers' builds do not.
  let active = allocation_probe_is_active()

  func counts(_ body: () -> Void) -> (allocations: Int, frees: Int, locks: Int) {
    allocation_probe_start()
    body()
    let counts = allocation_probe_stop()
    return (counts.allocations, counts.frees, counts.locks)
  }

  func expect(
    _ found: (allocations: Int, frees: Int, locks: Int), allocations: Int, frees: Int, locks: Int,
    at location: SourceLocation = #_sourceLocation
  ) {
    let expected = active ? (allocations, frees, locks) : (0, 0, 0)
    #expect(found == expected, sourceLocation: location)
  }

  @Test("it counts exactly in every build without a sanitizer")
  func activity() {
    #expect(active == (getenv("AURICLE_SANITIZER") == nil))
  }

  @Test("each C heap function counts once, and its memory is usable")
  func heapFunctions() {
    var memory: UnsafeMutableRawPointer?
    expect(counts { memory = malloc(100) }, allocations: 1, frees: 0, locks: 0)
    memory?.initializeMemory(as: UInt8.self, repeating: 1, count: 100)
    expect(counts { memory = realloc(memory, 10_000) }, allocations: 1, frees: 0, locks: 0)
    #expect(memory?.load(fromByteOffset: 99, as: UInt8.self) == 1)
    expect(counts { free(memory) }, allocations: 0, frees: 1, locks: 0)
    expect(counts { memory = calloc(10, 10) }, allocations: 1, frees: 0, locks: 0)
    #expect(memory?.load(fromByteOffset: 99, as: UInt8.self) == 0)
    free(memory)
    expect(counts { memory = aligned_alloc(256, 512) }, allocations: 1, frees: 0, locks: 0)
    #expect(UInt(bitPattern: memory) % 256 == 0)
    free(memory)
    expect(
      counts { memory = .allocate(byteCount: 100, alignment: 128) }, allocations: 1, frees: 0, locks: 0)
    #expect(UInt(bitPattern: memory) % 128 == 0)
    memory?.deallocate()
    expect(counts { _ = posix_memalign(&memory, 64, 100) }, allocations: 1, frees: 0, locks: 0)
    #expect(UInt(bitPattern: memory) % 64 == 0)
    free(memory)
    expect(counts { free(nil) }, allocations: 0, frees: 0, locks: 0)
    #expect(posix_memalign(&memory, 3, 100) == EINVAL)
  }

  final class Box {
    let value: Int
    init(_ value: Int) { self.value = value }
  }

  /// Not seen through by the optimiser, which would put the object on the stack.
  @_optimize(none)
  func makeBox(_ value: Int) -> Box { Box(value) }

  @Test("Swift's own allocations count")
  func swiftHeap() {
    var box: Box?
    // The class's metadata is made at the first use, which may allocate too.
    #expect(makeBox(1).value == 1)
    expect(counts { box = makeBox(2) }, allocations: 1, frees: 0, locks: 0)
    #expect(box?.value == 2)
    expect(counts { box = nil }, allocations: 0, frees: 1, locks: 0)
    var array: [Int] = []
    let grown = counts { array.append(1) }
    #expect(grown.allocations >= (active ? 1 : 0))
    #expect(array == [1])
  }

  @Test("each lock counts, taken or not")
  func locks() {
    var mutex = pthread_mutex_t()
    pthread_mutex_init(&mutex, nil)
    var lock = pthread_rwlock_t()
    pthread_rwlock_init(&lock, nil)
    expect(
      counts {
        pthread_mutex_lock(&mutex)
        pthread_mutex_trylock(&mutex)
        pthread_mutex_unlock(&mutex)
        pthread_rwlock_rdlock(&lock)
        pthread_rwlock_unlock(&lock)
        pthread_rwlock_wrlock(&lock)
        pthread_rwlock_unlock(&lock)
      }, allocations: 0, frees: 0, locks: 4)
    pthread_rwlock_destroy(&lock)
    pthread_mutex_destroy(&mutex)
  }

  @Test("only the thread that asked is counted")
  func otherThreads() throws {
    let shared = Flags()
    let other = try ordinaryThread {
      while !shared.go.load(ordering: .acquiring) { sched_yield() }
      for _ in 0..<100 { heapRoundTrip() }
      shared.done.store(true, ordering: .releasing)
    }
    let found = counts {
      shared.go.store(true, ordering: .releasing)
      while !shared.done.load(ordering: .acquiring) { sched_yield() }
    }
    other.join()
    expect(found, allocations: 0, frees: 0, locks: 0)
  }

  final class Flags: Sendable {
    let go = Atomic<Bool>(false)
    let done = Atomic<Bool>(false)
  }

  @Test("after stopping nothing is counted")
  func stopped() {
    expect(counts { heapRoundTrip() }, allocations: 1, frees: 1, locks: 0)
    heapRoundTrip()
    expect(counts {}, allocations: 0, frees: 0, locks: 0)
  }
}
