@testable import Service

extension StatusReport {
  /// A running aid, with something in every field.
  static let sample: StatusReport = {
    let stream = Devices.Stream(
      name: "hw:CARD=PCH,DEV=0", description: "HDA Intel", rateHz: 44_100, channels: 2, format: "S32_LE",
      periodFrames: 64, periods: 3)
    return StatusReport(
      daemon: Daemon(version: "0.1.0", pid: 812, startedUnixSeconds: 0, nowUnixSeconds: 11_520),
      state: State(.running, since: 60),
      devices: Devices(capture: stream, playback: stream),
      fitting: Fitting(
        isFitted: true, rule: "NAL-RP-compressive", compressionRatio: 2, ears: ["left", "right"],
        bandCount: 20, maximumOutputDBSPL: 111),
      calibration: Calibration(
        microphone: .init(status: .provisional, device: nil, date: nil),
        earphone: .init(status: .verified, device: "hw:CARD=PCH", date: "2026-01-31")),
      meters: .sample,
      latency: Latency(loopSeconds: 0.00514, chainSeconds: 0.00038),
      realtime: Realtime(isGranted: true, policy: "SCHED_FIFO", priority: 70, reason: nil),
      memory: Memory(isLocked: false, reason: "limit of 8 MiB"),
      clock: Clock(isShared: false, driftPPM: -12.34),
      configurationFile: "/etc/auricle/auricle.toml")
  }()
}

extension MetersReport {
  /// Before anything was heard.
  static let silent: MetersReport = {
    let ear = Ear(
      inputLevelDBSPL: nil, inputCalibration: .none, outputLevelDBSPL: nil, outputCalibration: .none,
      bands: [],
      limiter: Limiter(activeShare: 0, reductionDB: 0),
      clipping: Clipping(inputSamples: 0, outputSamples: 0),
      nonFiniteSamples: 0)
    return MetersReport(
      left: ear, right: ear, load: Load(medianShare: 0, percentile99Share: 0, maximumShare: 0),
      xruns: Xruns(capture: 0, playback: 0, lostSeconds: 0, lastCause: nil, deviceReopens: 0))
  }()

  static let sample: MetersReport = {
    let left = Ear(
      inputLevelDBSPL: 62.14, inputCalibration: .provisional, outputLevelDBSPL: 84,
      outputCalibration: .verified,
      bands: [Band(centreHz: 250, gainDB: 3.4), Band(centreHz: 4000, gainDB: 27.6)],
      limiter: Limiter(activeShare: 0.004, reductionDB: 3.1),
      clipping: Clipping(inputSamples: 1, outputSamples: 0),
      nonFiniteSamples: 0)
    let right = Ear(
      inputLevelDBSPL: nil, inputCalibration: .provisional, outputLevelDBSPL: nil,
      outputCalibration: .verified, bands: [], limiter: Limiter(activeShare: 0, reductionDB: 0),
      clipping: Clipping(inputSamples: 0, outputSamples: 0), nonFiniteSamples: 2)
    return MetersReport(
      left: left, right: right,
      load: Load(medianShare: 0.031, percentile99Share: 0.074, maximumShare: 0.25),
      xruns: Xruns(
        capture: 0, playback: 2, lostSeconds: 0.0041, lastCause: "playback underrun", deviceReopens: 0))
  }()
}

extension DevicesReport {
  static let sample = DevicesReport(devices: [
    Device(
      name: "hw:CARD=PCH,DEV=0", description: "HDA Intel PCH, ALC295 Analog",
      capture: Direction(channels: 2, ratesHz: [44_100, 48_000], formats: ["S16_LE", "S32_LE"]),
      playback: Direction(
        channels: 2, ratesHz: [44_100], formats: ["S32_LE"], problem: "in use by process 812"),
      isDefault: true),
    Device(
      name: "hw:CARD=HDMI,DEV=3", description: "HDMI 0", capture: nil,
      playback: Direction(channels: 8, ratesHz: [48_000], formats: ["S16_LE"]), isDefault: false),
  ])
}
