@testable import Service

extension StatusReport {
  /// A running aid, with something in every field.
  static let sample: StatusReport = {
    let stream = Devices.Stream(
      name: "hw:CARD=PCH,DEV=0", description: "HDA Intel", rate: 44_100, channels: 2, format: "S32_LE",
      period: 64, periods: 3)
    return StatusReport(
      daemon: Daemon(version: "0.1.0", processID: 812, started: 0, now: 11_520),
      state: State(.running, since: 60),
      devices: Devices(capture: stream, playback: stream),
      fitting: Fitting(
        isFitted: true, rule: "NAL-RP-compressive", compressionRatio: 2, ears: ["left", "right"],
        bandCount: 20, maximumOutput: 111),
      calibration: Calibration(
        microphone: .init(status: .provisional, device: nil, date: nil),
        earphone: .init(status: .verified, device: "hw:CARD=PCH", date: "2026-01-31")),
      meters: .sample,
      latency: Latency(loop: 0.00514, chain: 0.00038),
      realtime: Realtime(isGranted: true, policy: "SCHED_FIFO", priority: 70, reason: nil),
      memory: Memory(isLocked: false, reason: "limit of 8 MiB"),
      clock: Clock(isShared: false, drift: -12.34),
      configurationFile: "/etc/auricle/auricle.toml")
  }()
}

extension MetersReport {
  static let sample: MetersReport = {
    let left = Ear(
      inputLevel: 62.14, inputCalibration: .provisional, outputLevel: 84, outputCalibration: .verified,
      bands: [Band(centre: 250, gain: 3.4), Band(centre: 4000, gain: 27.6)],
      limiter: Limiter(activeShare: 0.004, reduction: 3.1), clipping: Clipping(input: 1, output: 0),
      nonFiniteSamples: 0)
    let right = Ear(
      inputLevel: nil, inputCalibration: .provisional, outputLevel: nil,
      outputCalibration: .verified, bands: [], limiter: Limiter(activeShare: 0, reduction: 0),
      clipping: Clipping(input: 0, output: 0), nonFiniteSamples: 2)
    return MetersReport(
      left: left, right: right, load: Load(median: 0.031, percentile99: 0.074, maximum: 0.25),
      xruns: Xruns(capture: 0, playback: 2, lost: 0.0041, lastCause: "playback underrun", reopens: 0))
  }()
}

extension DevicesReport {
  static let sample = DevicesReport(devices: [
    Device(
      name: "hw:CARD=PCH,DEV=0", description: "HDA Intel PCH, ALC295 Analog",
      capture: Direction(channels: 2, rates: [44_100, 48_000], formats: ["S16_LE", "S32_LE"]),
      playback: Direction(
        channels: 2, rates: [44_100], formats: ["S32_LE"], problem: "in use by process 812"),
      isDefault: true),
    Device(
      name: "hw:CARD=HDMI,DEV=3", description: "HDMI 0", capture: nil,
      playback: Direction(channels: 8, rates: [48_000], formats: ["S16_LE"]), isDefault: false),
  ])
}
