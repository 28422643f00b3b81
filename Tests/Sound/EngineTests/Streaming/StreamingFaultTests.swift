import Acoustics
import AudioIO
import AudioIOTesting
import Fitting
import Glibc
import HearingDSP
import Realtime
import Testing

@testable import Engine
@testable import EngineTesting

/// Whatever becomes of the stream, the aid's sound goes on, and the stream's falls, is silent, and rises when it is back.
@Suite("Streamed sound that fails") struct StreamingFaultTests {
  /// A tone that nothing but the stream has.
  static let frequency = 500.0
  static let amplitude: Float = 0.5

  enum Trouble: CaseIterable, CustomTestStringConvertible {
    case stalls, isUnplugged, runsOver, runsOverAndOver, failsToRead, getsNoProcessor,
      isGoneFromTheBeginning

    var testDescription: String { "it \(self)" }

    /// The source's part of the trouble.
    func begin(_ bench: StreamingBench) {
      switch self {
      case .stalls: bench.source.freeze()
      case .isUnplugged: bench.source.unplug()
      case .runsOver: bench.source.schedule(ScriptedFault(.capture, .read, .fail(.xrun)))
      // A server that has gone: four attempts in which no frame comes.
      case .runsOverAndOver:
        for _ in 0..<16 { bench.source.schedule(ScriptedFault(.capture, .read, .fail(.xrun))) }
      case .failsToRead: bench.source.schedule(ScriptedFault(.capture, .read, .fail(.inputOutput)))
      case .getsNoProcessor: bench.isHeld = true
      case .isGoneFromTheBeginning: break
      }
    }

    func end(_ bench: StreamingBench) {
      bench.isHeld = false
      bench.source.openError = nil
      bench.source.replug()
    }

    /// Clause of the status meanwhile; nil: the device went on by itself.
    var reason: String? {
      switch self {
      case .stalls: "it delivers no sound"
      case .isUnplugged, .isGoneFromTheBeginning:
        "\(PCMOpenError.noSuchDevice(name: "fake", available: []))"
      case .runsOverAndOver: "\(PCMFault.xrun), again and again"
      case .failsToRead: "\(PCMFault.inputOutput)"
      case .runsOver, .getsNoProcessor: nil
      }
    }
  }

  /// Level of the tone in windows of 10 ms, linear.
  static func envelope(_ samples: [Float]) -> [Double] {
    stride(from: 0, through: samples.count - 441, by: 441).map { start in
      StreamingBench.amplitude(of: samples[start..<start + 441], near: frequency)
    }
  }

  @Test("a source that has no usable format at the aid's rate is read at another one that has")
  func otherRate() throws {
    let bench = try StreamingBench(rates: [44_100, 48_000])
    bench.source.formatsOfRate = [44_100: []]
    var reading: StreamingReading?
    bench.aid.before(block: StreamingBench.blocks(0.9)) { reading = bench.reading }
    bench.aid.run(until: StreamingBench.blocks(1))
    #expect(reading?.state == .flowing)
    #expect(reading?.format?.rate == 48_000)
  }

  @Test("a source with too long a period is told as that, and another period is played")
  func longPeriod() throws {
    let bench = try StreamingBench()
    let former = bench.source.offer
    bench.source.offer.period = 4801...9600
    var states: [StreamingReading.State] = []
    bench.aid.before(block: StreamingBench.blocks(0.5)) {
      states.append(bench.reading.state)
      bench.source.offer = former
    }
    bench.aid.before(block: StreamingBench.blocks(3.9)) { states.append(bench.reading.state) }
    bench.aid.run(until: StreamingBench.blocks(4))
    // 0.1 s of 48 kHz.
    let reason = "fake grants a period of 4801 frames where 1 to 4800 are needed: choose another device"
    #expect(states == [.waiting(reason: reason), .flowing])
  }

  @Test(
    "at 96 kHz periods of 83 ms play without a break; those that reach all that may wait at once are refused"
  )
  func longestPeriod() throws {
    // Of 8192 frames one delivery must leave one, and a block of 64.
    let reason = "fake grants a period of 8128 frames where 1 to 8127 are needed: choose another device"
    let expected: [(Int, StreamingReading.State)] = [(8000, .flowing), (8128, .waiting(reason: reason))]
    for (period, state) in expected {
      let bench = try StreamingBench(rates: [96_000], aidRate: 96_000)
      (bench.source.offer.period, bench.source.offer.buffer) = (period...9600, 32_768...65_536)
      bench.source.setGranularity(.capture, period)
      // Opened after a third of a second, as the loop's times begin at 0; then two seconds.
      bench.isHeld = true
      bench.aid.before(block: 500) { bench.isHeld = false }
      var (reading, missed): (StreamingReading?, Int64) = (nil, -1)
      bench.aid.before(block: 3499) { (reading, missed) = (bench.reading, bench.played.interruptions) }
      bench.aid.run(until: 3500)
      #expect(reading?.state == state)
      #expect(missed == 0 && reading?.losses == 0)
    }
  }

