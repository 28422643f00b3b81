import Acoustics
import AudioIO
import Base
import Control
import Engine
import Prescriptions
import Service

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
  /// - Returns: False for a clinic's own card: it is trusted then, and a prescription is still to come.
  func loadCard(_ file: String?) throws -> Bool
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

  func loadCard(_ file: String?) throws -> Bool {
    guard let file else {
      _ = try ScanPrescription.parse(["--camera"]).answer()
      return true
    }
    let texts = try CardPlace(named: file).texts()
    let clinics = texts.indices.filter { (try? ClinicIdentity(reading: texts[$0], from: file)) != nil }
    for clinic in clinics { _ = try TrustAdd.parse([file, "--code", "\(clinic + 1)"]).answer() }
    guard let prescription = texts.indices.first(where: { !clinics.contains($0) }) else { return false }
    _ = try ScanPrescription.parse([file, "--code", "\(prescription + 1)"]).answer()
    return true
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
