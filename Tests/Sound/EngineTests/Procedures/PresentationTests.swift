import Acoustics
import AudioIO
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// Sounds of listening procedures on the aid's own loop.
@Suite("Presentations") struct PresentationTests {
  private static let rate = EchoRoom.rate

  /// A tone of a level behind so much silence, with edges of 30 ms.
  private func tone(_ level: Double, seconds: Double = 0.3, after lead: Double = 0.1) -> [Float] {
    let (frames, edge) = (Int(seconds * Self.rate), Int(0.03 * Self.rate))
    let peak = pow(10, level / 20)
    return [Float](repeating: 0, count: Int(lead * Self.rate))
      + (0..<frames).map { n in
        let distance = min(n, frames - n)
        let envelope = distance < edge ? 0.5 - 0.5 * cos(.pi * Double(distance) / Double(edge)) : 1
        return Float(envelope * peak * sin(2 * .pi * 1000 * Double(n) / Self.rate))
      }
  }

  private func present(
    _ sounds: [Presentation], in room: EchoRoom, change: (inout AidSettings) -> Void = { _ in },
    while goesOn: @escaping (PresentationPlayer.Look) -> Bool = { _ in true }
  ) throws -> [PresentationPlayer.Ending] {
    let aid = room.aid(change)
    try aid.startSilently()
    defer { aid.stop() }
    return try aid.present(isCancelled: { false }) { player throws(FeedbackFault) in
      var endings: [PresentationPlayer.Ending] = []
      for sound in sounds { endings.append(try player.play(sound, while: goesOn)) }
      return endings
    }
  }

  /// All of a channel between the first and the last sample that is not zero.
  private func sounding(_ channel: [Float]) -> [Float] {
    guard let first = channel.firstIndex(where: { $0 != 0 }),
      let last = channel.lastIndex(where: { $0 != 0 })
    else { return [] }
    return Array(channel[first...last])
  }

  @Test(
    "a presentation leaves the earphone sample by sample as it was made, and the other one plays zeros",
    arguments: Ear.allCases)
  func exact(_ ear: Ear) throws {
    let room = EchoRoom()
    // A loud microphone reaches no ear.
    room.noise = Binaural(both: 0.1)
    var samples = Binaural<[Float]>(both: [])
    samples[ear] = tone(-30)
    let endings = try present([Presentation(samples, ceiling: FullScaleLevel(-20))], in: room)
    #expect(endings == [.whole])
    #expect(sounding(room.sent[ear]) == sounding(samples[ear]))
    #expect(room.sent[ear.opposite].allSatisfy { $0 == 0 })
  }

  @Test("a tone in one ear and another one in the other sound together")
  func both() throws {
    let room = EchoRoom()
    let samples = Binaural(left: tone(-30), right: tone(-50, seconds: 0.4, after: 0.08))
    _ = try present([Presentation(samples, ceiling: FullScaleLevel(-20))], in: room)
    #expect(sounding(room.sent.left) == sounding(samples.left))
    #expect(sounding(room.sent.right) == sounding(samples.right))
  }

  @Test(
    "a sound that is louder than its ceiling is held to it by the output safety stage",
    arguments: [-60.0, -40, -12])
  func ceiling(_ ceiling: Double) throws {
    let room = EchoRoom()
    let samples = Binaural(left: tone(-3), right: [Float]())
    _ = try present([Presentation(samples, ceiling: FullScaleLevel(ceiling))], in: room)
    // Full scale stands for 120 dB SPL in an aid that is not calibrated, and its limit is 110 dB SPL at most.
    #expect(20 * log10(Double(room.peak)) <= min(ceiling, -10) + 1e-4)
    #expect(room.peak > 0)
  }

  @Test("the aid's own limit holds a presentation whose ceiling lies above it")
  func limit() throws {
    let room = EchoRoom()
    // 80 dB SPL where full scale stands for 120 is −40 dB.
    _ = try present(
      [Presentation(Binaural(left: tone(-3), right: []), ceiling: FullScaleLevel(0))], in: room
    ) {
      $0.hearing.maximumOutput = SoundPressureLevel(80)
    }
    #expect(20 * log10(Double(room.peak)) <= -40 + 1e-4)
  }

