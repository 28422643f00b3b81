import Acoustics
import Base
import Control
import Engine
import Service

/// The way through the microphones of an aid: the calibrator at each, its level recorded and checked.
struct MicrophoneRun {
  let interview: any Interview
  let bench: any CalibrationBench
  let loaded: LoadedConfiguration
  /// ALSA's name of the microphones' device, found once, as that of the earphones; nil: there is none.
  let device: String?
  /// Of the calibrator, Hz.
  let frequency: Double
  /// The calibrator, by its model and number.
  let calibrator: String
  /// Reading of a run that is left.
  let file: LeftCalibrationFile
  /// The run that this one goes on with; nil: it is a new one.
  var left: LeftCalibration?

  /// Time of a recording, s; own choice: twice what is needed.
  static let length = 4

  init(
    interview: any Interview, bench: any CalibrationBench, loaded: LoadedConfiguration, frequency: Double,
    calibrator: String = "calibrator", file: LeftCalibrationFile = LeftCalibrationFile(.microphone)
  ) {
    (self.interview, self.bench, self.loaded) = (interview, bench, loaded)
    (self.frequency, self.calibrator, self.file) = (frequency, calibrator, file)
    device = bench.device(of: .microphone, loaded)
  }

  /// The configuration with the device that was found.
  var used: LoadedConfiguration { loaded.with(device, of: .microphone) }
  /// The model that the device is; nil: nobody tells it.
  private var model: String? { DeviceIdentity(of: .microphone, used).map { "\($0)" } }

  /// Offers to go on with the left microphone's reading of a run that was left, by the same device and calibrator.
  ///
  /// - Parameters:
  ///   - level: Of the calibrator, asked for by an option, dB SPL; nil: not.
  ///   - examiner: Person who measures, by an option.
  mutating func offerToGoOn(
    level: Double?, examiner: String?, now: Double = SystemTime.wall
  ) throws(Failure) {
    let (device, model, frequency, calibrator) = (device, model, frequency, calibrator)
    do throws(Failure) {
      left = try file.offered(to: interview, now: now) { left in
        let level = left.microphone.first.map { NumberText.fixed($0.measured.decibels) } ?? ""
        return "the left microphone, \(level) dB FS"
      } obstacle: { left in
        guard let reading = left.microphone.first else { return "nothing was read" }
        if let other = left.otherDevice(than: device, model) { return other }
        if left.calibrator != calibrator || reading.frequency != frequency {
          return "it was with another calibrator"
        }
        if let level, SoundPressureLevel(level) != reading.sound {
          return "its calibrator had another level"
        }
        if let examiner, examiner != left.examiner { return "it was by another person" }
        return nil
      }
    } catch { throw stopped(error, left?.microphone.count ?? 0) }
  }

  /// The person who measures.
  func examiner() throws(Failure) -> String {
    while true {
      let answer = try ask("Who measures? Your name:", 0)
      do throws(Failure) { return try CalibrationKeeping.plain(answer, "name") } catch {
        interview.say(error.message)
      }
    }
  }

  /// A reading for each microphone.
  func readings(level: Double?, by examiner: String) throws(Failure) -> [MicrophoneMeasurement.Reading] {
    var readings = left?.microphone ?? []
    let given = readings.first?.sound ?? level.map { SoundPressureLevel($0) }
    let sound = if let given { given } else { try askedLevel() }
    // One that was left has a left microphone, and a right one is still to come.
    let isTwo =
      if readings.isEmpty {
        try choose("One microphone for both ears, or two? one or two:", ["one", "two"]) == "two"
      } else {
        true
      }
    let names = isTwo ? ["left microphone", "right microphone"] : ["microphone"]
    for (channel, name) in names.enumerated().dropFirst(readings.count) {
      readings.append(try reading(of: channel, name, sound, isOnly: !isTwo))
      guard isTwo, readings.count < names.count else { continue }
      var left = LeftCalibration(at: SystemTime.wall, device: device, model: model, examiner: examiner)
      (left.calibrator, left.microphone) = (calibrator, readings)
      try file.write(left)
    }
    return readings
  }

  private func askedLevel() throws(Failure) -> SoundPressureLevel {
    while true {
      let answer = try ask("Level of the calibrator, dB SPL:", 0)
      let level = NumberText.value(of: answer, allowsComma: true).map { SoundPressureLevel($0) }
      if let level, MicrophoneMeasurement.calibrators.contains(level) { return level }
      interview.say("Found \"\(answer)\", expected 70 to 130 dB SPL, such as 94 or 114.")
    }
  }

  private func reading(
    of channel: Int, _ name: String, _ sound: SoundPressureLevel, isOnly: Bool
  ) throws(Failure) -> MicrophoneMeasurement.Reading {
    while true {
      _ = try ask("Put the calibrator on the \(name), switch it on, and press Enter.", channel)
      do throws(Failure) {
        let recording = try bench.record(seconds: Self.length, used)
        if !isOnly, recording.channels < 2 {
          throw Failure(
            "recording", found: "one channel", expected: "two, for two microphones", exit: .badData)
        }
        let samples = channel == 0 ? recording.sound.left : recording.sound.right
        let reading = try Failure.saying("recording", exit: .badData) { () throws(AcousticsError) in
          let tone = try CalibratorTone(in: samples, rate: recording.rate, frequency: frequency)
          return try MicrophoneMeasurement.Reading(
            channel: channel, frequency: frequency, sound: sound, measured: tone.level.rounded)
        }
        interview.say("\(NumberText.fixed(reading.measured.decibels)) dB FS.")
        return reading
      } catch { interview.say(error.message) }
    }
  }

  private func choose(_ question: String, _ words: [String]) throws(Failure) -> String {
    do throws(Failure) { return try interview.choose(question, words) } catch { throw stopped(error, 0) }
  }

  private func ask(_ question: String, _ done: Int) throws(Failure) -> String {
    do throws(Failure) { return try interview.ask(question) } catch { throw stopped(error, done) }
  }

  /// Reason for which there is no calibration, and how far it came.
  private func stopped(_ failure: Failure, _ done: Int) -> Failure {
    guard LeftCalibration.isEnd(failure) else { return failure }
    guard done > 0 else {
      return Failure(
        "calibration", inWords: "It was left after 0 microphones",
        remedy: "Begin again: auricle calibrate microphone", exit: failure.exitStatus)
    }
    return Failure(
      "calibration",
      inWords: "It was left after \(English.count(done, "microphone")); the reading is kept for a day",
      remedy: "Go on with it: auricle calibrate microphone", exit: failure.exitStatus)
  }
}
