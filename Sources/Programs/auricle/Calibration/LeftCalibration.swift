import Acoustics
import Base
import Control
import Glibc
import Prescriptions
import Service

/// Readings of a calibration that was left in the middle, with all that they hold for.
struct LeftCalibration: Codable, Equatable {
  /// Readings are gone on with for this long, s. Own choice: a day, in which nobody has taken the earphone off its place for good.
  static let longestAge = 86_400.0

  private(set) var schema = 101
  /// Of the last reading, s since 1970-01-01 UTC.
  var at: Double
  /// ALSA's name; nil: the configuration names none.
  let device: String?
  /// Maker, product or the card's own name; nil: nobody tells them.
  let model: String?
  let examiner: String
  /// Of the earphones: model, coupler, and level of the tones.
  var transducer: String?
  var coupler: String?
  var played: FullScaleLevel?
  /// Greatest level that they are made for; nil: not stated.
  var maximum: SoundPressureLevel?
  var earphone: [EarphoneMeasurement.Reading] = []
  var volumes: [VolumeSetting]?
  /// Of the microphones.
  var calibrator: String?
  /// Response that came with them; nil: none.
  var response: FrequencyResponse?
  var microphone: [MicrophoneMeasurement.Reading] = []

  init(at now: Double, device: String?, model: String?, examiner: String) {
    (at, self.device, self.model, self.examiner) = (now, device, model, examiner)
  }

  /// The device it was with, if it was another than this one, as a clause.
  func otherDevice(than name: String?, _ model: String?) -> String? {
    guard device == name else {
      return "it was with another device, \(device ?? "the first that is free")"
    }
    guard self.model == model else {
      return "it was with another model, \(self.model ?? "of which nothing is known")"
    }
    return nil
  }

  /// True for readings that a run can have left, in their order.
  fileprivate var isSound: Bool {
    let steps = played.map(EarphoneRun.steps) ?? []
    let isOrdered =
      earphone.count <= steps.count
      && zip(earphone, steps).allSatisfy {
        $0.ear == $1.ear && $0.frequency == $1.frequency && $0.played == $1.played
      }
    let texts = [examiner, model, transducer, coupler, calibrator].compactMap(\.self)
    let isPossible = maximum.map { CalibrateEarphone.maxima.contains($0.decibels) } ?? true
    return isOrdered && isPossible && microphone.map(\.channel) == Array(0..<microphone.count)
      && at.isFinite && texts.allSatisfy { PrintableText.isPlain($0) && $0.count <= 200 }
  }

  /// True of a question that got no answer: the terminal has gone, or a signal came.
  static func isEnd(_ failure: Failure) -> Bool {
    [.no, .interrupted, .terminated].contains(failure.exitStatus)
  }

  /// A sentence on readings that are not on the disk.
  static func loss(_ failure: Failure) -> String {
    "Readings cannot be kept meanwhile: \(failure.message) The calibration goes on; if it is left before its end, what was not kept is lost."
  }

  /// Day and time of the last reading.
  var moment: String { String(Timestamp(at).text.prefix(16)) }
}

/// The file of such readings, for its owner alone.
struct LeftCalibrationFile {
  private let file: StateFile<LeftCalibration>

  var path: String { file.path }

  /// - Parameter folder: The state folder.
  init(_ end: Configuration.End, folder: String = StandardPaths.current.stateDirectory) {
    // A response has up to ten thousand rows.
    file = StateFile("\(folder)/calibration-\(end.rawValue).json", limit: 1 << 20)
  }

  /// Reads it; nil: there is none, or it is damaged or somebody else's.
  func read() -> LeftCalibration? {
    guard let left = file.trusted(), left.isSound else { return nil }
    return left
  }

  /// - Throws: ``Failure``; the file is then as it was.
  func write(_ left: LeftCalibration) throws(Failure) {
    try StateFolder.prepare(for: path)
    try file.write(left)
  }

  func remove() { unlink(path) }

  /// Readings that the person wants to go on with.
  ///
  /// - Parameters:
  ///   - words: Description, as "5 of 24 tones, er3a in IEC 60318-4".
  ///   - obstacle: Reason for which they do not fit what is measured now, a clause; nil: they do.
  /// - Returns: Nil: it begins anew.
  func offered(
    to interview: any Interview, now: Double, _ words: (LeftCalibration) -> String,
    obstacle: (LeftCalibration) -> String?
  ) throws(Failure) -> LeftCalibration? {
    guard let left = read() else {
      var status = stat()
      if lstat(path, &status) == 0 {
        interview.say(
          "A calibration was left, and its file is damaged or others may change it. It begins anew.")
      }
      return nil
    }
    let what = "\(left.moment), by \(left.examiner): \(words(left))"
    let age = now - left.at
    // Ahead of the clock by more than a correction of it: nobody knows how old it is.
    let obstacle: String? =
      switch age {
      case ..<(-60): "their time is still to come"
      case ...LeftCalibration.longestAge: obstacle(left)
      default: "they are older than a day"
      }
    if let obstacle {
      interview.say("A calibration was left (\(what)). It begins anew, for \(obstacle).")
      return nil
    }
    interview.say("A calibration was left (\(what)).")
    return try interview.confirms("Go on with it?", usual: true) ? left : nil
  }
}
