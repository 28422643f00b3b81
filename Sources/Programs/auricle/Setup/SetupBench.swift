import Acoustics
import AudioIO
import Base
import Control
import Engine
import Prescriptions
import Service

/// Outcome of a card that the setup was given.
enum LoadedCard {
  /// It is in force.
  case prescription
  /// A clinic's own card: the clinic is trusted now, and a prescription is still to come.
  case clinic
  /// A prescription that is signed with a key of which the book has no clinic; it was not loaded.
  case ofUnknownClinic

  /// True for a card that names a key of none of these clinics, which is why it is refused.
  ///
  /// - Parameter clinics: All of the book.
  static func isOfUnknownClinic(_ card: String, trusting clinics: [TrustedClinic]) -> Bool {
    if case .unknownKey? = Card.inspect(card, trusting: clinics, at: .now).refusal { true } else { false }
  }
}

/// This machine, as the setup uses it: sound cards, sound, prescriptions, the daemon.
protocol SetupBench {
  /// The sound devices that there are now.
  func devices() -> [DeviceDescription]
  /// Tries to open a device and to set it up.
  ///
  /// - Returns: Why it cannot be used, a sentence; nil: it can.
  func refusal(of device: String, _ direction: StreamDirection, setUp request: StreamRequest) -> String?
  /// Plays test sounds until all have sounded or the person has answered.
  ///
  /// - Returns: The last one that was begun; nil: none. And true when all have sounded.
  func play(
    _ sounds: [TestSound], _ configuration: LoadedConfiguration, until hasAnswer: @escaping () -> Bool
  ) throws(SoundFault) -> (last: TestSound?, isWhole: Bool)
  /// Loads a card, with the questions of `auricle trust add` and `auricle rx scan`.
  ///
  /// - Parameter file: Nil: through the camera.
  func loadCard(_ file: String?) throws -> LoadedCard
  /// True when a prescription of the book is in force.
  func hasPrescription() -> Bool
  /// Measures feedback, with the questions of `auricle fit feedback`.
  ///
  /// - Returns: Greatest part of the prescription's gain that it takes in a band, dB.
  func measureFeedback(configuration file: String) throws -> Double
  /// Reason for which the aid cannot be started at login by itself with a configuration, a sentence; nil: it can.
  func reasonAgainstLogin(configuration file: String) -> String?
  func startAtLogin() throws(Failure)
  /// Starts the aid.
  ///
  /// - Returns: That of `auricle start`: done where sound flows.
  func start(configuration file: String) throws -> ExitStatus
}

/// The machine itself.
struct RealBench: SetupBench {
  func devices() -> [DeviceDescription] { DeviceList.all() }

  func refusal(of device: String, _ direction: StreamDirection, setUp request: StreamRequest) -> String? {
    let cards = SessionCards(capture: device, playback: device)
    defer { withExtendedLifetime(cards) {} }
    return DeviceTrial.refusal(of: device, direction, setUp: request, with: cards)
  }

  func play(
    _ sounds: [TestSound], _ configuration: LoadedConfiguration, until hasAnswer: @escaping () -> Bool
  ) throws(SoundFault) -> (last: TestSound?, isWhole: Bool) {
    var isBrokenOff = false
    do throws(Failure) {
      return try withAid(configuration, of: "test tones") { (aid) throws(FeedbackFault) in
        var last: TestSound?
        do throws(FeedbackFault) {
          let isWhole = try aid.play(sounds, began: { last = $0 }, isCancelled: hasAnswer)
          return (last, isWhole)
        } catch {
          isBrokenOff = error == .dropOuts
          throw error
        }
      }
    } catch {
      throw SoundFault(failure: error, isBrokenOff: isBrokenOff)
    }
  }

  /// Lets an aid open the devices of a configuration, silently, for a procedure.
  ///
  /// - Parameter subject: Of the failures' messages.
  func withAid<Result>(
    _ configuration: LoadedConfiguration, of subject: String,
    _ body: (HearingAid) throws(FeedbackFault) -> Result
  ) throws(Failure) -> Result {
    let settings: AidSettings
    do throws(ConfigurationFailures) { settings = try AidSettings(playing: configuration) } catch {
      throw error.failures.first ?? Failure("configuration", found: "a fault", exit: .configuration)
    }
    let devices = try HeldDevices(of: settings)
    defer { withExtendedLifetime(devices) {} }
    let aid = HearingAid(settings: settings)
    do { try aid.startSilently() } catch { throw Failure(.system("\(error)"), of: subject) }
    defer { aid.stop() }
    do throws(FeedbackFault) { return try body(aid) } catch { throw devices.failure(error, of: subject) }
  }

  func loadCard(_ file: String?) throws -> LoadedCard {
    let place = file.map(CardPlace.init(named:)) ?? .camera
    let given = try GivenCards(place.texts(), in: place.name)
    let source = file.map { [$0] } ?? ["--camera"]
    let trust = try TrustAdd.parse(source)
    for clinic in given.clinics { _ = try trust.answer(to: trust.call(with: clinic)) }
    guard let prescription = given.prescription else { return .clinic }
    let scan = try ScanPrescription.parse(source)
    do { _ = try scan.answer(to: scan.call(with: prescription)) } catch {
      let trusted = try? BookAccess(scan.options.socket).trustedClinics()
      guard let trusted, LoadedCard.isOfUnknownClinic(prescription, trusting: trusted) else { throw error }
      return .ofUnknownClinic
    }
    return .prescription
  }

  func hasPrescription() -> Bool {
    guard let access = try? BookAccess(SocketOption.parse([])) else { return false }
    return (try? access.card(entry: nil)) != nil
  }

  func measureFeedback(configuration file: String) throws -> Double {
    let command = try FitFeedback.parse(["--config", file])
    _ = try command.answer()
    return try command.greatestLoss()
  }

  func reasonAgainstLogin(configuration file: String) -> String? {
    LoginStart.reasonAgainst(configuration: file)
  }

  func startAtLogin() throws(Failure) { try LoginStart.enable() }

  func start(configuration file: String) throws -> ExitStatus {
    try Start.parse(["--config", file]).answer()
  }
}
