import AudioIO
import CommonTesting
import Glibc
import Synchronization
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// What a device's files tell ends the wait for it. A folder of the test's stands for `/dev/snd`; no wait ends by its time, which is a day.
@Suite("Devices that come are opened at once") struct DeviceArrivalTests {
  /// A card that is missing until attempt number `attempt`, and a bench that waits for news of its files alone.
  private final class Arrival: @unchecked Sendable {
    let folder = TemporaryFolder()
    let bench: LiveBench
    let attempts = Atomic(0)

    init(_ error: PCMOpenError, until attempt: Int) throws {
      bench = try LiveBench()
      bench.deviceFolder = folder.path
      bench.longestWait = 86_400
      bench.rig.openError = error
      bench.beforeOpening { [self] number in
        if number == attempt { bench.rig.openError = nil }
        attempts.store(number, ordering: .releasing)
      }
    }

    func hasTried(_ count: Int) -> Bool { eventually { self.attempts.load(ordering: .acquiring) >= count } }
  }

  private static let missing = PCMOpenError.noSuchDevice(
    name: "hw:CARD=Aid,DEV=0", available: ["hw:CARD=Other,DEV=0"])
  private static let forbidden = PCMOpenError.noPermission(name: "hw:0", node: "/dev/snd/pcmC0D0p")

  @Test(
    "a card that comes, and one that may be opened from now on, sounds after one attempt",
    arguments: [missing, forbidden])
  func comes(error: PCMOpenError) throws {
    let arrival = try Arrival(error, until: 3)
    let aid = arrival.bench.aid()
    try aid.start()
    // One more after the watch has begun: what came before, it does not tell.
    #expect(arrival.hasTried(2))
    #expect(eventually { if case .waitingForDevice = aid.state { true } else { false } })
    arrival.folder.write("", to: "pcmC0D0p")
    #expect(eventually { aid.state == .running })
    aid.stop()
    #expect(arrival.attempts.load(ordering: .acquiring) == 3)
    #expect(aid.watchRefusal == nil)
  }

  @Test("each burst of news is one attempt, a tenth of a second apart at the least, however many there are")
  func storm() throws {
    let arrival = try Arrival(Self.missing, until: 6)
    let aid = arrival.bench.aid()
    try aid.start()
    #expect(arrival.hasTried(2))
    var files = 0
    while aid.state != .running, files < 1_000_000 {
      arrival.folder.write("", to: "pcmC\(files % 8)D0p")
      chmod(arrival.folder.file("pcmC\(files % 8)D0p"), files % 2 == 0 ? 0o600 : 0o660)
      files += 1
    }
    #expect(aid.state == .running)
    aid.stop()
    let times = arrival.bench.attempts.dropFirst()
    #expect(times.count == 5)
    for (former, next) in zip(times, times.dropFirst()) { #expect(next - former >= 0.1) }
  }

  @Test("the reason names the card that is missing, the others, and how to use one of them")
  func reason() throws {
    let arrival = try Arrival(Self.missing, until: 3)
    let aid = arrival.bench.aid()
    try aid.start()
    #expect(arrival.hasTried(2))
    #expect(
      eventually {
        aid.state
          == .waitingForDevice(
            reason: "no sound device is called hw:CARD=Aid,DEV=0: there are hw:CARD=Other,DEV=0; "
              + "the aid waits for it, or uses another by: auricle route use")
      })
    aid.stop()
    #expect(aid.state == .stopped)
  }

  @Test(
    "what no file tells is tried again after a pause: a device that others hold, a sound server's",
    arguments: [
      (PCMOpenError.busy(name: "hw:0", holders: []), nil),
      (
        .noSuchDevice(name: "jack", available: []),
        "jack is on no card, whose files would tell when it is there"
      ),
      (
        .failed(name: "jack", call: "snd_pcm_open", errno: ENOENT),
        "jack is on no card, whose files would tell when it is there"
      ),
    ] as [(PCMOpenError, String?)])
  func untold(error: PCMOpenError, refusal: String?) throws {
    let arrival = try Arrival(error, until: 5)
    let aid = arrival.bench.aid()
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
    #expect(aid.watchRefusal == refusal)
  }

  @Test("where the files cannot be watched the card is tried again after a pause, and the reason is told")
  func unwatched() throws {
    let arrival = try Arrival(Self.missing, until: 5)
    arrival.bench.deviceFolder = arrival.folder.file("no/snd")
    let aid = arrival.bench.aid()
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
    #expect(
      aid.watchRefusal
        == "its files cannot be watched (inotify_add_watch: no such file or directory (errno 2))")
  }

  @Test("a card that is unplugged while it sounds is waited for, and sounds again when its files tell so")
  func replugged() throws {
    let arrival = try Arrival(Self.missing, until: 3)
    let (bench, rig) = (arrival.bench, arrival.bench.rig)
    rig.openError = nil
    bench.beforeOpening { number in
      // The watch has begun with the first wait, so that the attempt after it is the last without news.
      if number == 2 { arrival.folder.write("", to: "controlC1") }
      if number == 3 {
        rig.replug()
        rig.openError = nil
      }
      arrival.attempts.store(number, ordering: .releasing)
    }
    bench.before(block: 120) {
      rig.unplug()
      rig.openError = Self.missing
    }
    // In the loop's own time: it has risen by then.
    bench.run(until: 3000)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(arrival.attempts.load(ordering: .acquiring) == 3)
  }
}
