import Acoustics
import AudioIO
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// The test of the feedback path against paths that are known.
@Suite("FeedbackTest") struct FeedbackTestTests {
  /// Both ears' own paths, the right one weaker and elsewhere.
  static func room() -> EchoRoom {
    let room = EchoRoom()
    room.paths = [
      (.left, .left, EchoRoom.vent(peak: 0.02)), (.right, .right, EchoRoom.vent(peak: 0.01, around: 1500)),
    ]
    return room
  }

  /// Greatest |F| in a cell's range by the definition, dB.
  static func level(_ taps: [Float], in cell: FeedbackCell) -> Double {
    (-4...4).map { EchoRoom.level(taps, at: cell.frequency * exp2(Double($0) / 96)) }.max() ?? 0
  }

  @Test(
    "a known path is read within 1 dB wherever it stands 30 dB above the noise, its delay within five samples"
  )
  func knownPath() throws {
    let room = Self.room()
    let results = try room.aid().measure([.left, .right], at: 1)
    #expect(results.map(\.ear) == [.left, .right])
    for (ear, measured) in results {
      let taps = try #require(room.paths.first { $0.from == ear }).taps
      // The greatest of some bins of noise stands up to 11 dB above its RMS: 19 dB below, it adds 20·log10(1.11) = 0.9 dB.
      let clear = measured.cells.filter { $0.level - $0.noise >= 30 }
      #expect(clear.count >= 40)
      for cell in clear {
        #expect(abs(cell.level - Self.level(taps, in: cell)) <= 1, "\(ear) \(cell)")
      }
      // The first trace is found where it exceeds a tenth of the peak: the first sample here has most of it.
      let delay = try #require(measured.delay) * EchoRoom.rate
      #expect(abs(delay - Double(room.delay)) <= 5, "\(delay)")
      #expect(abs(try #require(measured.deviceDelay) * EchoRoom.rate - Double(EchoRoom.latency)) < 1e-6)
      // The devices are now one period slower: the air's part stays.
      let later = try #require(measured.delay(with: Double(EchoRoom.latency + 64) / EchoRoom.rate))
      #expect(abs(later * EchoRoom.rate - delay - 64) < 1e-6)
      // What the canceller is given makes the same response.
      let level = EchoRoom.level(measured.response.map(Float.init), at: 2000)
      #expect(abs(level - EchoRoom.level(taps, at: 2000)) <= 1)
      #expect(measured.rate == 48_000 && measured.captureName == "room" && measured.moment == 1)
    }
  }

  @Test("devices that tell too short a delay once in fifty times are believed what they tell otherwise")
  func toldDelay() throws {
    let room = Self.room()
    room.readingsPerError = 50
    for (_, measured) in try room.aid().measure([.left, .right], at: 1) {
      #expect(abs(try #require(measured.deviceDelay) * EchoRoom.rate - Double(EchoRoom.latency)) < 1e-6)
    }
  }

  @Test(
    "what one earphone sends to the other ear's microphone counts: one microphone for both ears reads the sum"
  )
  func crossing() throws {
    let room = EchoRoom()
    let taps = EchoRoom.vent(peak: 0.02)
    for from in Ear.allCases { for to in Ear.allCases { room.paths.append((from, to, taps)) } }
    for (ear, measured) in try room.aid().measure(Ear.allCases, at: 0) {
      let cell = try #require(measured.cells.min { abs($0.frequency - 3000) < abs($1.frequency - 3000) })
      // Two equal magnitudes: 6.02 dB more than one.
      #expect(abs(cell.level - Self.level(taps, in: cell) - 6.02) <= 0.5, "\(ear)")
    }
  }

