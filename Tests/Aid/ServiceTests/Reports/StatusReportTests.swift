import Acoustics
import AudioIO
import Control
import Fitting
import Realtime
import Testing

@testable import Engine
@testable import HearingDSP
@testable import Service

@Suite struct StatusReportTests {
  private static let format = StreamFormat(
    rate: 44_100, channels: 2, format: .signed32, period: 64, buffer: 192)

  private func snapshot(_ state: StatusReport.State.Name = .running) -> AidSnapshot {
    var aid = AidSnapshot(state: StatusReport.State(state, since: 5), memory: .onFault)
    aid.devices = AidDevices(
      captureName: "hw:A", playbackName: "hw:B", capture: Self.format, playback: Self.format, period: 64)
    aid.chainDelay = 0.0004
    aid.scheduling = .realtime(priority: 70)
    return aid
  }

  private func report(_ aid: AidSnapshot) -> StatusReport {
    StatusReport(
      aid, daemon: StatusReport.Daemon(version: "1", pid: 1, startedUnixSeconds: 0, nowUnixSeconds: 10))
  }

  @Test(
    "the delay is what is believed of the converters' plus the chain's own, not what a driver told last")
  func latency() throws {
    var aid = snapshot()
    aid.reading.believedLatency = 192
    aid.reading.deviceLatency = 384
    let latency = try #require(report(aid).latency)
    // 192 frames at 44.1 kHz are 4.3537 ms; rounding of doubles.
    let loop = try #require(latency.loopSeconds)
    #expect(abs(loop - (192.0 / 44_100 + 0.0004)) < 1e-12)
    #expect(latency.chainSeconds == 0.0004)
    aid.reading.believedLatency = nil
    #expect(report(aid).latency?.loopSeconds == nil)
  }

  @Test("the block is the loop's, whatever the devices' own periods are")
  func block() throws {
    var aid = snapshot()
    aid.devices = AidDevices(
      captureName: "hw:A", playbackName: "hw:B", capture: Self.format, playback: Self.format, period: 1024)
    #expect(report(aid).devices?.periodFrames == 1024)
    #expect(try JSON.text(report(aid)).contains(#""period_frames":1024"#))
  }

  @Test("without sound there is neither delay nor level, and a stopped aid has no clock")
  func silence() {
    var aid = snapshot(.waitingForDevice)
    aid.devices = nil
    let report = report(aid)
    #expect(report.latency == nil && report.devices == nil && report.clock == nil)
    #expect(report.meters.left.bands.isEmpty)
  }

  @Test("numbers that JSON does not have never reach it")
  func finite() throws {
    var aid = snapshot()
    aid.reading.meters.frames = 1000
    aid.reading.meters.bandCount = 20
    aid.reading.meters.left.inputPower = .nan
    aid.reading.meters.left.outputPower = .infinity
    aid.reading.meters.left.outputLimiter = .nan
    aid.reading.meters.left.insertionGain[3] = -.infinity
    aid.reading.drift = .known(partsPerMillion: .nan)
    aid.reading.counters.lostTime = .infinity
    let report = report(aid)
    #expect(throws: Never.self) { try JSON.text(report) }
    #expect(report.meters.left.bands[3].gainDB == nil)
    #expect(report.clock?.driftPPM == nil && report.meters.xruns.lostSeconds == 0)
  }

  @Test("levels carry the status of their own end; digital silence is no level")
  func levels() throws {
    var aid = snapshot()
    let microphone = DeviceCalibration(device: "m", date: nil, status: .verified)
    aid.hearing.microphones = try InputCalibration(
      device: microphone, channels: [Sensitivity(flat: SoundPressureLevel(110))])
    aid.reading.meters.frames = 1000
    aid.reading.meters.bandCount = 20
    // A sine at −40 dB FS has the power 10^-4 relative to a full-scale sine, which is 110 dB SPL.
    aid.reading.meters.left.inputPower = 1e-4
    aid.reading.meters.left.inputOffset = 110
    aid.reading.meters.right.inputOffset = 110
    let meters = MetersReport(aid)
    // The chain's decibels are exact to 0.001 dB.
    #expect(abs(try #require(meters.left.inputLevelDBSPL) - 70) < 0.01)
    #expect(meters.right.inputLevelDBSPL == nil)
    #expect(meters.left.inputCalibration == .verified && meters.left.outputCalibration == .none)
    #expect(meters.left.bands.map(\.centreHz) == BandLayout.standard.centres)
  }

