import Acoustics
import AudioIO
import Control
import Engine
import Realtime

extension StatusReport {
  init(_ aid: AidSnapshot, daemon: Daemon) {
    self.init(
      daemon: daemon, state: aid.state, devices: aid.devices.map { Devices($0) },
      fitting: Fitting(aid.hearing), prescription: aid.prescription, program: aid.program,
      feedback: aid.feedback, procedure: aid.procedure,
      calibration: Calibration(aid.hearing), meters: MetersReport(aid),
      latency: Latency(aid), realtime: Realtime(aid.scheduling), memory: Memory(aid.memory),
      clock: aid.isSounding
        ? Clock(isShared: aid.reading.drift == nil, drift: aid.reading.drift?.finite) : nil,
      configurationFile: aid.configuration.file)
  }
}

extension StatusReport.Devices {
  init(_ devices: AidDevices) {
    self.init(
      capture: Stream(devices.captureName, devices.capture),
      playback: Stream(devices.playbackName, devices.playback))
  }
}

extension StatusReport.Devices.Stream {
  init(_ name: String, _ format: StreamFormat) {
    self.init(
      name: name, description: nil, rate: format.rate, channels: format.channels,
      format: format.format.rawValue, period: format.period,
      periods: format.period > 0 ? format.buffer / format.period : 0)
  }
}

extension StatusReport.Fitting {
  init(_ hearing: HearingSettings) {
    let ears = hearing.fittedEars.map(\.rawValue)
    let isFitted = !ears.isEmpty
    let target = hearing.plan.target
    let needless = hearing.needlessGains.map(\.ear)
    func names(_ isOn: (Ear) -> Bool) -> [String]? {
      let ears = Ear.allCases.filter(isOn).map(\.rawValue)
      return ears.isEmpty ? nil : ears
    }
    self.init(
      isFitted: isFitted, rule: isFitted ? target.name : nil,
      compressionRatio: isFitted ? target.compressionRatio : nil,
      ears: ears, bandCount: hearing.bands.count, maximumOutput: hearing.outputCeiling.decibels,
      gainCap: isFitted ? hearing.gainCap : nil, loweringEars: names { hearing.plan.lowering[$0] != nil },
      tinnitusSoundEars: names { hearing.plan.tinnitusSound[$0] != nil },
      needlessGainEars: names { needless.contains($0) })
  }
}

extension StatusReport.Calibration {
  init(_ hearing: HearingSettings) {
    self.init(
      microphone: End(hearing.microphones.device), earphone: End(hearing.earphones.device))
  }
}

extension StatusReport.Calibration.End {
  init(_ device: DeviceCalibration) {
    let isKnown = device.status != .none
    self.init(
      status: device.status, device: isKnown ? device.device : nil,
      date: device.date.map { "\($0)" })
  }
}

extension StatusReport.Latency {
  /// Nil while no sound flows.
  init?(_ aid: AidSnapshot) {
    guard aid.isSounding, let devices = aid.devices, let chain = aid.chainDelay else { return nil }
    let frames = aid.reading.deviceLatency.map(Double.init)
    self.init(
      loop: frames.flatMap { ($0 / Double(devices.playback.rate) + chain).finite }, chain: chain)
  }
}

extension StatusReport.Realtime {
  init(_ scheduling: Scheduling?) {
    switch scheduling {
    case .realtime(let priority):
      self.init(isGranted: true, policy: "SCHED_FIFO", priority: priority, reason: nil)
    case .ordinary(let reason, _):
      self.init(isGranted: false, policy: "SCHED_OTHER", priority: 0, reason: "\(reason)")
    case nil:
      self.init(
        isGranted: false, policy: "SCHED_OTHER", priority: 0, reason: "there is no audio thread now")
    }
  }
}

extension StatusReport.Memory {
  init(_ lock: MemoryLock) {
    switch lock {
    case .onFault, .everything: self.init(isLocked: true, reason: nil)
    case .refused:
      // The label says already that it is not.
      let words = "\(lock)"
      let label = "memory is not locked: "
      self.init(
        isLocked: false, reason: words.hasPrefix(label) ? String(words.dropFirst(label.count)) : words)
    }
  }
}
