import Acoustics
import AudioIO
import CAllocationProbe
import Realtime

@testable import AudioIOTesting
@testable import Engine

/// What an audio thread on a scripted card is put through, and its heap calls and locks meanwhile, by the room's frame
/// number: the card's source of sound is asked on that thread.
///
/// The room holds a 1 kHz tone of 0.05.
final class CountedScript: @unchecked Sendable {
  /// Settings of an aid that runs on it: fitted for a moderate loss.
  static let settings = AidSettings(
    hearing: HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram)),
    captureName: "fake", playbackName: "fake", ramp: LiveBench.rise)

  let rig = FakeRig()
  let stop: StopSignal
  /// Between ``begin()`` and ``end()``, without what the steps themselves do.
  private(set) var counts = allocation_probe_counts()
  private var steps: [(frame: Int, action: () -> Void)] = []
  private var next = 0
  private var isCounting = false

  init() throws {
    stop = try StopSignal()
    rig.source = { [unowned self] frame, channel in
      if channel == 0 { self.reach(frame) }
      return 0.05 * LiveBench.tone(frame)
    }
  }

  /// Does something at a frame; frames rise from call to call.
  func at(_ frame: Int, _ action: @escaping () -> Void) { steps.append((frame, action)) }

  /// Counts from now on; called by a step.
  func begin() {
    isCounting = true
    allocation_probe_start()
  }

  /// Counts no more; called by a step.
  func end() { isCounting = false }

  /// The card as a stream for a loop that runs on the caller's thread.
  func stream(_ pairing: ClockPairing = .automatic) -> DuplexStream<FakePCM> {
    DuplexStream(
      capture: rig.device(.capture), playback: rig.device(.playback), clock: rig.clock, pairing: pairing,
      wakeDescriptor: stop.descriptor)
  }

  private func reach(_ frame: Int) {
    while next < steps.count, steps[next].frame <= frame {
      let wasCounting = isCounting
      if wasCounting { pause() }
      steps[next].action()
      next += 1
      if wasCounting && isCounting { allocation_probe_start() }
    }
  }

  private func pause() {
    let more = allocation_probe_stop()
    counts.allocations += more.allocations
    counts.frees += more.frees
    counts.locks += more.locks
  }
}
