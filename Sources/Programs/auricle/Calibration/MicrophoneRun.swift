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
  /// Asked for by options; nil: as in the run that this one goes on with, otherwise the usual.
  private let asked: (frequency: Double?, calibrator: String?, response: FrequencyResponse?)
  /// Reading of a run that is left.
  let file: LeftCalibrationFile
  /// The run that this one goes on with; nil: it is a new one.
  var left: LeftCalibration?

  /// Time of a recording, s; own choice: twice what is needed.
  static let length = 4
  /// Frequency of a calibrator whose own nobody states, Hz (IEC 60942, from memory).
  static let usualFrequency = 1000.0
  /// Name of a calibrator that nobody names.
  static let usualCalibrator = "calibrator"

  /// - Parameters:
  ///   - frequency: Of the calibrator, asked for by an option, as the next two, Hz; nil: not.
  ///   - calibrator: Its model and number.
  ///   - response: It came with the microphone.
  init(
    interview: any Interview, bench: any CalibrationBench, loaded: LoadedConfiguration,
    frequency: Double? = nil, calibrator: String? = nil, response: FrequencyResponse? = nil,
    file: LeftCalibrationFile = LeftCalibrationFile(.microphone)
  ) {
    (self.interview, self.bench, self.loaded) = (interview, bench, loaded)
    asked = (frequency: frequency, calibrator: calibrator, response: response)
    self.file = file
    device = bench.device(of: .microphone, loaded)
  }

  /// Of the calibrator, Hz.
  var frequency: Double {
    asked.frequency ?? left?.microphone.first?.frequency ?? Self.usualFrequency
  }
  /// The calibrator, by its model and number.
  var calibrator: String { asked.calibrator ?? left?.calibrator ?? Self.usualCalibrator }
  /// Response that came with the microphone; nil: none.
  var response: FrequencyResponse? { asked.response ?? left?.response }

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
    let (device, model, asked) = (device, model, asked)
    do throws(Failure) {
      left = try file.offered(to: interview, now: now) { left in
        let level = left.microphone.first.map { NumberText.fixed($0.measured.decibels) } ?? ""
        return "the left microphone, \(level) dB FS"
      } obstacle: { left in
        guard let reading = left.microphone.first else { return "nothing was read" }
        if let other = left.otherDevice(than: device, model) { return other }
        if (asked.calibrator ?? left.calibrator) != left.calibrator
          || (asked.frequency ?? reading.frequency) != reading.frequency
        {
          return "it was with another calibrator"
        }
        if let response = asked.response, response != left.response {
          return left.response == nil
            ? "its microphone had no response" : "its microphone had another response"
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
    var isKept = true
    for (channel, name) in names.enumerated().dropFirst(readings.count) {
      readings.append(try reading(of: channel, name, sound, isOnly: !isTwo, isKept: isKept))
      guard isTwo, readings.count < names.count else { continue }
      var left = LeftCalibration(at: SystemTime.wall, device: device, model: model, examiner: examiner)
      (left.calibrator, left.response, left.microphone) = (calibrator, response, readings)
      do throws(Failure) { try file.write(left) } catch {
        // Nobody goes on with what was declined before this run.
        file.remove()
        isKept = false
        interview.say(LeftCalibration.loss(error))
      }
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

  /// - Parameter isKept: True where the reading before this one, if any, is on the disk.
  private func reading(
    of channel: Int, _ name: String, _ sound: SoundPressureLevel, isOnly: Bool, isKept: Bool
  ) throws(Failure) -> MicrophoneMeasurement.Reading {
    while true {
      _ = try ask(
        "Put the calibrator on the \(name), switch it on, and press Enter.", channel, isKept: isKept)
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

  private func ask(_ question: String, _ done: Int, isKept: Bool = true) throws(Failure) -> String {
    do throws(Failure) { return try interview.ask(question) } catch {
      throw stopped(error, done, isKept: isKept)
    }
  }

  /// Reason for which there is no calibration, and how far it came.
  private func stopped(_ failure: Failure, _ done: Int, isKept: Bool = true) -> Failure {
    guard LeftCalibration.isEnd(failure) else { return failure }
    guard done > 0 else {
      return Failure(
        "calibration", inWords: "It was left after 0 microphones",
        remedy: "Begin again: auricle calibrate microphone", exit: failure.exitStatus)
    }
    let place = "It was left after \(English.count(done, "microphone"))"
    guard isKept else {
      return Failure(
        "calibration", inWords: "\(place); the reading could not be kept",
        remedy: "Begin again: auricle calibrate microphone", exit: failure.exitStatus)
    }
    return Failure(
      "calibration", inWords: "\(place); the reading is kept for a day",
      remedy: "Go on with it: auricle calibrate microphone", exit: failure.exitStatus)
  }
}
