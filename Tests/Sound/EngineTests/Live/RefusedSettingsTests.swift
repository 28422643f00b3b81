import Acoustics
import AudioIO
import Base
import Fitting
import HearingDSP
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Rates, formats, channels and periods that a device does not grant, at first or any longer.
@Suite("Refused settings") struct RefusedSettingsTests {
  @Test("a refused rate is a fault that stays, with its reason, until the aid is started again")
  func latched() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    rig.offer.rates = [48_000]
    let aid = bench.aid()
    try aid.start()
    let expected = PCMOpenError.rateRefused(name: "fake", asked: 44_100, offer: rig.offer)
    #expect(eventually { aid.state == .faulted(reason: "\(expected)") })
    #expect(!rig.capture.isOpen)
    aid.mute()
    aid.unmute()
    #expect(aid.state == .faulted(reason: "\(expected)"))
    #expect(bench.attempts.count == 1)
    #expect(rig.heardLeft.isEmpty)

    aid.stop()
    #expect(aid.state == .stopped)
    rig.offer.rates = [44_100]
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
  }

  @Test("a device whose shortest period is too long is named, with what it grants and what is needed")
  func longPeriod() throws {
    let bench = try LiveBench()
    bench.rig.offer.period = 2048...4096
    let aid = bench.aid()
    try aid.start()
    let reason = "fake grants a period of 2048 frames where 16 to 1024 are needed: choose another device"
    #expect(eventually { aid.state == .faulted(reason: reason) })
    #expect(!bench.rig.capture.isOpen && !bench.rig.playback.isOpen)
    aid.stop()
  }

  @Test(
    "a sound server that comes back with other settings is waited for, and sounds again with the former ones",
    arguments: [
      ([48_000], 16, "fake does not run at 44100 Hz: it offers 48000 Hz"),
      (
        [44_100], 2048,
        "fake grants a period of 2048 frames where 16 to 1024 are needed: choose another device"
      ),
    ])
  func otherSettings(rates: [Int], shortestPeriod: Int, refusal: String) throws {
    let bench = try LiveBench()
    let rig = bench.rig
    let former = rig.offer
    bench.longestWait = 0.001
    bench.before(block: 120) {
      rig.unplug()
      rig.offer.rates = rates
      rig.offer.period = shortestPeriod...4096
    }
    var states: [AidState] = []
    bench.beforeOpening { attempt in
      if attempt == 2 { rig.replug() }
      if attempt > 2 { states.append(bench.state.state) }
      if attempt == 4 { rig.offer = former }
    }
    bench.run(until: 270)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(bench.attempts.count == 4)
    let waiting = AidState.waitingForDevice(
      reason: "\(refusal); it granted that before, and is asked again")
    #expect(states == [waiting, waiting])
  }

  @Test(
    "a card that comes back while another program has set its rate or its format is asked again, and sounds once it is free",
    arguments: [
      ([48_000], SampleFormat.preferred, "does not run at 44100 Hz: it offers 48000 Hz"),
      (
        [44_100], [],
        "has no sample format \(SampleFormat.preferred.map(\.rawValue).joined(separator: ", ")): it offers none"
      ),
    ] as [([Int], [SampleFormat], String)])
  func otherSettingsOfCard(rates: [Int], formats: [SampleFormat], refusal: String) throws {
    let bench = try LiveBench()
    let rig = bench.rig
    rig.name = "hw:CARD=Aid,DEV=0"
    let former = rig.offer
    bench.longestWait = 0.001
    bench.before(block: 120) {
      rig.unplug()
      rig.offer.rates = rates
      rig.offer.formats = formats
    }
    var states: [AidState] = []
    bench.beforeOpening { attempt in
      if attempt == 2 { rig.replug() }
      if attempt > 2 { states.append(bench.state.state) }
      if attempt == 4 { rig.offer = former }
    }
    bench.run(until: 270)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(bench.attempts.count == 4)
    let waiting = AidState.waitingForDevice(
      reason: "hw:CARD=Aid,DEV=0 \(refusal); it granted that before, "
        + "another program may have set the card, and is asked again")
    #expect(states == [waiting, waiting])
  }

  @Test(
    "a card that comes back with one channel is a fault: another program takes none away"
  )
  func otherChannelsOfCard() throws {
    let bench = try LiveBench()
    bench.rig.name = "hw:CARD=Aid,DEV=0"
    let aid = bench.aid()
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
    bench.rig.offer.channels = 1...1
    try aid.start()
    let error = PCMOpenError.channelsRefused(
      name: "hw:CARD=Aid,DEV=0", direction: .playback, offer: bench.rig.offer)
    #expect(eventually { aid.state == .faulted(reason: "\(error)") })
    aid.stop()
    #expect(bench.attempts.count == 2)
  }

  @Test("a card that never granted the rate is a fault, whatever is plugged in beside it")
  func rateNeverGranted() throws {
    let bench = try LiveBench()
    bench.rig.name = "hw:CARD=Aid,DEV=0"
    bench.rig.offer.rates = [48_000]
    let aid = bench.aid()
    try aid.start()
    let reason = "hw:CARD=Aid,DEV=0 does not run at 44100 Hz: it offers 48000 Hz"
    #expect(eventually { aid.state == .faulted(reason: reason) })
    aid.stop()
    #expect(bench.attempts.count == 1)
  }

  @Test("it is waited for by the next audio thread as well, as after a sleep of the machine")
  func otherSettingsAnew() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    bench.longestWait = 0.001
    bench.beforeOpening { if $0 == 4 { rig.offer.rates = [44_100] } }
    let aid = bench.aid()
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
    rig.offer.rates = [48_000]
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
    #expect(bench.attempts.count == 4)
  }
}
