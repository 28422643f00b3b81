import AudioIO
import Base
import Book
import Control
import Engine
import Glibc
import HearingDSP
import Prescriptions

/// The daemon's files: book, configuration, and everything kept between runs.
///
/// - Threads: one, which waits for the disk; the main thread before that one exists.
final class ServiceDisk {
  let store: PrescriptionStore
  /// File of FFTW's plans; nil: there is no folder for it.
  let wisdomPath: String?
  /// Nil: nothing is kept between runs.
  let stateFolder: String?
  private let programs: ProgramFile?
  private let feedback: FeedbackFile?
  private let keptConfiguration: KeptConfiguration?
  /// A mute and a stop that outlast a crash; the main thread keeps them, for silence waits for no disk.
  private let keptSilences: [KeptSilence]
  /// Folder of the locks on playback devices; nil: other daemons are not looked for.
  private let claimFolder: String?
  private let search: ConfigurationSearch?
  private let load: () -> Result<LoadedConfiguration, ConfigurationFailures>
  /// Fault of the state folder, for the log; nil: nothing.
  private let problem: String?

  /// Makes the state folder where there is none.
  ///
  /// - Parameters:
  ///   - folder: The state folder; nil: nothing is kept between runs.
  ///   - search: Knows whether the file in force is gone where another one is found; nil, by default: that is not asked.
  ///   - load: Reads the configuration.
  init(
    folder: String?, store: PrescriptionStore, keptConfiguration: KeptConfiguration? = nil,
    keptSilences: [KeptSilence] = [], claimFolder: String? = nil, search: ConfigurationSearch? = nil,
    load: @escaping () -> Result<LoadedConfiguration, ConfigurationFailures>
  ) {
    let (kept, problem) = folder.map { StateFolder.prepare($0) } ?? (nil, nil)
    let scope = kept == nil ? "nothing" : "nothing new"
    self.problem = problem.map { "\(scope) is kept between runs: \($0)" }
    programs = kept.map { ProgramFile(path: $0 + "/programs.json") }
    feedback = kept.map { FeedbackFile(folder: $0) }
    wisdomPath = kept.map { $0 + "/wisdom" }
    stateFolder = kept
    self.store = store
    self.keptConfiguration = keptConfiguration
    self.keptSilences = keptSilences
    self.claimFolder = claimFolder
    self.search = search
    self.load = load
  }

  /// Reads what earlier runs have kept.
  ///
  /// - Returns: Program and feedback, and what is wrong with the files, for the log.
  func readKept() -> (programs: ProgramSelection, feedback: MeasuredFeedback, problems: [String]) {
    let (memory, programProblem) = programs?.read() ?? (ProgramMemory(), ProgramFile.missing)
    let (record, feedbackProblem) = feedback?.read() ?? (FeedbackRecord(), nil)
    let isPutAside = feedbackProblem != nil && feedback.map { access($0.path, F_OK) != 0 } ?? false
    return (
      ProgramSelection(memory, problem: programProblem),
      MeasuredFeedback(record, problem: feedbackProblem, isPutAside: isPutAside),
      // Without a folder the program's problem says the same again.
      [problem, programs == nil ? nil : programProblem, feedbackProblem].compactMap(\.self)
    )
  }

  // MARK: - Book and memory

  /// Carries out a method of the book.
  ///
  /// - Returns: Its reply, and the prescription in force then.
  func answer<Method: BookMethod>(
    _ method: Method, _ actor: Actor,
    admitting check: @escaping (Signed<Prescription>) throws(Failure) -> Void
  ) -> (reply: Result<Method.Reply, Failure>, known: KnownPrescription) {
    let reply = Result { () throws(Failure) in try store.answer(method, from: actor, admitting: check) }
    return (reply, store.known)
  }

  /// - Returns: Why it is not remembered, a sentence; nil: it is.
  func keep(_ memory: ProgramMemory) -> String? {
    guard let programs else { return ProgramFile.missing }
    return programs.write(memory)
  }

  /// - Returns: Why it is not kept.
  func keep(_ record: FeedbackRecord) -> Failure? {
    guard let feedback else {
      return Failure(
        "state folder", found: "none that can be written", expected: "one to keep the measurement in",
        exit: .cannotCreate)
    }
    return Self.failure { () throws(Failure) in try feedback.write(record) }
  }

  func clearFeedback() -> Failure? { Self.failure { () throws(Failure) in try feedback?.clear() } }

  // MARK: - Records of procedures