  @Test(
    "each earphone's part is told apart, and what it sends to the other ear's microphone, also by a test of one ear",
    arguments: [Ear.allCases, [Ear.left]])
  func apart(_ ears: [Ear]) throws {
    let room = EchoRoom()
    let (own, crossing) = (EchoRoom.vent(peak: 0.02), EchoRoom.vent(peak: 0.01))
    for ear in Ear.allCases {
      room.paths.append((ear, ear, own))
      room.paths.append((ear, ear.opposite, crossing))
    }
    let results = try room.aid().measure(ears, at: 0)
    #expect(results.map(\.ear) == ears)
    for (ear, measured) in results {
      let cell = try #require(measured.cells.min { abs($0.frequency - 3000) < abs($1.frequency - 3000) })
      let (ownLevel, crossingLevel) = (Self.level(own, in: cell), Self.level(crossing, in: cell))
      #expect(abs(try #require(cell.own) - ownLevel) <= 0.5, "\(ear)")
      #expect(abs(try #require(cell.crossing) - crossingLevel) <= 0.5, "\(ear)")
      // Half as much again where the other earphone was heard, 20·lg 1.5 = 3.52 dB.
      #expect(abs(cell.level - ownLevel - (ears.count > 1 ? 3.52 : 0)) <= 0.5, "\(ear)")
      #expect(measured.isOwnKnown && measured.isCrossingKnown)
    }
  }

  @Test("without a path a bound is told that lies below what is prescribed, and no delay")
  func nothingFound() throws {
    let room = EchoRoom()
    for (_, measured) in try room.aid().measure([.left, .right], at: 0) {
      #expect(measured.delay == nil)
      #expect(measured.response.isEmpty)
      #expect(measured.cells.allSatisfy { !$0.isFound })
      // Nothing prescribed: 0 dB and the headroom are free in every band.
      let gains = MaximumStableGain.gains(measured, bands: .standard, isCancelling: false)
      #expect(gains.allSatisfy { $0 >= FeedbackTest.headroom })
    }
  }

  @Test(
    "what comes in later than 0.3 s after the devices' own delay is another sound: no delay, but its level is told",
    arguments: [(0.28, true), (0.32, false)])
  func lateTrace(_ seconds: Double, isEarpiece: Bool) throws {
    let room = EchoRoom()
    room.paths = [(.left, .left, EchoRoom.vent(peak: 0.02))]
    room.delay = EchoRoom.latency + Int(seconds * EchoRoom.rate)
    let measured = try #require(try room.aid().measure([.left], at: 0).first).measurement
    #expect((measured.delay != nil) == isEarpiece && measured.response.isEmpty != isEarpiece)
    #expect(measured.cells.contains { $0.isFound })
  }

  @Test(
    "the sound begins soft and becomes louder only for noise; it never exceeds the loudest level's own peaks"
  )
  func levels() throws {
    let quiet = Self.room()
    let soft = try quiet.aid().measure([.left], at: 0)
    #expect(soft.first?.measurement.level == 55)
    // 55 dB SPL where full scale is 120: RMS −65 dB, with peaks of at most 12 dB, and the chain's ripple.
    #expect(quiet.peak < Float(pow(10, (-65.0 + 12) / 20) * 0.71 * 1.2))
    let noisy = Self.room()
    noisy.noise = Binaural(both: 4e-5)
    let loud = try noisy.aid { $0.hearing.audiograms = Binaural(both: StandardAudiogram.n3.audiogram) }
      .measure([.left], at: 0)
    #expect(try #require(loud.first).measurement.level > 55)
    #expect(noisy.peak < Float(pow(10, (-45.0 + 12) / 20) * 0.71 * 1.2))
  }

