import CLinux
import Glibc
import Synchronization
import Testing

@testable import Realtime

/// Two threads at full speed; run under ThreadSanitizer too.
@Suite("Hand-over between two threads", .serialized) struct HandoverRaceTests {
  final class Shared<Structure: ~Copyable & Sendable>: Sendable {
    let structure: Structure
    let faults = Atomic<Int>(0)
    let reads = Atomic<Int>(0)
    init(_ structure: consuming Structure) { self.structure = structure }

    /// Counts a fault; reporting each would take longer than the test.
    func require(_ condition: Bool) {
      if !condition { faults.add(1, ordering: .relaxed) }
    }
  }

  @Test("a ring loses, repeats and tears nothing")
  func ring() throws {
    let shared = Shared(SPSCRing<WideValue>(capacity: 64))
    let writer = try ordinaryThread {
      for number in 1...manyItems {
        while !shared.structure.push(WideValue(number)) { sched_yield() }
      }
    }
    var expected: UInt64 = 1
    while expected <= manyItems {
      guard let value = shared.structure.pop() else {
        sched_yield()
        continue
      }
      shared.require(value.isWhole && value.number == expected)
      expected += 1
    }
    writer.join()
    #expect(shared.faults.load(ordering: .relaxed) == 0)
    #expect(shared.structure.pop() == nil)
  }

  @Test("a seqlock never shows half a value to any of two readers")
  func seqlock() throws {
    let shared = Shared(Seqlock(WideValue(0)))
    let read: @Sendable () -> Void = {
      var last: UInt64 = 0
      while last < manyItems {
        let value = shared.structure.load()
        shared.require(value.isWhole && value.number >= last)
        last = value.number
        shared.reads.add(1, ordering: .relaxed)
      }
    }
    let readers = [try ordinaryThread(read), try ordinaryThread(read)]
    for number in 1...manyItems { shared.structure.store(WideValue(number)) }
    for reader in readers { reader.join() }
    #expect(shared.faults.load(ordering: .relaxed) == 0)
    #expect(shared.reads.load(ordering: .relaxed) > 1)
  }

  /// Notes on which thread its objects end.
  final class Records: Sendable {
    let audioThread = Atomic<Int32>(0)
    let created = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
    let endedOnAudio = Atomic<Int>(0)
  }

  final class Parameters: Sendable {
    let value: WideValue
    let records: Records
    init(_ number: UInt64, _ records: Records) {
      value = WideValue(number)
      self.records = records
      records.created.add(1, ordering: .relaxed)
    }
    deinit {
      records.ended.add(1, ordering: .relaxed)
      if clinux_gettid() == records.audioThread.load(ordering: .relaxed) {
        records.endedOnAudio.add(1, ordering: .relaxed)
      }
    }
  }

  @Test("objects arrive complete, none ends on the audio thread, and none is left over")
  func objects() throws {
    let records = Records()
    let publications = manyItems / 10
    do {
      let shared = Shared(Handover(Parameters(0, records)))
      let audio = try ordinaryThread {
        records.audioThread.store(clinux_gettid(), ordering: .relaxed)
        var last: UInt64 = 0
        while last < publications {
          guard shared.structure.update() else { continue }
          let value = shared.structure.withCurrent { $0.value }
          shared.require(value.isWhole && value.number > last)
          last = value.number
        }
      }
      for number in 1...publications { shared.structure.publish(Parameters(number, records)) }
      audio.join()
      #expect(shared.faults.load(ordering: .relaxed) == 0)
      #expect(records.endedOnAudio.load(ordering: .relaxed) == 0)
    }
    #expect(records.created.load(ordering: .relaxed) == Int(publications) + 1)
    #expect(records.ended.load(ordering: .relaxed) == Int(publications) + 1)
  }

  /// A counter without any order between its users.
  final class Unordered: @unchecked Sendable {
    var count = 0
    let turn = Atomic<Int>(0)

    /// Counts in turns with another thread. The turns are taken by relaxed operations, which order nothing;
    /// without them one thread could end before the other starts, and the atomics of starting and ending a
    /// thread would order the two. Each access follows at once on one by the other thread, since the
    /// sanitizer drops a report when it cannot recall the earlier access.
    func race(parity: Int) {
      for _ in 0..<1000 {
        while turn.load(ordering: .relaxed) % 2 != parity { sched_yield() }
        count += 1
        turn.add(1, ordering: .relaxed)
      }
    }
  }

  @Test("ThreadSanitizer, where linked, reports a counter that two threads change without order")
  func sanitizerBites() async {
    let linked = getenv("AURICLE_SANITIZER").map { String(cString: $0) } == "thread"
    await #expect(processExitsWith: linked ? .failure : .success) {
      let unordered = Unordered()
      let threads = [
        try ordinaryThread { unordered.race(parity: 0) }, try ordinaryThread { unordered.race(parity: 1) },
      ]
      for thread in threads { thread.join() }
    }
  }
}
