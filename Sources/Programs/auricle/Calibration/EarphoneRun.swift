import Acoustics
import Base
import Control
import Engine
import Service

/// This machine, as a calibration uses it.
protocol CalibrationBench {
  /// ALSA's name of the device of an end that an aid of a configuration would open now; nil: there is none.
  func device(of end: Configuration.End, _ configuration: LoadedConfiguration) -> String?
  /// Plays sounds until all have sounded or the person has answered.
  ///
  /// - Returns: The last one that was begun; nil: none. And true when all have sounded.
  func play(
    _ sounds: [TestSound], _ configuration: LoadedConfiguration, until hasAnswer: @escaping () -> Bool
  ) throws(SoundFault) -> (last: TestSound?, isWhole: Bool)
  /// Volume controls of the card of a device as they stand; nil: nobody can read any.
  func volumes(of device: String?) -> [VolumeSetting]?
  /// Records the microphones.
  func record(seconds: Int, _ configuration: LoadedConfiguration) throws(Failure) -> MicrophoneRecording
}

/// The way through the tones of a calibration of earphones: each is played, its reading asked for and checked.
///
/// Each reading is on the disk before the next tone, so that a run which was left goes on where it was; where it cannot be kept, the run goes
/// on without.
struct EarphoneRun {
  /// A tone that is to be read.
  struct Step: Equatable {
    let ear: Ear
    /// Hz.
    let frequency: Double
    let played: FullScaleLevel
  }

  let interview: any Interview
  let bench: any CalibrationBench
  let loaded: LoadedConfiguration
  /// ALSA's name of the earphones' device, found once: the levels hold for it, and all tones are played on it; nil: there is none.
  let device: String?
  /// Level of the tones that was asked for.
  let wanted: FullScaleLevel
  /// Readings of a run that is left.
  let file: LeftCalibrationFile
  private(set) var taken: [EarphoneMeasurement.Reading] = []
  /// Number of them that are on the disk.
  private var kept = 0
  /// True once it was said that they cannot be kept.
  private var isLossTold = false
  /// The run that this one goes on with; nil: it is a new one.
  var left: LeftCalibration?

  /// Frequencies in their order, Hz: from the middle upwards, then downwards, as a hearing test goes (ISO 8253-1, from memory).
  static let frequencies = [1000.0, 1500, 2000, 3000, 4000, 6000, 8000, 750, 500, 250, 125]
  /// Longest time of a tone, s; own choice: a meter settles in two, and a person needs some to read and type.
  static let toneLength = 30
  /// Level below which the limit of the aid leaves no tone that a meter reads, dB FS; own choice.
  static let leastLevel = -60.0

  init(
    interview: any Interview, bench: any CalibrationBench, loaded: LoadedConfiguration,
    wanted: FullScaleLevel, file: LeftCalibrationFile = LeftCalibrationFile(.earphone)
  ) {
    (self.interview, self.bench, self.loaded, self.wanted) = (interview, bench, loaded, wanted)
    self.file = file
    device = bench.device(of: .earphone, loaded)
  }

  /// The configuration with the device that was found: one that is plugged in meanwhile is not measured.
  var used: LoadedConfiguration { loaded.with(device, of: .earphone) }
  /// The model that the device is; nil: nobody tells it.
  var model: String? { DeviceIdentity(of: .earphone, used).map { "\($0)" } }

  /// All tones: of each ear each frequency, at the first one a softer tone too.
  static func steps(_ played: FullScaleLevel) -> [Step] {
    [Ear.left, .right].flatMap { ear in
      frequencies.enumerated().flatMap { index, frequency in
        let soft = played - EarphoneMeasurement.linearityStep.distance
        let step = Step(ear: ear, frequency: frequency, played: played)
        return index == 0 ? [step, Step(ear: ear, frequency: frequency, played: soft)] : [step]
      }
    }
  }

  // MARK: - Readings