  @Test("noise that hides feedback in a prescribed band is refused, with the bands and the noise's level")
  func noise() {
    let room = Self.room()
    room.noise = Binaural(both: 0.02)
    let test = room.aid { $0.hearing.audiograms = Binaural(both: StandardAudiogram.n4.audiogram) }
    do {
      _ = try test.measure([.left, .right], at: 0)
      Issue.record("measured in noise")
    } catch {
      guard case .tooNoisy(_, let frequencies, let level) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!frequencies.isEmpty)
      // RMS 0.02 where a full-scale sine, 0.707, is 120 dB SPL.
      #expect(abs(level - (120 + 20 * log10(0.02 * 2.0.squareRoot()))) < 0.5)
    }
  }

  @Test("a microphone that delivers zeros, or is driven to its end, is refused")
  func microphone() {
    let dead = Self.room()
    dead.noise = Binaural(left: 1e-5, right: 0)
    dead.paths = []
    #expect(throws: FeedbackFault.microphoneSilent(.right)) {
      _ = try dead.aid().measure([.left, .right], at: 0)
    }
    let loud = Self.room()
    loud.paths = [(.left, .left, EchoRoom.vent(peak: 5000))]
    #expect(throws: FeedbackFault.microphoneOverloaded(.left, level: 55)) {
      _ = try loud.aid().measure([.left], at: 0)
    }
  }

  @Test(
    "beside a microphone that is driven to its end the other ear is measured alone, and what comes to that one stays unknown"
  )
  func overloadedBeside() throws {
    let room = Self.room()
    // A third of the samples lie beyond full scale.
    room.noise = Binaural(left: 3e-6, right: 1)
    let results = try room.aid().measure([.left], at: 0)
    #expect(results.map(\.ear) == [.left])
    let measured = try #require(results.first).measurement
    #expect(measured.isOwnKnown && measured.cells.allSatisfy { $0.crossing == nil })
    let cell = try #require(measured.cells.min { abs($0.frequency - 3000) < abs($1.frequency - 3000) })
    let taps = try #require(room.paths.first).taps
    // Within 1 dB, as above.
    #expect(abs(cell.level - Self.level(taps, in: cell)) <= 1)
    // In a test of both it is found before anything sounds.
    let both = Self.room()
    both.noise = room.noise
    #expect(throws: FeedbackFault.microphoneOverloaded(.right, level: 0)) {
      _ = try both.aid().measure([.left, .right], at: 0)
    }
  }

  @Test("an earpiece that keeps moving is found out after three attempts")
  func moved() throws {
    let room = Self.room()
    var attempts = 0
    room.before = { room, _ in
      room.paths = [(.left, .left, EchoRoom.vent(peak: room.takes % 2 == 0 ? 0.02 : 0.04))]
    }
    do {
      _ = try room.aid().measure([.left], at: 0, repeats: { _ in attempts += 1 })
      Issue.record("not found out")
    } catch {
      guard case .moved(.left, _, let difference) = error else {
        Issue.record("\(error)")
        return
      }
      // Twice the path is 6.02 dB.
      #expect(difference > 3 && difference < 7)
    }
    #expect(attempts == 2)
  }

  @Test(
    "devices whose delay keeps moving between the runs, or from ear to ear, are found out",
    arguments: [[Ear.left], Ear.allCases])
  func delayMoved(ears: [Ear]) throws {
    let room = Self.room()
    // A period of 256 frames, which a server may put in at any restart.
    room.before = { room, _ in room.delay = 300 + 256 * (room.takes % 3) }
    do {
      _ = try room.aid().measure(ears, at: 0)
      Issue.record("not found out")
    } catch {
      guard case .delayMoved(let change) = error else {
        Issue.record("\(error)")
        return
      }
      // One period or two. Where the response exceeds a tenth of its peak: within five samples, as above, at both ends.
      let frames = change * EchoRoom.rate
      #expect(min(abs(frames - 256), abs(frames - 512)) <= 10, "\(frames)")
    }
  }

  @Test(
    "a delay that moves once is measured again, with a word, and kept as it is then",
    arguments: [[Ear.left], Ear.allCases])
  func delayMovedOnce(ears: [Ear]) throws {
    let room = Self.room()
    var reasons: [FeedbackFault] = []
    // From the second run on.
    room.before = { room, _ in room.delay = room.takes <= ears.count ? 300 : 300 + 256 }
    let results = try room.aid().measure(ears, at: 0, repeats: { reasons.append($0) })
    #expect(results.map(\.ear) == ears)
    for (_, measured) in results {
      // Within five samples, as above.
      #expect(abs(try #require(measured.delay) * EchoRoom.rate - 556) <= 5)
    }
    guard reasons.count == 1, case .delayMoved = reasons[0] else {
      Issue.record("\(reasons)")
      return
    }
  }

  @Test("a noise that passes, at the loudest level of the test, is measured again once it has passed")
  func passingNoise() throws {
    let room = Self.room()
    var reasons: [FeedbackFault] = []
    // Three levels, and one run more, in noise; then none.
    room.before = { room, _ in room.noise = Binaural(both: room.takes <= 4 ? 0.02 : 3e-6) }
    let test = room.aid { $0.hearing.audiograms = Binaural(both: StandardAudiogram.n4.audiogram) }
    let results = try test.measure([.left], at: 0, repeats: { reasons.append($0) })
    let taps = try #require(room.paths.first).taps
    for cell in try #require(results.first).measurement.cells where cell.level - cell.noise >= 30 {
      // Within 1 dB, as above.
      #expect(abs(cell.level - Self.level(taps, in: cell)) <= 1, "\(cell)")
    }
    #expect(reasons.count == 2)
    for reason in reasons {
      guard case .tooNoisy(.left, _, _) = reason else {
        Issue.record("\(reason)")
        return
      }
    }
  }

  @Test("a run that breaks off is repeated; one that breaks off again and again is refused")
  func dropOuts() throws {
    let once = Self.room()
    once.before = { room, _ in
      guard room.takes == 1, room.marks == 0 else { return }
      room.marks = 1
      room.events = [.restarted(.stalled, lost: 0.01)]
    }
    #expect(try once.aid().measure([.left], at: 0).count == 1 && once.marks == 1)
    let often = Self.room()
    often.before = { room, block in
      if block % 200 == 0 { room.events = [.restarted(.stalled, lost: 0.01)] }
    }
    #expect(throws: FeedbackFault.dropOuts) { _ = try often.aid().measure([.left], at: 0) }
  }

  @Test("a device that is missing, or pulled out meanwhile, ends the test with its reason")
  func device() {
    let missing = Self.room()
    missing.openError = .noSuchDevice(name: "room", available: [])
    do {
      _ = try missing.aid().measure([.left], at: 0)
      Issue.record("measured without a device")
    } catch {
      guard case .device = error else {
        Issue.record("\(error)")
        return
      }
    }
    let pulled = Self.room()
    pulled.before = { room, _ in
      guard room.takes > 0, room.marks == 0 else { return }
      room.marks = 1
      room.events = [.lost(.stalled)]
    }
    do {
      _ = try pulled.aid().measure([.left], at: 0)
      Issue.record("measured without a device")
    } catch {
      guard case .device(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.contains("stopped working"))
    }
  }

  @Test("it can be ended at any moment, and is silent when it has ended")
  func cancelled() {
    let room = Self.room()
    #expect(throws: FeedbackFault.cancelled) {
      _ = try room.aid().measure([.left], at: 0, isCancelled: { room.blocks > 2000 })
    }
  }

  @Test("the sound has an RMS of 1, and is as loud at the ear at every frequency, whatever the earphone")
  func equalised() {
    let flat = FeedbackSignal(rate: EchoRoom.rate).period
    let raised = FeedbackSignal(rate: EchoRoom.rate) { $0 < 1000 ? 0 : 12 }.period
    let mean = flat.reduce(0) { $0 + $1 * $1 } / Double(flat.count)
    #expect(abs(mean - 1) < 1e-9)
    let (even, uneven) = FourierTransform(count: flat.count).spectra(flat, raised)
    for frequency in [100.0, 900, 1100, 5000, 15_000] {
      let bin = Int(frequency / EchoRoom.rate * Double(flat.count))
      let gain = 10 * log10(uneven.power(bin) / even.power(bin))
      #expect(abs(gain - (frequency < 1000 ? 0 : 12)) < 1e-6, "\(frequency) Hz: \(gain) dB")
    }
  }

  @Test("an output limit below which nothing can be measured is refused before any sound")
  func limit() throws {
    let room = Self.room()
    let quiet = OutputCalibration(
      device: HearingSettingsTests.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(58))))
    let loud = try InputCalibration(
      device: HearingSettingsTests.device, channels: [Sensitivity(flat: SoundPressureLevel(110))])
    let test = room.aid {
      $0.hearing.earphones = quiet
      $0.hearing.microphones = loud
    }
    #expect(throws: FeedbackFault.limitTooLow(.left, limit: 58)) { _ = try test.measure([.left], at: 0) }
    #expect(room.peak == 0)
  }
}