  @Test(
    "beside a microphone that nobody measured, the level in the ear is assumed, also of a measured earphone"
  )
  func assumedOutput() throws {
    var aid = snapshot()
    let earphone = DeviceCalibration(device: "e", date: nil, status: .verified)
    aid.hearing.earphones = OutputCalibration(
      device: earphone, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(100))))
    #expect(MetersReport(aid).left.outputCalibration == .none)
    aid.hearing.microphones = try InputCalibration(
      device: DeviceCalibration(device: "m", date: nil, status: .provisional),
      channels: [Sensitivity(flat: SoundPressureLevel(110))])
    #expect(MetersReport(aid).left.outputCalibration == .verified)
  }

  @Test("a muted output is silence at once, however slowly its meter falls; the microphone goes on")
  func mutedLevels() {
    var aid = snapshot(.muted)
    aid.reading.meters.frames = 1000
    aid.reading.meters.left.inputPower = 1e-4
    aid.reading.meters.left.inputOffset = 110
    aid.reading.meters.left.outputPower = 1e-4
    aid.reading.meters.left.outputOffset = 110
    aid.reading.isSilent = true
    #expect(MetersReport(aid).left.outputLevelDBSPL == nil)
    #expect(MetersReport(aid).left.inputLevelDBSPL != nil)
    aid.reading.isSilent = false
    #expect(MetersReport(aid).left.outputLevelDBSPL != nil)
  }

  @Test("when sound has ended its load is not told as present")
  func formerLoad() {
    var aid = snapshot()
    aid.reading.load.count(0.5)
    #expect(MetersReport(aid).load.maximumShare > 0)
    aid.devices = nil
    aid.state = StatusReport.State(.waitingForDevice, since: 5)
    #expect(MetersReport(aid).load.maximumShare == 0)
  }

  @Test("the load of a procedure is told, though the sound of the aid is waited for")
  func loadOfProcedure() {
    var aid = snapshot()
    aid.reading.load.count(0.5)
    aid.state = StatusReport.State(.waitingForDevice, reason: "a hearing test", since: 5)
    #expect(MetersReport(aid).load.maximumShare == 0.5)
  }

  @Test("clipping at the output is told by ear, drop-outs by direction and cause")
  func mishaps() {
    var aid = snapshot()
    aid.opens = 3
    aid.reading.counters.clippedSamples = 10
    aid.reading.counters.clippedRightSamples = 4
    aid.reading.counters.overruns = 2
    aid.reading.counters.underruns = 1
    aid.reading.counters.lostTime = 0.25
    aid.reading.lastFault = .device(.xrun, during: .write, .playback)
    let meters = MetersReport(aid)
    #expect(meters.left.clipping.outputSamples == 6 && meters.right.clipping.outputSamples == 4)
    #expect(
      meters.xruns
        == MetersReport.Xruns(
          capture: 2, playback: 1, lostSeconds: 0.25, lastCause: "underrun", deviceReopens: 2))
  }

  @Test("limiting is a share of the time since the chain began")
  func limiting() {
    var aid = snapshot()
    aid.reading.meters.frames = 400
    aid.reading.meters.left.limitedFrames = 100
    #expect(MetersReport(aid).left.limiter.activeShare == 0.25)
  }

  @Test("a prescription is reported by its rule and ears, with the cap while nothing is calibrated")
  func fitting() throws {
    var aid = snapshot()
    #expect(!report(aid).fitting.isFitted)
    #expect(report(aid).fitting.rule == nil && report(aid).fitting.gainCapDB == nil)
    let none = try Audiogram(points: [])
    aid.hearing.audiograms = Binaural(left: none, right: StandardAudiogram.n3.audiogram)
    let fitting = report(aid).fitting
    #expect(fitting.isFitted && fitting.ears == ["right"])
    #expect(fitting.rule == "NAL-RP-compressive" && fitting.compressionRatio == 2)
    #expect(fitting.gainCapDB == 20)
    #expect(StatusText(report(aid)).text.contains("gain held to 20 dB until both ends are calibrated"))
  }

  @Test(
    "the part of the prescribed gain that the cap takes is told, with what to do; where it takes none, nothing is"
  )
  func heldBack() throws {
    var aid = snapshot()
    let levels = [250.0, 500, 1000, 2000, 4000, 8000]
    aid.hearing.plan = try HearingSettings.plan(by: .halfGain)
    aid.hearing.audiograms = Binaural(
      both: try Audiogram(air: Dictionary(uniqueKeysWithValues: levels.map { ($0, 60.0) })))
    // Half of 60 dB HL.
    #expect(report(aid).fitting.prescribedGainDB == 30)
    #expect(
      report(aid).cautions.contains(
        "The prescription asks for a gain of up to 30 dB, and 10 dB of it are not heard until microphone and earphones are "
          + "calibrated: auricle calibrate"))
    aid.hearing.audiograms = Binaural(
      both: try Audiogram(air: Dictionary(uniqueKeysWithValues: levels.map { ($0, 38.0) })))
    #expect(report(aid).fitting.prescribedGainDB == nil && report(aid).fitting.heldBackWords == nil)
  }

  /// An earphone that nobody measured, of 100 dB SPL at full scale; a tinnitus sound in the left ear and
  /// lowering in the right.
  private func added(_ level: Double) throws -> AidSnapshot {
    var aid = snapshot()
    aid.hearing.audiograms = Binaural(both: StandardAudiogram.n3.audiogram)
    aid.hearing.plan = try FittingPlan(
      target: .rule(.nalRP),
      lowering: Binaural(left: nil, right: try FrequencyLowering(cutoff: 2000, ratio: 2)),
      tinnitusSound: Binaural(
        left: try TinnitusSound(shape: .broadband, level: SoundPressureLevel(level)), right: nil))
    aid.hearing.microphones = try InputCalibration(
      device: .unknown, channels: [Sensitivity(flat: SoundPressureLevel(90))])
    aid.hearing.earphones = OutputCalibration(
      device: .unknown, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(100))))
    return aid
  }

  @Test(
    "lowering and a tinnitus sound are told where they are heard, and one that is held back as held back")
  func heard() throws {
    // As for an earphone of 120 dB SPL: 20 dB less, and below 10 dB SPL nothing.
    let loud = report(try added(30)).fitting
    #expect(loud.tinnitusSoundEars == ["left"] && loud.heldBackTinnitusSoundEars == nil)
    #expect(loud.frequencyLoweringEars == ["right"])
    let soft = report(try added(25)).fitting
    #expect(soft.tinnitusSoundEars == nil && soft.heldBackTinnitusSoundEars == ["left"])
    // A comparison leaves both out, for no want of a calibration.
    var aid = try added(25)
    var debug = DebugSettings()
    debug.stagesOff = [.frequencyLowering, .tinnitusSound]
    aid.hearing.debug = debug
    let without = report(aid).fitting
    #expect(without.frequencyLoweringEars == nil && without.tinnitusSoundEars == nil)
    #expect(without.heldBackTinnitusSoundEars == nil)
  }

  @Test("without real time the reason is told")
  func realtime() {
    var aid = snapshot()
    #expect(report(aid).realtime.isGranted)
    aid.scheduling = .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: 0)
    #expect(!report(aid).realtime.isGranted)
    #expect(report(aid).realtime.reason?.contains("RLIMIT_RTPRIO is 0") == true)
  }

  @Test("no threshold can be found in a report")
  func privacy() throws {
    var aid = snapshot()
    let points = try Audiogram(air: [500: 33, 1000: 44, 2000: 77])
    aid.hearing.audiograms = Binaural(both: points)
    let text = try JSON.text(report(aid))
    #expect(!text.contains("33") && !text.contains("44,") && !text.contains("77"))
  }
}
