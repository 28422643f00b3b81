import Acoustics
import Base
import Control
import Engine

/// The way through the microphones of an aid: the calibrator at each, its level recorded and checked.
struct MicrophoneRun {
  let interview: any Interview
  let bench: any CalibrationBench
  let loaded: LoadedConfiguration
  /// Of the calibrator, Hz.
  let frequency: Double

  /// Time of a recording, s; own choice: twice what is needed.
  static let length = 4

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
  func readings(level: Double?) throws(Failure) -> [MicrophoneMeasurement.Reading] {
    let sound = if let level { SoundPressureLevel(level) } else { try askedLevel() }
    let count = try choose("One microphone for both ears, or two? one or two:", ["one", "two"])
    let names = count == "one" ? ["microphone"] : ["left microphone", "right microphone"]
    var readings: [MicrophoneMeasurement.Reading] = []
    for (channel, name) in names.enumerated() {
      readings.append(try reading(of: channel, name, sound, isOnly: names.count == 1))
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
        let recording = try bench.record(seconds: Self.length, loaded)
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
    do throws(Failure) { return try interview.choose(question, words) } catch { throw left(error, 0) }
  }

  private func ask(_ question: String, _ done: Int) throws(Failure) -> String {
    do throws(Failure) { return try interview.ask(question) } catch { throw left(error, done) }
  }

  /// Why there is no calibration, and how far it came.
  private func left(_ failure: Failure, _ done: Int) -> Failure {
    guard failure.exitStatus == .no else { return failure }
    return Failure(
      "calibration",
      inWords: "It was left after \(English.count(done, "microphone")); nothing of it is kept",
      remedy: "Begin again: auricle calibrate microphone", exit: .no)
  }
}
