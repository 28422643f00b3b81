import Acoustics
import AudioIO
import Base
import Control
import Engine

@testable import AuricleCommands

/// A person who answers each question by a word in it, and notes what was asked.
final class ScriptedPerson: Interview {
  /// Left the setup.
  struct Left: Error {}

  /// Answers in their order, each to the question that has this in it.
  private var answers: [(question: String, answer: String)]
  private(set) var questions: [String] = []
  private(set) var heard: [String] = []
  /// Done when a question has this in it, once.
  var meanwhile: (question: String, act: () -> Void)?
  /// Tells whether Enter was pressed while a sound is on.
  var presses: () -> Bool = { false }

  init(_ answers: [(String, String)]) { self.answers = answers }

  func say(_ text: String) { heard.append(text) }

  func ask(_ question: String) throws(Failure) -> String {
    questions.append(question)
    if let meanwhile, question.contains(meanwhile.question) {
      self.meanwhile = nil
      meanwhile.act()
    }
    guard let next = answers.first,
      next.question.isEmpty ? question.isEmpty : question.contains(next.question)
    else {
      throw Failure("setup", found: "\(question) after \(heard.suffix(3))", exit: .no)
    }
    answers.removeFirst()
    return next.answer
  }

  func hasAnswer() -> Bool { presses() }

  /// Answers that nobody asked for.
  var rest: [String] { answers.map(\.question) }
}

/// A machine of which everything is told by the test; it notes what was played and begun.
final class FakeBench: SetupBench {
  var cards = [FakeBench.card("hw:CARD=Headset,DEV=0")]
  var refusals: [String: String] = [:]
  /// Rates of a device, Hz; of one that is not listed: all.
  var rates: [String: [Int]] = [:]
  var hasCard = false
  var loginProblem: String? = "there is no systemd."
  var cardFault: Failure?
  /// The next card is of a clinic that is not trusted yet.
  var isNextUnknown = false
  private(set) var played: [(sound: TestSound, ceiling: Double)] = []
  private(set) var loaded: [String?] = []
  private(set) var begun: [String] = []
  /// Stops the sound at this many sounds since the last question; nil: never.
  var stopsAfter: Int? = 15
  /// With a shorter period the sound breaks off, frames.
  var leastPeriod = 0
  /// The first time nothing sounds before the person has pressed.
  var startsLate = false
  /// The first time the person presses during the first sound.
  var isFirstTooLoud = false

  static func card(
    _ name: String, _ title: String = "Headset", _ directions: [StreamDirection] = [.capture, .playback]
  )
    -> DeviceDescription
  {
    var device = DeviceDescription(name: name, title: title)
    device.card = name
    device.directions = directions
    return device
  }

  func devices() -> [DeviceDescription] { cards }
  func refusal(of device: String, _ direction: StreamDirection, setUp request: StreamRequest) -> String? {
    if let refusal = refusals.removeValue(forKey: device) { return refusal }
    guard let rates = rates[device], !rates.contains(request.rate) else { return nil }
    return "\(device) does not run at \(request.rate) Hz: it offers \(rates.map(String.init).joined()) Hz"
  }
  func play(
    _ sounds: [TestSound], _ configuration: LoadedConfiguration, until hasAnswer: @escaping () -> Bool
  ) throws(SoundFault) -> (last: TestSound?, isWhole: Bool) {
    if configuration.configuration.device.period < leastPeriod {
      throw SoundFault(failure: Failure(.dropOuts, of: "test tones"), isBrokenOff: true)
    }
    if startsLate {
      startsLate = false
      return (nil, false)
    }
    if isFirstTooLoud, let first = sounds.first {
      isFirstTooLoud = false
      played.append((first, configuration.configuration.safety.maximumOutput))
      return (first, false)
    }
    let ceiling = configuration.configuration.safety.maximumOutput
    // A level check begins at −70 dB and has many sounds.
    let isCheck = sounds.count > 3 && sounds[0].level == -70
    let count = isCheck ? min(sounds.count, stopsAfter ?? .max) : sounds.count
    played += sounds.prefix(count).map { ($0, ceiling) }
    return (sounds.prefix(count).last, isCheck ? (stopsAfter ?? .max) > sounds.count : true)
  }
  /// Its camera sees a clinic's own card.
  var seesClinic = false
  func loadCard(_ file: String?) throws -> LoadedCard {
    loaded.append(file)
    if let cardFault {
      self.cardFault = nil
      throw cardFault
    }
    if isNextUnknown {
      isNextUnknown = false
      return .ofUnknownClinic
    }
    hasCard = file != "clinic.png" && !(file == nil && seesClinic)
    return hasCard ? .prescription : .clinic
  }
  func hasPrescription() -> Bool { hasCard }
  /// Gain that the next measurements take, dB.
  var losses: [Double] = []
  func measureFeedback(configuration file: String) throws -> Double {
    begun.append("feedback")
    return losses.isEmpty ? 0 : losses.removeFirst()
  }
  func reasonAgainstLogin(configuration file: String) -> String? { loginProblem }
  func startAtLogin() throws(Failure) { begun.append("login") }
  /// Status of the start.
  var startStatus = ExitStatus.done
  func start(configuration file: String) throws -> ExitStatus {
    begun.append("start")
    return startStatus
  }
}
