import Acoustics
import Base
import Control
import Engine
import FoundationEssentials

/// Answer to `sound.watch`.
package struct SoundLeave: Sendable, Codable, Hashable {
  package let scale: SoundScale
  /// Time until the leave ends, s.
  package let expiresInSeconds: Double
}

/// Levels that full scale of the sound stands for: that of a sine whose peaks are ± 1.
package struct SoundScale: Sendable, Codable, Hashable {
  package struct Ear: Sendable, Codable, Hashable {
    /// At the microphone, at 1 kHz.
    package let inputDBSPL: Double
    /// The same at each of ``SoundScale/bandsHz``; nil: from a daemon before this, by which ``inputDBSPL`` holds at each.
    package var inputBandsDBSPL: [Double]?
    /// In the ear, at each of ``SoundScale/bandsHz``.
    package let outputDBSPL: [Double]
  }

  package let bandsHz: [Double]
  package let left: Ear
  package let right: Ear
  package let inputCalibration: CalibrationStatus
  package let outputCalibration: CalibrationStatus

  /// - Returns: Nil for settings that cannot be played.
  init?(_ hearing: HearingSettings) {
    func ear(_ ear: Acoustics.Ear) -> Ear? {
      (try? hearing.fitting(for: ear)).map { fitting in
        Ear(
          inputDBSPL: fitting.inputAtFullScale.decibels,
          inputBandsDBSPL: hearing.bands.centres.indices.map {
            fitting.inputAtFullScale(inBand: $0).decibels
          },
          outputDBSPL: fitting.outputAtFullScale.map(\.decibels))
      }
    }
    guard let left = ear(.left), let right = ear(.right) else { return nil }
    (bandsHz, self.left, self.right) = (hearing.bands.centres, left, right)
    inputCalibration = hearing.microphones.device.status
    outputCalibration = hearing.outputLevelStatus
  }
}

/// Everything that a ``SoundScale`` follows from.
struct SoundScaleSource: Sendable, Equatable {
  private let microphones: InputCalibration
  private let earphones: OutputCalibration
  private let bands: BandLayout

  init(_ hearing: HearingSettings) {
    (microphones, earphones, bands) = (hearing.microphones, hearing.earphones, hearing.bands)
  }
}

/// Notification of sound, or of its end.
package struct SoundNotice: Sendable, Codable, Equatable {
  /// Topic of the notifications.
  package static let topic = "sound"

  /// Number of the first frame since the recording began: what is missing before it was lost on its way.
  package var position = 0
  /// Time of the first frame, as a spectrum's `time_seconds`.
  package var timeSeconds = 0.0
  package var rateHz = 0.0
  /// Four 32-bit floats a frame, lowest byte first: left and right input, left and right output.
  package var samplesBase64: String?
  /// Reason for the end, a clause; nil: it goes on.
  package var ended: String?

  /// Samples in their order; nil for text that is not in this form.
  package var samples: [SIMD4<Float>]? {
    guard let data = samplesBase64.flatMap({ Data(base64Encoded: $0) }), data.count % 16 == 0 else {
      return nil
    }
    return data.withUnsafeBytes { bytes in
      (0..<data.count / 16).map { frame in
        var sample = SIMD4<Float>()
        for channel in 0..<4 {
          let bits = bytes.loadUnaligned(fromByteOffset: 16 * frame + 4 * channel, as: UInt32.self)
          sample[channel] = Float(bitPattern: UInt32(littleEndian: bits))
        }
        return sample
      }
    }
  }

  /// - Parameter samples: At most a few thousand, so that the line stays short.
  init(_ samples: ArraySlice<SIMD4<Float>>, position: Int, time: Double, rate: Double) {
    (self.position, timeSeconds, rateHz) = (position, time, rate)
    var data = Data(capacity: 16 * samples.count)
    for sample in samples {
      for channel in 0..<4 {
        withUnsafeBytes(of: sample[channel].bitPattern.littleEndian) { data.append(contentsOf: $0) }
      }
    }
    samplesBase64 = data.base64EncodedString()
  }

  /// The last one.
  init(ended: String) { self.ended = ended }
}

/// Sound on its way to the one connection that may have it.
struct SoundFeed {
  /// Frames in a notification: 44 kB of text.
  private static let most = 2048

  let recorder: Peer
  /// Frames so far, with those that were lost.
  private var position = 0

  init(_ recorder: Peer) { self.recorder = recorder }

  /// Notifications of stretches of sound, in their order.
  mutating func notices(_ stretches: [WatchedSound]) -> [SoundNotice] {
    var notices: [SoundNotice] = []
    for stretch in stretches {
      let parts = [0..<stretch.lostAt, stretch.lostAt..<stretch.samples.count]
      for (index, part) in parts.enumerated() {
        if index == 1 { position += stretch.lost }
        for start in stride(from: part.lowerBound, to: part.upperBound, by: Self.most) {
          let samples = stretch.samples[start..<min(start + Self.most, part.upperBound)]
          let rest = stretch.samples.count - start + (index == 0 ? stretch.lost : 0)
          let time = stretch.end - Double(rest) / stretch.sampleRate
          notices.append(
            SoundNotice(samples, position: position, time: time, rate: stretch.sampleRate))
          position += samples.count
        }
      }
    }
    return notices
  }
}