  @Test(
    "the microphone of the Bluetooth earphones that play is refused, before it is opened; another link's sound is not",
    arguments: [
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco", true),
      ("pipewire:NODE=bluez_input.00_11_22_33_44_55.0", true),
      ("bluealsa:DEV=66:77:88:99:AA:BB,PROFILE=a2dp", false), ("hw:CARD=Loopback,DEV=1", false),
    ])
  func ownMicrophone(device: String, isRefused: Bool) throws {
    let bench = try StreamingBench(device: device)
    bench.aid.rig.name = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp"
    var state: StreamingReading.State?
    bench.aid.before(block: StreamingBench.blocks(0.9)) { state = bench.reading.state }
    bench.aid.run(until: StreamingBench.blocks(1))
    let reason = "\(device) is \(BluetoothLink.captureRefusal): choose another device"
    #expect(state == (isRefused ? .waiting(reason: reason) : .flowing))
    #expect((bench.source.opens == 0) == isRefused)
  }

  @Test(
    "the tone falls without a step, is silent, rises without a step, and the aid does not miss a block",
    arguments: Trouble.allCases)
  func fails(_ trouble: Trouble) throws {
    let bench = try StreamingBench()
    bench.source.source = StreamingBench.tones([Self.frequency], amplitude: Self.amplitude)
    bench.aid.rig.source = { _, _ in 0 }
    if trouble == .isGoneFromTheBeginning {
      bench.source.openError = .noSuchDevice(name: "fake", available: [])
    }
    let (begin, end, last) = (StreamingBench.blocks(2), StreamingBench.blocks(4), StreamingBench.blocks(8))
    bench.aid.before(block: begin) { trouble.begin(bench) }
    var reasons: Set<String> = []
    for block in stride(from: begin, to: end, by: 4) {
      bench.aid.before(block: block) {
        if case .waiting(let reason) = bench.reading.state { reasons.insert(reason) }
      }
    }
    bench.aid.before(block: end) { trouble.end(bench) }
    bench.aid.run(until: last)

    #expect(bench.mishaps.isEmpty && Set(bench.aid.latencies) == [LiveBench.prefill])
    let heard = bench.aid.heard(.left)
    let levels = Self.envelope(heard)
    // 85 dB SPL at full scale in an earphone of 120 dB SPL.
    let full = Double(Self.amplitude) * pow(10, (StreamingBench.fullScale - 120) / 20)
    if trouble != .isGoneFromTheBeginning {
      #expect(abs(20 * log10(levels[180] / full)) < 0.5, "\(levels[180])")
    }
    #expect(abs(20 * log10(levels[levels.count - 20] / full)) < 0.5, "it is back")
    #expect(levels[(levels.count / 8)...].contains { $0 < full * 1e-3 }, "it was silent")
    if let reason = trouble.reason { #expect(reasons.contains(reason), "\(reasons)") }
    // A step of a tone is broadband: what is above 6 kHz stays 60 dB below it. Fall and rise are raised cosines.
    let treble = ProgramBench.treble(heard).map { abs($0) }.max() ?? 1
    #expect(Double(treble) < full * 0.01, "\(treble)")
  }

  @Test("after a procedure nothing of its beginning is heard; the stream goes on with what sounds then")
  func procedure() throws {
    let bench = try StreamingBench()
    // Silent from a second after the procedure's beginning until 5 s; the feed is full after 0.74 s.
    let tone = StreamingBench.tones([Self.frequency], amplitude: Self.amplitude)
    bench.source.source = { frame, channel in
      (3 * 48_000..<5 * 48_000).contains(frame) ? 0 : tone(frame, channel)
    }
    bench.aid.rig.source = { _, _ in 0 }
    let state = bench.aid.state
    let end = StreamingBench.blocks(4)
    bench.aid.before(block: StreamingBench.blocks(2)) {
      state.wanted.store(.procedure, ordering: .releasing)
    }
    bench.aid.before(block: end) { state.wanted.store(.aid, ordering: .releasing) }
    var told: [Bool] = []
    for seconds in [1.9, 2.5, 3.9, 7.9] {
      bench.aid.before(block: StreamingBench.blocks(seconds)) { told.append(bench.played.isHeard) }
    }
    bench.aid.run(until: StreamingBench.blocks(8))
    #expect(bench.mishaps.isEmpty && bench.reading.losses == 0)
    #expect(told == [true, false, false, true])
    let heard = bench.aid.heard(.left)
    let full = Double(Self.amplitude) * pow(10, (StreamingBench.fullScale - 120) / 20)
    let levels = Self.envelope(heard)
    #expect(abs(20 * log10(levels[180] / full)) < 0.5, "it was there before")
    let rest = heard[(end * LiveBench.period)..<(StreamingBench.blocks(4.9) * LiveBench.period)]
    let peak = rest.reduce(0) { max($0, abs($1)) }
    // 20 ms of the old tone would rise to 3 · 0.1² of it, less than half of that by the aid's own rise: 1 %.
    #expect(Double(peak) < full * 1e-3, "\(peak)")
    #expect(abs(20 * log10(levels[levels.count - 20] / full)) < 0.5, "it is back")
  }

  @Test(
    "why the stream broke off is told, and the microphones come back, before its device is closed, which a sound server that hangs lets nobody finish"
  )
  func toldBeforeClosing() throws {
    let bench = try StreamingBench()
    bench.source.source = StreamingBench.tones([Self.frequency], amplitude: Self.amplitude)
    let feed = bench.aid.state.streaming.feed
    var before: Bool?
    var found: [(state: StreamingReading.State, isSounding: Bool, target: Int)] = []
    bench.aid.before(block: StreamingBench.blocks(2)) {
      before = feed.isSounding
      bench.source.beforeClosing = { _ in
        found.append((bench.reading.state, feed.isSounding, feed.target))
      }
      bench.source.schedule(ScriptedFault(.capture, .read, .fail(.inputOutput)))
    }
    bench.aid.run(until: StreamingBench.blocks(2.5))
    #expect(before == true)
    let first = try #require(found.first)
    #expect(first.state == .waiting(reason: "\(PCMFault.inputOutput)"))
    #expect(!first.isSounding && first.target == 0)
  }

  @Test("each call on the source is told while it lasts, by the source's name, for it may hang in any")
  func callsTold() throws {
    let bench = try StreamingBench()
    let channel = bench.aid.state.streaming
    var (closing, between): ([String?], [String?]) = ([], [])
    bench.source.beforeClosing = { _ in closing.append(channel.call?.device) }
    for seconds in [1.0, 2.4] {
      bench.aid.before(block: StreamingBench.blocks(seconds)) { between.append(channel.call?.device) }
    }
    bench.aid.before(block: StreamingBench.blocks(2)) {
      bench.source.schedule(ScriptedFault(.capture, .read, .fail(.inputOutput)))
    }
    bench.aid.run(until: StreamingBench.blocks(2.5))
    #expect(!closing.isEmpty && closing.allSatisfy { $0 == "fake" })
    #expect(between == [nil, nil])
  }

  @Test("off, the source is closed, and the aid's sound is the same bit by bit as without a stream")
  func off() throws {
    func sound(_ streaming: StreamingSettings?) throws -> (heard: [Float], opens: Int) {
      // Far below every limit, of which a band's own is lower while a stream is on.
      let bench = try StreamingBench(hearing: LiveBench.hearing(gain: -20), streaming: streaming)
      bench.aid.run(until: 2000)
      return (bench.aid.heard(.left), bench.source.opens)
    }
    let (without, with) = (try sound(nil), try sound(StreamingSettings()))
    #expect(without.opens == 0 && with.opens == 1)
    // Not within the macro, which would describe every difference.
    let isSame = with.heard == without.heard
    #expect(isSame)
    #expect(without.heard.contains { $0 != 0 })
  }

  @Test("on, off and on again while sound flows: no step, and silence in between")
  func turned() throws {
    let bench = try StreamingBench()
    bench.source.source = StreamingBench.tones([Self.frequency], amplitude: Self.amplitude)
    bench.aid.rig.source = { _, _ in 0 }
    bench.aid.before(block: StreamingBench.blocks(1)) { bench.apply(nil) }
    bench.aid.before(block: StreamingBench.blocks(2)) { bench.apply(StreamingSettings()) }
    var missed: Int64 = -1
    bench.aid.before(block: StreamingBench.blocks(3)) { missed = bench.played.interruptions }
    bench.aid.run(until: StreamingBench.blocks(3) + 1)
    let levels = Self.envelope(bench.aid.heard(.right))
    #expect(levels[150] == 0 || levels[150] < 1e-9)
    #expect(levels[90] > 1e-3 && levels[290] > 1e-3)
    // Turning it off is no interruption.
    #expect(missed == 0)
    let treble = ProgramBench.treble(bench.aid.heard(.right)).map { abs($0) }.max() ?? 1
    #expect(treble < 0.01 * Self.amplitude * Float(pow(10, -35.0 / 20)))
  }
}
