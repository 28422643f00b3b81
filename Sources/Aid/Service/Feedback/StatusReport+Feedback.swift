import Acoustics
import Engine
import HearingDSP

extension StatusReport.Feedback {
  /// Feedback as it was measured, and how gain and canceller answer it.
  ///
  /// - Parameters:
  ///   - hearing: Settings in force.
  ///   - reading: Of the running aid; nil: none runs.
  ///   - isSounding: True while devices are in use.
  ///   - notes: Further notes for the patient, whole sentences.
  package init(
    _ hearing: HearingSettings, reading: AidReading? = nil, isSounding: Bool = false,
    notes: [String] = []
  ) {
    let delay = hearing.treatment.feedback.loopDelay
    self.init(
      left: Ear(.left, hearing, reading?.meters.left, isSounding),
      right: Ear(.right, hearing, reading?.meters.right, isSounding),
      isCancelling: hearing.treatment.feedback.isCancelling,
      loopDelaySeconds: isSounding && delay > 0 ? delay.finite : nil, notes: notes)
  }
}

extension StatusReport.Feedback.Ear {
  init(_ ear: Acoustics.Ear, _ hearing: HearingSettings, _ meters: EarMeters?, _ isSounding: Bool) {
    let limits = (try? hearing.gainLimits(for: ear)) ?? []
    let path = hearing.feedback.measurements[ear].map { measured in
      StatusReport.Feedback.Path(
        measuredUnixSeconds: measured.moment,
        isTheseDevices: isSounding ? hearing.feedback.isOfTheseDevices[ear] : nil,
        capture: measured.captureName, playback: measured.playbackName, rateHz: measured.rate,
        delaySeconds: measured.delay?.finite,
        bands: limits.map { limit in
          StatusReport.Feedback.Band(
            centreHz: limit.centre, greatestGainDB: limit.limit, heldBackDB: limit.reduction,
            isHeld: limit.isHolding,
            isFeedbackFound: limit.isFound)
        })
    }
    let delay = hearing.feedback.delays[ear].map { measured in
      StatusReport.Feedback.Delay(
        measuredUnixSeconds: measured.moment,
        isTheseDevices: isSounding ? hearing.feedback.isDelayOfTheseDevices[ear] : nil,
        capture: measured.captureName, playback: measured.playbackName, rateHz: measured.rate,
        periodFrames: measured.period, levelDBSPL: measured.level, delaySeconds: measured.delay,
        spreadSeconds: measured.spread, repetitions: measured.repetitions,
        deviceDelaySeconds: measured.deviceDelay,
        presentSeconds: isSounding ? hearing.feedback.measuredDelay(for: ear)?.finite : nil)
    }
    let howls = meters?.howls ?? 0
    self.init(
      path: path, delay: delay, howls: UInt64(clamping: howls),
      lastHowlHz: howls > 0 ? meters.flatMap { Double($0.howlFrequency).finite } : nil,
      howlReliefDB: max(0, meters?.howlRelief.finite ?? 0),
      cancellerResets: UInt64(clamping: meters?.feedbackResets ?? 0))
  }
}
