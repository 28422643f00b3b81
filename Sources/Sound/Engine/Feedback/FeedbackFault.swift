public import Acoustics
import Base

/// Reason for which a feedback test has no result.
public enum FeedbackFault: Error, Equatable, Sendable {
  /// The settings make no sound.
  case settings(FittingFailure)
  /// The device cannot be opened, or was lost; why, without a full stop.
  case device(String)
  /// The system gives no thread, or no sound flows though the device is open.
  case system(String)
  /// Sound broke off again and again.
  case dropOuts
  /// The microphone delivers nothing but zeros.
  case microphoneSilent(Ear)
  /// The microphone is driven beyond full scale, by what was played or by the room.
  case microphoneOverloaded(Ear, level: Double)
  /// The earphone's limit lies so low that nothing can be played.
  case limitTooLow(Ear, limit: Double)
  /// Nothing of the test's sound comes back clear of noise: its level, and that of the noise, dB SPL.
  case nothingHeard(Ear, level: Double, noise: Double)
  /// Noise hides what may come back; where, Hz, and the noise's level, dB SPL.
  case tooNoisy(Ear, frequencies: [Double], level: Double)
  /// The second of two runs read something else than the first, dB.
  case moved(Ear, frequency: Double, difference: Double)
  /// The devices' delay was another one from one run to the next, or from ear to ear: by how much, s.
  case delayMoved(by: Double)
  /// Ended by the person.
  case cancelled
  /// Ended because the aid was muted.
  case muted
  /// Ended because the aid was stopped.
  case stopped
}

extension FeedbackFault: CustomStringConvertible {
  /// Finding, without a full stop.
  public var description: String { words.finding }

  /// Expected finding; nil where there is none to name.
  public var expectation: String? { words.expectation }

  /// Advice; nil where there is none.
  public var remedy: String? { words.remedy }

  private typealias Words = (finding: String, expectation: String?, remedy: String?)

  private var words: Words {
    func words(_ finding: String, _ expectation: String? = nil, _ remedy: String? = nil) -> Words {
      (finding, expectation, remedy)
    }
    return switch self {
    case .settings(let failure): words("\(failure)")
    case .device(let reason), .system(let reason): words(reason)
    case .dropOuts:
      words(
        "that the sound broke off in every attempt", "some seconds without a gap",
        "Look whether the device is still there: auricle devices; and at auricle doctor. A longer period helps, of 1024 frames at most: auricle config set device.period=256"
      )
    case .microphoneSilent(let ear):
      words(
        "nothing but zeros from the \(ear.rawValue) microphone", "at least its own noise",
        "Unmute it, and look whether it is the right device: auricle devices.")
    case .microphoneOverloaded(let ear, let level):
      words(
        "the \(ear.rawValue) microphone driven beyond full scale with \(level.shortText) dB SPL in the ear",
        "room above what comes back",
        "Turn the microphone's gain down in the mixer, and keep the earpiece away from it.")
    case .limitTooLow(let ear, let limit):
      words(
        "an output limit of \(limit.shortText) dB SPL at the \(ear.rawValue) ear",
        "one that lets a test of 50 dB SPL through",
        "Raise safety.maximum-output, or measure without the card.")
    case .nothingHeard(let ear, let level, let noise) where noise > level:
      words(
        "noise of \(noise.rounded().shortText) dB SPL at the \(ear.rawValue) microphone, which hides a test of "
          + "\(level.rounded().shortText) dB SPL",
        "the test's sound, clear of noise", "Measure in a quieter room, or through a cable.")
    case .nothingHeard(let ear, let level, _):
      words(
        "that nothing of \(level.rounded().shortText) dB SPL comes back clearly at the \(ear.rawValue) microphone",
        "the test's sound, through a cable or the air",
        "Join output and input by a cable, or bring the earpiece to its microphone; look whether the microphone is muted or the"
          + " wrong device: auricle devices.")
    case .tooNoisy(let ear, let frequencies, let level):
      words(
        "noise of \(level.rounded().shortText) dB SPL at the \(ear.rawValue) microphone, which hides feedback at "
          + frequencies.map(\.shortText).joined(separator: ", ") + " Hz",
        "a room in which the test can be heard", "Measure in a quieter room.")
    case .moved(let ear, let frequency, let difference):
      words(
        "that the \(ear.rawValue) earpiece moved: \(difference.rounded().shortText) dB between two runs at "
          + "\(frequency.rounded().shortText) Hz",
        "\(FeedbackTest.greatestDifference.shortText) dB at most", "Let it sit still, and measure again.")
    case .delayMoved(let change):
      words(
        "that the devices' own delay moved by \((change * 1e4).rounded() / 10) ms during the test",
        "the same delay throughout",
        "Measure again; if it comes again, a longer period, or leave the device to this aid alone.")
    case .cancelled: words("that it was ended")
    case .muted: words("that the aid was muted meanwhile")
    case .stopped: words("that the aid was stopped meanwhile")
    }
  }
}
