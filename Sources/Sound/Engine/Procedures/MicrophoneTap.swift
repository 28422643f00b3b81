import HearingDSP
import Realtime
import Synchronization

/// Sound of the microphones while a procedure is under way, on its way to control.
///
/// - Threads: created on control; the audio thread writes, the procedure's reads.
final class MicrophoneChannel: Sendable {
  /// Sound there is room for, frames: 0.68 s at 96 kHz, over thirty times the longest time between two looks.
  private static let room = 65_536

  /// True while a procedure listens; otherwise the loop hands nothing on.
  let isListening = Atomic(false)
  /// Left and right.
  let sound = SPSCRing<SIMD2<Float>>(capacity: room)
  /// Gaps in the sound so far: where the device restarted, and where there was no room.
  let gaps = Atomic<Int>(0)

  /// Forgets what has not been fetched, and hands on from now.
  func begin() {
    sound.skip(sound.count)
    isListening.store(true, ordering: .releasing)
  }

  func end() { isListening.store(false, ordering: .releasing) }

  /// Everything that has come since the last call.
  ///
  /// - Threads: the procedure's.
  func take() -> [SIMD2<Float>] {
    let count = sound.count
    var all: [SIMD2<Float>] = []
    all.reserveCapacity(count)
    _ = sound.pop(count) { all.append($1) }
    return all
  }
}

/// The tap of microphones: hands each block on as it was read. While nobody listens it costs one load a block.
///
/// - Threads: `audio`.
@safe struct MicrophoneTap {
  /// Without counting of references; the loop's state keeps it.
  private let channel: Unmanaged<MicrophoneChannel>

  init(_ channel: MicrophoneChannel) { unsafe self.channel = Unmanaged.passUnretained(channel) }

  /// Hands a block on, where somebody listens.
  func look(_ block: borrowing SoundBlock) {
    unsafe channel._withUnsafeGuaranteedRef { channel in
      guard channel.isListening.load(ordering: .acquiring) else { return }
      let isTaken = channel.sound.push(block.leftInput.count) { n in
        SIMD2(block.leftInput[n], block.rightInput[n])
      }
      if !isTaken { channel.gaps.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    }
  }

  /// Sound is missing.
  func noteGap() {
    unsafe channel._withUnsafeGuaranteedRef {
      _ = $0.gaps.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }
  }
}
