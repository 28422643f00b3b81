import Acoustics
import HearingDSP

/// Levels, gains, load and mishaps. What is counted since the start goes on where a device was lost and came back; on other devices it begins
/// anew, as with each start.
package struct MetersReport: Sendable, Codable, Equatable {
  package private(set) var left: Ear
  package private(set) var right: Ear
  package let load: Load
  package let xruns: Xruns

  /// One ear.
  package struct Ear: Sendable, Codable, Equatable {
    /// Level at the microphone, dB SPL; nil in silence, and while it is not measured: before the sound, during a test.
    package let inputLevelDBSPL: Double?
    /// Calibration of ``inputLevelDBSPL``.
    package let inputCalibration: CalibrationStatus
    /// Level in the ear at most, dB SPL: the whole sound counts with the sensitivity where the earphone is most sensitive. With a measured
    /// response it may lie as far below that as the response does. Nil in silence, and while it is not measured.
    package fileprivate(set) var outputLevelDBSPL: Double?
    /// Calibration of ``outputLevelDBSPL``.
    package let outputCalibration: CalibrationStatus
    /// Gain now, by band; none for those who have no role.
    package fileprivate(set) var bands: [Band]
    package fileprivate(set) var limiter: Limiter
    package fileprivate(set) var clipping: Clipping
    /// Hops of input, short blocks, with samples that were infinite or not a number, since the start: each
    /// counts once, however many samples. The key in JSON stays as it is.
    package let nonFiniteSamples: UInt64
  }

  /// One band's gain.
  package struct Band: Sendable, Codable, Hashable {
    /// Hz.
    package let centreHz: Double
    /// dB; nil when the band is shut.
    package let gainDB: Double?
  }

  /// The output limiter of one ear; nothing of it for those who have no role.
  package struct Limiter: Sendable, Codable, Hashable {
    /// Share of the time in which it worked since the start, 0...1.
    package let activeShare: Double?
    /// Its reduction now, dB.
    package let reductionDB: Double?
  }

  /// Samples at full scale of one ear, since the start.
  package struct Clipping: Sendable, Codable, Hashable {
    package let inputSamples: UInt64
    /// Nil for those who have no role.
    package let outputSamples: UInt64?
  }

  /// Work as a share of the period, 0...1 and more.
  package struct Load: Sendable, Codable, Hashable {
    package let medianShare: Double
    package let percentile99Share: Double
    package let maximumShare: Double
  }

  /// Periods that were missed, since the start.
  package struct Xruns: Sendable, Codable, Hashable {
    /// Overruns: sound of the microphone that was lost.
    package let capture: UInt64
    /// Underruns: the earphones ran dry.
    package let playback: UInt64
    /// Time of sound lost in all, s.
    package let lostSeconds: Double
    /// Cause of the last one, `playback underrun`.
    package let lastCause: String?
    /// Times that the devices were closed and opened again.
    package let deviceReopens: UInt64
  }
}

extension MetersReport {
  init(_ aid: AidSnapshot) {
    let reading = aid.reading
    let counters = reading.counters
    // A procedure has one too; of devices that are closed there is no load now.
    func share(_ load: Double) -> Double { aid.devices != nil ? load.finite ?? 0 : 0 }
    self.init(
      left: Ear(.left, aid), right: Ear(.right, aid),
      load: Load(
        medianShare: share(reading.load.percentile(0.5)),
        percentile99Share: share(reading.load.percentile(0.99)), maximumShare: share(reading.load.greatest)),
      xruns: Xruns(
        capture: UInt64(clamping: counters.overruns), playback: UInt64(clamping: counters.underruns),
        lostSeconds: counters.lostTime.finite ?? 0, lastCause: reading.lastFault.map { "\($0)" },
        deviceReopens: UInt64(clamping: aid.opens - 1)))
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
      inputLevelDBSPL: isHeard ? Self.audible(meters.inputLevel, full: full?.decibels) : nil,
      inputCalibration: hearing.microphones.device.status,
      // The meter falls slowly after the sound has ended; silence is known at once.
      outputLevelDBSPL: isHeard && !aid.reading.isSilent
        ? Self.audible(meters.outputLevel, full: hearing.earphones.sensitivity[ear].nominalLevel.decibels)
        : nil, outputCalibration: hearing.outputLevelStatus,
      bands: centres.enumerated().map {
        MetersReport.Band(centreHz: $0.element, gainDB: Double(meters.insertionGain[$0.offset]).finite)
      },
      limiter: MetersReport.Limiter(
        activeShare: chain.frames > 0 ? Double(meters.limitedFrames) / Double(chain.frames) : 0,
        reductionDB: isHeard ? max(meters.outputLimiting, Double(meters.bandLimiting)).finite ?? 0 : 0),
      clipping: MetersReport.Clipping(
        inputSamples: UInt64(clamping: meters.clippedInput), outputSamples: UInt64(clamping: clipped)),
      nonFiniteSamples: UInt64(clamping: meters.nonFinite))
  }

  /// A level, unless it lies so far below full scale that a 24-bit converter cannot have made it: then it is
  /// the digits' silence. 144 dB = 24 bits of 6.02 dB.
  private static func audible(_ level: Double, full: Double?) -> Double? {
    level > (full ?? 0) - 144 ? level.finite : nil
  }
}

extension MetersReport {
  /// The same without gains, by which a hearing loss can be told, and without what follows from them beside the level at the microphone,
  /// which stays: the level in the ear, the limiter's work, and clipping at the output.
  var withoutHearing: MetersReport {
    var report = self
    (report.left, report.right) = (left.withoutHearing, right.withoutHearing)
    return report
  }
}

extension MetersReport.Ear {
  fileprivate var withoutHearing: MetersReport.Ear {
    var ear = self
    (ear.bands, ear.outputLevelDBSPL) = ([], nil)
    ear.limiter = MetersReport.Limiter(activeShare: nil, reductionDB: nil)
    ear.clipping = MetersReport.Clipping(inputSamples: clipping.inputSamples, outputSamples: nil)
    return ear
  }
}