  /// Plays all tones and asks for their readings.
  ///
  /// - Parameters:
  ///   - transducer: Identifier of the model; nil: another.
  ///   - maximum: Greatest level that the earphones are made for, kept for a run that goes on with this one; nil: not stated.
  mutating func measurement(
    by examiner: String, coupler: String, transducer: String? = nil, maximum: SoundPressureLevel? = nil
  ) throws -> EarphoneMeasurement {
    let played = try left?.played ?? playable(at: wanted)
    let steps = Self.steps(played)
    interview.say(
      "\(steps.count) tones, each until Enter is pressed or for \(Self.toneLength) s. Take the earphones off: a tone may be louder "
        + "than 100 dB SPL, which harms hearing. Set the meter to dB SPL without weighting (Z), slow. Volume controls stay as they "
        + "are now and as they are when the aid is used. Type the reading, or Enter for the same tone again, back for the one before, stop to leave."
    )
    if let device { interview.say("The tones are played on \(device).") }
    // Levels hold for the controls as they stood at the first tone.
    let volumes = left == nil ? bench.volumes(of: device) : left?.volumes
    for setting in volumes ?? [] { interview.say("Volume control \(setting.control): \(setting.place).") }
    taken = left?.earphone ?? []
    kept = taken.count
    var index = taken.count
    var onCoupler: Ear?
    while index < steps.count {
      let step = steps[index]
      // On the way back to the other ear as well.
      if step.ear != onCoupler {
        _ = try ask("Put the \(step.ear.rawValue) earphone on the coupler, then press Enter.")
        onCoupler = step.ear
      }
      if let reading = try reading(step, index + 1, of: steps.count, volumes) {
        taken.append(reading)
        index += 1
      } else if index > 0 {
        taken.removeLast()
        index -= 1
      }
      var left = LeftCalibration(at: SystemTime.wall, device: device, model: model, examiner: examiner)
      (left.transducer, left.coupler, left.played) = (transducer, coupler, played)
      (left.earphone, left.volumes, left.maximum) = (taken, volumes, maximum)
      keep(left)
    }
    let readings = taken
    return try Failure.saying("calibration", exit: .badData) { () throws(AcousticsError) in
      try EarphoneMeasurement(
        readings: readings, examiner: examiner, coupler: coupler, volumes: volumes)
    }
  }

  /// Puts the readings on the disk; that they cannot be kept is said once, and ends nothing.
  private mutating func keep(_ left: LeftCalibration) {
    do throws(Failure) {
      try file.write(left)
      kept = taken.count
    } catch {
      if kept == 0 || kept > taken.count {
        // Nobody goes on with one that was taken back, or with what was declined before this run.
        file.remove()
        kept = 0
      }
      guard !isLossTold else { return }
      isLossTold = true
      interview.say(LeftCalibration.loss(error))
    }
  }

  /// The reading of a tone; nil: the person wants the one before.
  private func reading(
    _ step: Step, _ number: Int, of count: Int, _ volumes: [VolumeSetting]?
  ) throws(Failure) -> EarphoneMeasurement.Reading? {
    var doubted: EarphoneMeasurement.Reading?
    while true {
      let tone =
        "\(step.ear.rawValue) ear, \(step.frequency.shortText) Hz at \(step.played.decibels.readText) dB FS"
      interview.say("Tone \(number) of \(count): \(tone).")
      try play(step)
      switch try ask("dB SPL:") {
      case "": continue
      case "back": return nil
      case "stop": throw stopped()
      case let answer:
        guard let reading = read(answer, step) else { continue }
        if let turned = VolumeSetting.difference(bench.volumes(of: device), from: volumes ?? []) {
          interview.say("Found \(turned). Put it back, and read again.")
          continue
        }
        guard let words = EarphoneMeasurement.contradiction(of: reading, after: taken) else {
          return reading
        }
        if reading == doubted {
          interview.say("Read the same twice, so it is kept. With it the calibration is provisional.")
          return reading
        }
        doubted = reading
        interview.say(
          "Found \(words). Look whether the earphone sits and which range the meter is in, and read it again."
        )
      }
    }
  }

