import HearingDSP
import Realtime
import Synchronization

/// What control and the audio thread tell each other.
///
/// While sound flows the audio thread touches only atomics, the seqlock and the hand-over; the locked part it writes
/// before sound begins and after it has ended.
///
/// - Threads: any, as each member says.
final class AidBoard: Sendable {
  /// Where the audio thread is.
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    case idle, opening, sounding, waiting, faulted
  }

  /// What is only written while there is no sound.
  struct Notice: Sendable {
    /// Why the aid waits or is faulted.
    var reason = ""
    var devices: AidDevices?
    var channel: ParameterChannel?
    /// Times the devices were opened.
    var opens = 0
  }

  let phase = Atomic<Phase>(.idle)
  let isMuted = Atomic<Bool>(false)
  let reading = Seqlock(AidReading())
  let notice = Mutex(Notice())

  /// State as control sees it.
  var state: AidState {
    switch phase.load(ordering: .acquiring) {
    case .idle: .stopped
    case .opening: .starting
    case .sounding: isMuted.load(ordering: .relaxed) ? .muted : .running
    case .waiting: .waitingForDevice(reason: notice.withLock { $0.reason })
    case .faulted: .faulted(reason: notice.withLock { $0.reason })
    }
  }

  /// Moves to a phase that has a reason.
  func enter(_ next: Phase, because reason: String = "") {
    notice.withLock { $0.reason = reason }
    phase.store(next, ordering: .releasing)
  }
}
