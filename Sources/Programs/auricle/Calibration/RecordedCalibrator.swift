import Acoustics
import AudioIO
import Base

/// Recordings of a calibrator in files.
struct RecordedCalibrator {
  let files: [String]
  let level: SoundPressureLevel
  /// Hz.
  let frequency: Double

  /// Longest part of a file that is looked at, s; own choice.
  private static let longest = 60

  /// A reading for each channel: of one file all its own, of two files one each.
  func readings() throws(Failure) -> [MicrophoneMeasurement.Reading] {
    guard (1...2).contains(files.count) else {
      throw Failure(
        "--recording", found: "\(files.count) files", expected: "one, or left and right", exit: .usage)
    }
    var readings: [MicrophoneMeasurement.Reading] = []
    for (index, file) in files.enumerated() {
      let (sound, rate) = try Self.sound(of: file)
      let channels = sound.left == sound.right ? [sound.left] : [sound.left, sound.right]
      // Of two files with two channels each the microphone's own.
      let used = files.count == 1 ? channels : [channels.count == 1 ? channels[0] : channels[index]]
      for samples in used {
        readings.append(try reading(of: samples, rate, channel: readings.count, file))
      }
    }
    return readings
  }

  private func reading(
    of samples: [Float], _ rate: Int, channel: Int, _ file: String
  ) throws(Failure) -> MicrophoneMeasurement.Reading {
    do throws(AcousticsError) {
      let tone = try CalibratorTone(in: samples, rate: Double(rate), frequency: frequency)
      return try MicrophoneMeasurement.Reading(
        channel: channel, frequency: frequency, sound: level, measured: tone.level.rounded)
    } catch { throw Failure("\(file), channel \(channel)", saying: error.reason, exit: .badData) }
  }

  private static func sound(of file: String) throws(Failure) -> (Binaural<[Float]>, rate: Int) {
    do throws(SoundFileError) {
      var reader = try SoundFileReader(path: file, anyRate: true)
      let rate = reader.rate
      var (left, right): ([Float], [Float]) = ([], [])
      var leftChunk = [Float](repeating: 0, count: rate)
      var rightChunk = leftChunk
      for _ in 0..<longest {
        var leftSpan = leftChunk.mutableSpan
        var rightSpan = rightChunk.mutableSpan
        let got = try reader.read(left: &leftSpan, right: &rightSpan)
        guard got > 0 else { break }
        left += leftChunk[..<got]
        right += rightChunk[..<got]
      }
      return (Binaural(left: left, right: right), rate)
    } catch { throw RenderingFailures.sound(error) }
  }
}

extension FullScaleLevel {
  /// The level as it is kept: hundredths of a decibel, finer than any calibrator.
  var rounded: FullScaleLevel { FullScaleLevel((decibels * 100).rounded() / 100) }
}