  @Test(
    "a ceiling that rises from one sound to the next lets the next one through whole, however short the silence between them",
    arguments: [0.6, 0.2, 0.05])
  func risingCeiling(lead: Double) throws {
    let room = EchoRoom()
    let soft = Presentation(Binaural(left: tone(-70), right: []), ceiling: FullScaleLevel(-60))
    // Behind silence there is nothing to release, so the limit is in force at once.
    let loud = Presentation(Binaural(left: tone(-21, after: lead), right: []), ceiling: FullScaleLevel(-20))
    #expect(try present([soft, loud], in: room) == [.whole, .whole])
    #expect(abs(20 * log10(Double(room.peak)) + 21) < 0.01)
  }

  @Test("a sound that is stopped is silent within 100 ms, and the next one begins from silence")
  func stopped() throws {
    let room = EchoRoom()
    // The room goes on slowly while it sounds, so that whoever looks sees it in time.
    room.before = { room, _ in if room.framesSounding > 0 { usleep(1000) } }
    let long = Presentation(Binaural(left: tone(-30, seconds: 4), right: []), ceiling: FullScaleLevel(-20))
    var stoppedAt = 0
    let endings = try present(
      [long], in: room,
      while: { look in
        guard look.played > Int(0.5 * Self.rate) else { return true }
        if stoppedAt == 0 { stoppedAt = look.played }
        return false
      })
    #expect(endings == [.stopped])
    let sound = sounding(room.sent.left)
    // The fall takes 20 ms (OutputSafety.fallTime); the rest is what the room plays between two looks, 20 ms of real time in blocks of at
    // least 1 ms: 20 blocks of 64 frames.
    let lead = Int(0.1 * Self.rate)
    #expect(sound.count <= stoppedAt - lead + Int(0.1 * Self.rate))
    #expect(room.sent.left.last == 0)
  }

  @Test("a gap in the sound is told, and nothing goes on behind it")
  func gap() throws {
    let room = EchoRoom()
    room.before = { room, block in
      if room.framesSounding > 4800, room.marks == 0 {
        room.marks = 1
        room.events = [.restarted(.stalled, lost: 0.01)]
      }
    }
    let long = Presentation(Binaural(left: tone(-30, seconds: 1), right: []), ceiling: FullScaleLevel(-20))
    #expect(try present([long], in: room) == [.gap])
  }

  @Test("devices that stop working before the first sound are opened anew, and it is played whole")
  func openedAnew() throws {
    let room = EchoRoom()
    room.events = [.lost(.unmoved)]
    let sound = Presentation(Binaural(left: tone(-30), right: []), ceiling: FullScaleLevel(-20))
    #expect(try present([sound], in: room) == [.whole])
    #expect(room.openings.count == 2)
    #expect(sounding(room.sent.left) == sounding(tone(-30)))
  }

  @Test("where they cannot be opened anew, the reason is that at once")
  func notOpenedAnew() throws {
    let room = EchoRoom()
    // Without an end, were it waited for.
    room.patience.reopening = .infinity
    room.events = [.lost(.unmoved)]
    let missing = PCMOpenError.noSuchDevice(name: "room", available: [])
    room.before = { room, _ in room.openError = missing }
    let sound = Presentation(Binaural(left: tone(-30), right: []), ceiling: FullScaleLevel(-20))
    #expect(throws: FeedbackFault.device("\(missing)")) { try present([sound], in: room) }
    #expect(room.peak == 0)
  }

  @Test("where they stop working again and again, the reason is that after a while")
  func lostAgain() throws {
    let room = EchoRoom()
    room.patience.reopening = 0.5
    room.before = { room, _ in room.events = [.lost(.unmoved)] }
    let sound = Presentation(Binaural(left: tone(-30), right: []), ceiling: FullScaleLevel(-20))
    let reason = "the sound device stopped working (no sound moves after the start)"
    #expect(throws: FeedbackFault.device(reason)) { try present([sound], in: room) }
    #expect(room.openings.count > 1 && room.peak == 0)
  }

  @Test("the microphones are heard meanwhile")
  func hears() throws {
    let room = EchoRoom()
    room.noise = Binaural(both: 0.01)
    room.before = { _, _ in usleep(100) }
    var heard: [Float] = []
    _ = try present(
      [.silence(frames: 9600)], in: room,
      while: { look in
        heard += look.heard.map { $0.x }
        return true
      })
    #expect(heard.count > 4800)
    let square = heard.reduce(0) { $0 + Double($1) * Double($1) } / Double(heard.count)
    // 4,800 independent values and more: the root mean square is within 5 % (five standard deviations).
    #expect(abs(square.squareRoot() / 0.01 - 1) < 0.05)
  }
}