  /// Records of procedures; nil: nothing is kept between runs.
  var procedures: ProcedureFolder? { stateFolder.map { ProcedureFolder(state: $0) } }

  /// Keeps the configuration in force for a start after a crash.
  ///
  /// - Parameter refusal: Why its devices are not those in use, a sentence without its full stop; nil: they are.
  func keep(_ loaded: LoadedConfiguration, _ refusal: String?) -> Failure? {
    Self.failure { () throws(Failure) in try keptConfiguration?.keep(loaded, refusal) }
  }

  /// Removes what was to outlast a crash: the next start begins anew.
  ///
  /// - Returns: Lines for the log, of what stays.
  func forgetKept() -> [LogLine] {
    (keptSilences.map { $0.forgetOrTell() } + [keptConfiguration?.forgetOrTell()]).compactMap(\.self)
  }

  /// Keeps FFTW's plans.
  func keepWisdom() { if let wisdomPath { FFTPlanning.keepWisdom(at: wisdomPath) } }

  private static func failure(_ work: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) { try work() } catch { return error }
    return nil
  }

  // MARK: - Configuration

  /// Reads configuration, its files and the measured feedback.
  ///
  /// - Parameters:
  ///   - former: The file in force. Where it is gone nothing takes its place: neither defaults nor another file have what somebody
  ///     chose to be safe. Nil: none is in force.
  ///   - place: Names devices where neither the configuration nor its calibrations do; by default none.
  ///   - holding: Playback devices that are this daemon's alone already.
  func read(
    insteadOf former: String? = nil, holding: [PlaybackClaim] = [],
    placing place: (LoadedConfiguration, HearingSettings) -> LoadedConfiguration = { loaded, _ in loaded }
  ) -> Result<ReadConfiguration, ConfigurationFailures> {
    Result { () throws(ConfigurationFailures) in
      let loaded = try load().get()
      if let former, loaded.file != former, loaded.file == nil || search?.hasLost(former) == true {
        throw ConfigurationFailures(failures: [KeptConfiguration.lost(former)])
      }
      let (settings, leftOut) = try AidSettings.reading(
        loaded, isAudiogramHeard: store.known.prescribed == .byConfiguration)
      let placed = place(loaded, settings.hearing)
      let (claim, warning) = try claim(
        on: placed.configuration.device.playback ?? settings.playbackDevice, holding: holding)
      let content = feedback.map { file in Result { () throws(FeedbackFileFault) in try file.content() } }
      return ReadConfiguration(
        loaded: loaded, placed: placed, settings: settings, leftOut: leftOut, feedback: content,
        claim: claim, warning: warning)
    }
  }

  /// `control.owner` as the file has it now; nil: it cannot be read.
  var configuredOwner: Configuration.Owner? { try? load().get().configuration.control.owner }

  /// Takes a playback device for this daemon alone.
  ///
  /// - Parameters:
  ///   - device: ALSA's name; nil: neither the configuration nor a calibration names one.
  ///   - holding: The claims in force, of which one is kept where it is on the same device.
  /// - Returns: Nil for a device that needs none; and why others are not noticed, for the log.
  /// - Throws: ``ConfigurationFailures`` when another daemon has it.
  func claim(
    on device: String?, holding: [PlaybackClaim] = []
  ) throws(ConfigurationFailures) -> (claim: PlaybackClaim?, warning: String?) {
    // Without a name the first free card is taken, which is one that nobody shares.
    guard let claimFolder, let device, !SilentDevice.isCalled(device) else { return (nil, nil) }
    let place = DevicePlace.name(of: device)
    if let held = holding.first(where: { $0.place == place }) { return (held, nil) }
    do throws(Failure) {
      return (try PlaybackClaim(device, in: claimFolder), nil)
    } catch {
      if error.exitStatus == .temporary { throw ConfigurationFailures(failures: [error]) }
      // Sound matters more than a folder for locks.
      return (nil, "other daemons on the same device are not noticed: \(error.logMessage)")
    }
  }
}

/// A configuration with its files, as read.
struct ReadConfiguration: Sendable {
  let loaded: LoadedConfiguration
  /// The same, with names of devices that those in use ask for.
  let placed: LoadedConfiguration
  let settings: AidSettings
  /// Why its audiogram is left out; nil: it is not.
  let leftOut: Failure?
  /// Nil: nothing is kept between runs.
  let feedback: Result<FeedbackRecord?, FeedbackFileFault>?
  let claim: PlaybackClaim?
  /// For the log.
  let warning: String?
}
