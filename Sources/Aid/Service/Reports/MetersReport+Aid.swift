import Acoustics
import Control
import Engine
import HearingDSP

extension MetersReport {
  init(_ aid: AidSnapshot) {
    let reading = aid.reading
    let counters = reading.counters
    self.init(
      left: Ear(.left, aid), right: Ear(.right, aid),
      // Of sound that has ended there is no load now.
      load: aid.isSounding
        ? Load(
          median: reading.load.percentile(0.5).finite ?? 0,
          percentile99: reading.load.percentile(0.99).finite ?? 0,
          maximum: reading.load.greatest.finite ?? 0)
        : Load(median: 0, percentile99: 0, maximum: 0),
      xruns: Xruns(
        capture: UInt64(clamping: counters.overruns), playback: UInt64(clamping: counters.underruns),
        lost: counters.lostTime.finite ?? 0, lastCause: reading.lastFault.map { "\($0)" },
        reopens: UInt64(clamping: aid.opens - 1)))
  }
}

extension MetersReport.Ear {
  init(_ ear: Ear, _ aid: AidSnapshot) {
    let hearing = aid.hearing
    let chain = aid.reading.meters
    let meters = ear == .left ? chain.left : chain.right
    let counters = aid.reading.counters
    let clipped =
      ear == .left ? counters.clippedSamples - counters.clippedRightSamples : counters.clippedRightSamples
    let isHeard = aid.isSounding && chain.frames > 0
    let centres = hearing.bands.centres.prefix(isHeard ? Int(chain.bandCount) : 0)
    let full = (try? hearing.microphones.sensitivity(channel: ear == .left ? 0 : 1))?.nominalLevel
    self.init(
      inputLevel: isHeard ? Self.audible(meters.inputLevel, full: full?.decibels) : nil,
      inputCalibration: hearing.microphones.device.status,
      // The meter falls slowly after the sound has ended; silence is known at once.
      outputLevel: isHeard && !aid.reading.isSilent
        ? Self.audible(meters.outputLevel, full: hearing.earphones.sensitivity[ear].nominalLevel.decibels)
        : nil,
      outputCalibration: hearing.earphones.device.status,
      bands: centres.enumerated().map {
        MetersReport.Band(centre: $0.element, gain: Double(meters.insertionGain[$0.offset]).finite)
      },
      limiter: MetersReport.Limiter(
        activeShare: chain.frames > 0 ? Double(meters.limitedFrames) / Double(chain.frames) : 0,
        reduction: isHeard ? max(meters.outputLimiting, Double(meters.bandLimiting)).finite ?? 0 : 0),
      clipping: MetersReport.Clipping(
        input: UInt64(clamping: meters.clippedInput), output: UInt64(clamping: clipped)),
      nonFiniteSamples: UInt64(clamping: meters.nonFinite))
  }

  /// A level, unless it lies so far below full scale that a 24-bit converter cannot have made it: then it is
  /// the digits' silence. 144 dB = 24 bits of 6.02 dB.
  private static func audible(_ level: Double, full: Double?) -> Double? {
    level > (full ?? 0) - 144 ? level.finite : nil
  }
}