  /// The level that was typed, where it can be one.
  private func read(_ answer: String, _ step: Step) -> EarphoneMeasurement.Reading? {
    guard let level = NumberText.value(of: answer, allowsComma: true) else {
      interview.say("Found \"\(answer)\", expected dB SPL, such as 94.2, or Enter, back or stop.")
      return nil
    }
    do throws(AcousticsError) {
      return try EarphoneMeasurement.Reading(
        ear: step.ear, frequency: step.frequency, played: step.played, read: SoundPressureLevel(level))
    } catch {
      interview.say("Found \(error.reason).")
      return nil
    }
  }

  private func play(_ step: Step) throws(Failure) {
    let sound = TestSound(
      step.ear, level: step.played.decibels, frequency: step.frequency, duration: Self.toneLength)
    while true {
      do throws(SoundFault) {
        _ = try bench.play([sound], used, until: interview.hasAnswer)
        return
      } catch {
        interview.say(error.failure.message)
        _ = try ask("Press Enter to try again.")
      }
    }
  }

  /// The level of the tones: the one asked for, or what the limit of the aid lets through unchanged, since a tone that is limited
  /// would be read as an earphone that is too soft.
  ///
  /// - Parameters:
  ///   - wanted: Level asked for.
  ///   - silently: True: nobody is told that they are softer.
  func playable(at wanted: FullScaleLevel, silently: Bool = false) throws -> FullScaleLevel {
    // As they are played.
    let hearing = try AidSettings(playing: used).hearing
    // The softest level at which the limit acts, and a decibel for rounding.
    let greatest = (try hearing.loudestSine() - 1).rounded(.down)
    guard greatest < wanted.decibels else { return wanted }
    guard greatest >= Self.leastLevel else {
      throw Failure(
        "calibration",
        found: "a limit of \(hearing.outputCeiling.decibels.shortText) dB SPL, which holds tones to "
          + "\(greatest.readText) dB FS", expected: "\(Self.leastLevel.readText) dB FS at least",
        remedy: "Set safety.maximum-output higher while the earphones are on the coupler.",
        exit: .configuration)
    }
    guard !silently else { return FullScaleLevel(greatest) }
    interview.say(
      "The limit of the aid, \(hearing.outputCeiling.decibels.shortText) dB SPL, holds the tones to \(greatest.readText) dB FS: they are "
        + "played at that.")
    return FullScaleLevel(greatest)
  }

  // MARK: - Answers

  func confirms(_ question: String) throws(Failure) -> Bool {
    do throws(Failure) { return try interview.confirms(question) } catch { throw stopped(error) }
  }

  func ask(_ question: String) throws(Failure) -> String {
    do throws(Failure) { return try interview.ask(question) } catch { throw stopped(error) }
  }

  /// Reason for which there is no calibration, and how far it came.
  func stopped(exit status: ExitStatus = .no) -> Failure {
    let count = English.count(taken.count, "reading")
    guard let last = taken.last else {
      return Failure(
        "calibration", inWords: "It was left after \(count)",
        remedy: "Begin again: auricle calibrate earphone",
        exit: status)
    }
    let place = "It was left after \(count), the last of them \(last.place)"
    guard kept > 0 else {
      return Failure(
        "calibration", inWords: "\(place); they could not be kept",
        remedy: "Begin again: auricle calibrate earphone", exit: status)
    }
    let whole = kept == taken.count ? "" : "up to number \(kept) "
    return Failure(
      "calibration", inWords: "\(place); \(whole)they are kept for a day",
      remedy: "Go on with them: auricle calibrate earphone", exit: status)
  }

  /// The same of a question without an answer; any other failure as it is.
  private func stopped(_ failure: Failure) -> Failure {
    LeftCalibration.isEnd(failure) ? stopped(exit: failure.exitStatus) : failure
  }
}
