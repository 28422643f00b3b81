import Acoustics
import Base
import Engine

extension FeedbackRecord {
  /// The paths that a test has measured.
  package init(_ results: [(ear: Acoustics.Ear, measurement: FeedbackMeasurement)]) {
    func path(_ ear: Acoustics.Ear) -> FeedbackRecord.Ear? {
      results.last { $0.ear == ear }.map { FeedbackRecord.Ear($0.measurement) }
    }
    self.init(left: path(.left), right: path(.right))
  }

  /// The delays that a test has measured.
  package init(_ results: [(ear: Acoustics.Ear, measurement: LoopDelayMeasurement)]) {
    func delay(_ ear: Acoustics.Ear) -> FeedbackRecord.Delay? {
      results.last { $0.ear == ear }.map { FeedbackRecord.Delay($0.measurement) }
    }
    self.init(leftDelay: delay(.left), rightDelay: delay(.right))
  }

  /// Paths as the aid takes them.
  package var measurements: Binaural<FeedbackMeasurement?> {
    Binaural(left: left.map(FeedbackMeasurement.init), right: right.map(FeedbackMeasurement.init))
  }

  /// Restrictions of paths beside which the other earphone's part is not known, whole sentences.
  package var cautions: [String] {
    let measured = measurements
    let former = Acoustics.Ear.allCases.filter { measured[$0]?.isOwnKnown == false }
    guard former.isEmpty else {
      return [
        "\(former.map(\.rawValue).joined(separator: " and ")): measured by a former version, which did not tell apart what the "
          + "other earphone sends to the same microphone: no gain is granted for the canceller at either ear, and a test without "
          + "\(former.count > 1 ? "one of them" : "that ear") raises no limit. Measure again: auricle fit feedback"
      ]
    }
    let beside = Acoustics.Ear.allCases.filter {
      measured[$0] != nil && measured[$0.opposite]?.isCrossingKnown == false
    }
    return beside.map { ear in
      "\(ear.rawValue): its microphone was driven beyond full scale when the \(ear.opposite.rawValue) ear was measured alone, so "
        + "nobody knows what that earphone sends to it: no gain is granted for the canceller at the \(ear.rawValue) ear, and a "
        + "test of it alone raises no limit. Measure both ears: auricle fit feedback"
    }
  }

  /// Delays as the aid takes them.
  package var delays: Binaural<LoopDelayMeasurement?> {
    Binaural(
      left: leftDelay.map(LoopDelayMeasurement.init), right: rightDelay.map(LoopDelayMeasurement.init))
  }
}

extension FeedbackRecord.Ear {
  /// Rounded to what the measurement knows: 0.01 dB, a thousandth of a sample, and 24 bits.
  init(_ measured: FeedbackMeasurement) {
    self.init(
      measuredUnixSeconds: rounded(measured.moment, 1), capture: measured.captureName,
      playback: measured.playbackName,
      rateHz: measured.rate, levelDBSPL: rounded(measured.level, 100),
      delaySeconds: measured.delay.map { rounded($0, 1e8) },
      deviceDelaySeconds: measured.deviceDelay.map { rounded($0, 1e8) },
      response: measured.response.map { rounded($0, 1e7) },
      frequenciesHz: measured.cells.map { rounded($0.frequency, 100) },
      levelsDB: measured.cells.map { rounded($0.level, 100) },
      noiseDB: measured.cells.map { rounded($0.noise, 100) },
      ownDB: Self.levels(measured.cells.map(\.own)),
      crossingDB: Self.levels(measured.cells.map(\.crossing)))
  }

  /// Nil where one is missing.
  private static func levels(_ levels: [Double?]) -> [Double]? {
    let known = levels.compactMap(\.self)
    return known.count == levels.count ? known.map { rounded($0, 100) } : nil
  }
}

private func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }

extension FeedbackRecord.Delay {
  init(_ measured: LoopDelayMeasurement) {
    self.init(
      measuredUnixSeconds: rounded(measured.moment, 1), capture: measured.captureName,
      playback: measured.playbackName, rateHz: measured.rate, periodFrames: measured.period,
      levelDBSPL: rounded(measured.level, 100), delaySeconds: rounded(measured.delay, 1e8),
      spreadSeconds: rounded(measured.spread, 1e8), repetitions: measured.repetitions,
      deviceDelaySeconds: measured.deviceDelay.map { rounded($0, 1e8) })
  }
}

extension LoopDelayMeasurement {
  init(_ record: FeedbackRecord.Delay) {
    self.init(
      moment: record.measuredUnixSeconds, captureName: record.capture, playbackName: record.playback,
      rate: record.rateHz, period: record.periodFrames, level: record.levelDBSPL,
      delay: record.delaySeconds, spread: record.spreadSeconds, repetitions: record.repetitions,
      deviceDelay: record.deviceDelaySeconds)
  }
}

extension FeedbackMeasurement {
  init(_ record: FeedbackRecord.Ear) {
    self.init(
      moment: record.measuredUnixSeconds, captureName: record.capture, playbackName: record.playback,
      rate: record.rateHz, level: record.levelDBSPL, delay: record.delaySeconds,
      deviceDelay: record.deviceDelaySeconds,
      response: record.response,
      cells: zip(record.frequenciesHz, zip(record.levelsDB, record.noiseDB)).map {
        FeedbackCell(frequency: $0, level: $1.0, noise: $1.1)
      })
    for (index, level) in zip(cells.indices, record.ownDB ?? []) { cells[index].own = level }
    for (index, level) in zip(cells.indices, record.crossingDB ?? []) { cells[index].crossing = level }
  }
}

extension HearingAid {
  /// Measures on the devices of this aid.
  ///
  /// - Parameters: As those of ``measureFeedback(_:at:progress:repeats:isCancelled:)``.
  /// - Throws: ``FeedbackFault``.
  /// - Threads: control; waits for the end.
  package func measure(
    _ kind: FeedbackTestKind, _ ears: [Acoustics.Ear], progress: (Double) -> Void,
    repeats: (FeedbackFault) -> Void, isCancelled: @escaping () -> Bool
  ) throws(FeedbackFault) -> FeedbackRecord {
    let now = SystemTime.wall
    return switch kind {
    case .path:
      FeedbackRecord(
        try measureFeedback(ears, at: now, progress: progress, repeats: repeats, isCancelled: isCancelled))
    case .delay:
      FeedbackRecord(
        try measureLoopDelay(ears, at: now, progress: progress, repeats: repeats, isCancelled: isCancelled))
    }
  }
}

extension Failure {
  /// Reason for which a feedback test, or other sounds that were to be played, came to no end.
  package init(_ fault: FeedbackFault, of subject: String = "feedback test") {
    switch fault {
    case .device: self.init(subject, saying: "\(fault)", exit: .temporary)
    case .system: self.init(subject, saying: "\(fault)", exit: .system)
    case .settings: self.init(subject, saying: "\(fault)", exit: .badData)
    case .cancelled: self.init(subject, saying: "ended before there was a result", exit: .interrupted)
    case .dropOuts, .nothingHeard, .tooNoisy, .moved, .delayMoved, .muted, .stopped:
      self.init(
        subject, found: "\(fault)", expected: fault.expectation, remedy: fault.remedy, exit: .temporary)
    case .microphoneSilent, .microphoneOverloaded:
      self.init(
        subject, found: "\(fault)", expected: fault.expectation, remedy: fault.remedy, exit: .inputOutput)
    case .limitTooLow:
      self.init(
        subject, found: "\(fault)", expected: fault.expectation, remedy: fault.remedy, exit: .configuration)
    }
  }
}
