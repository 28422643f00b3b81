import Base
import Control
import Engine
import Realtime

/// Everything the daemon knows, as a value: an event in, the next state and effects out.
///
///     let effects = state.handle(.request(7, .mute, from: peer), at: .now)
///
/// Nothing here waits, reads a clock or touches a file, a device or a socket; ``Supervisor`` does, one
/// effect after the other, and hands in whatever comes of it.
struct ServiceState: Sendable {
  /// Facts that do not change while the daemon runs, or only when the machine is handed over or returned.
  struct Facts: Sendable {
    var started: Moment
    var processID: Int32 = 0
    /// The last time that a signal ended it and it was started again; nil: none.
    var restart: StatusReport.Restart?
    /// True where the last daemon left a mark that it crashed, whoever starts this one: a service manager tells no reason.
    var isMarkLeft = false
    var memoryLock = MemoryLock.onFault
    /// True when the process ends with the sound: the daemon of somebody who asked for sound, not a
    /// service.
    var endsWhenStopped = false
    /// Longest time between two signs of life that the service manager wants, s; nil: none.
    var watchdogInterval: Double?
    /// True in a session, whose other programs may have the sound cards.
    var sharesCards = false
    /// True when FFTW's plans are kept.
    var keepsWisdom = false
    /// Longest that a request waits for the disk, s: clients wait five for an answer.
    var diskPatience = 2.0
    /// Users who may connect, and what they may.
    var rule = AccessRule.person
    /// `control.owner`.
    var configuredOwner = Configuration.Owner.wearer
    /// Looks at the machine's mark.
    var standing: @Sendable () -> DeviceStanding = { .current }
    /// A text that nobody can guess: 64 hexadecimal digits.
    var challenge: @Sendable () -> String = {
      Hexadecimal.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
  }

  var facts: Facts
  /// The moment of the event at hand.
  var now: Moment
  /// The request at hand; nil: the event is another one.
  var request: RequestID?
  /// Effects of the event at hand.
  private var effects: [Effect] = []

  // MARK: Configuration and settings

  /// In force.
  var configuration: LoadedConfiguration
  /// The configuration with which the daemon began.
  let begunConfiguration: Configuration
  /// Why it is not the file's, a sentence; nil: it is.
  var configurationTrouble: String?
  /// Why the configuration's audiogram is left out, a sentence; nil: it is not.
  var leftOutAudiogram: String?
  /// The configuration's settings, with its files as they were when it was read.
  var configured: HearingSettings
  /// The playback device as this daemon's alone; nil for one that needs none.
  var playback: PlaybackClaim?
  /// Nil: no configuration has just asked for other devices.
  var formerDevices: FormerDevices?
  /// The devices with which calibrations count that name none, as they were open before others were tried; nil: none were.
  var askedNames: RouteReport.Names?
  /// ALSA's names of the devices that were open last, kept while they are closed; nil: none were.
  var openedNames: RouteReport.Names?
  /// Trials of devices so far.
  var trials = 0
  /// Caution about the last one, a sentence; nil: none.
  var trialNote: String?
  /// Reason for which the last trial of devices ended without being kept, a clause; nil: none has.
  var lastTrialEnd: String?
  /// Why the configuration's devices are not those in use, a sentence without its full stop; nil: they are.
  var refusedDevices: String?
  var known: KnownPrescription
  /// Source of the settings in force.
  var prescribed: Prescribed
  /// A prescription that cannot be played, and why.
  var refused: (prescribed: Prescribed, failure: Failure)?
  /// Reason for which the book's disk did not take what was last to be written, a sentence; nil: it did, or nothing was.
  var refusedChange: String?
  var programs: ProgramSelection
  /// When a choice of a program that could not be written is written once more, monotonic s.
  var programDue = 0.0
  var feedback: MeasuredFeedback
  /// Settings in force.
  var heard: HearingSettings
  /// Temporary changes by a developer or an audiologist; nil: none.
  var debug: DebugMode?

  // MARK: Sound

  var sound = SoundControl()
  var audio = AudioNotice()
  /// True while the sound is off because somebody had stopped it before the last daemon crashed.
  var wasStopped: Bool
  /// The feedback test under way; nil: none.
  var test: RunningTest?
  /// The last feedback test, where it broke off and nothing was measured or changed since.
  var brokenTest: BrokenTest?
  /// Leave of the wearer to record the sound; nil: none.
  var recording: RecordingLeave?
  /// Earphones as a program of the wearer's session tells them; nil: none does.
  var earphones: ToldEarphones?
  /// Models of the devices in use.
  var found = FoundDevices()
  /// Volume controls of the earphones' card.
  var volumes = PlaybackVolumes.unread
  /// As told last.
  var told: StatusReport.State
  /// The prescription in force as subscribers were told last.
  var toldPrescription: StatusReport.Prescription?
  /// When ``told`` began.
  var toldBegan: Moment
  /// Times the devices were opened when the chain's delay was worked out; -1: it must be anew.
  var chainOpens = -1
  var chainDelay: Double?
  var delays = ChainDelay()
  /// Times the devices were opened when FFTW's plans were kept.
  var wisdomOpens = 0
  var mishaps = MishapSummary()
  var wasRealtime: Bool?
  /// Device of the stream that was logged as one that hangs; nil: none does.
  var loggedHanging: String?

  // MARK: Other programs

  var cards = CardAgreement()
  /// True from the word that the machine sleeps until there is silence.
  var owesSleep = false
  /// Since when the machine is awake again without a word of it from logind, monotonic s; nil: it is not.
  var wokenAt: Double?
  /// Why the machine's sleep does not wait for silence, as logged last.
  var unheldSleep: String?
  var priority = PriorityRequests()

  // MARK: Roles

  var proofs = RoleProofs()
  var refusals = NoteLimit()
  /// Roles by a developer's pass, which begin as often as somebody asks.
  var passes = NoteLimit()

  // MARK: The rest

  var disk = DiskQueue()
  var isDiskLate = false
  /// The last trouble with the book that was logged.
  var bookTrouble: String?
  var isDeveloping = false
  /// When another file was found in the program's place, wall-clock s since 1970; nil: it has not been.
  var replaced: Double?
  /// Requests whose answer waits.
  var pending: [PendingAnswer] = []
  var ending: Ending?
  var isReady = false
  var heartbeat = Heartbeat()
  var watchdogDue = 0.0
  var secondDue = 0.0

  /// - Parameters:
  ///   - configured: Settings of the configuration.
  ///   - refused: Faults of the configuration file, which made way for the kept configuration; none by
  ///     default.
  ///   - refusedDevices: Why the configuration's devices are not those in use, a sentence without its full stop; nil by
  ///     default: they are.
  ///   - leftOut: Why the configuration's audiogram was left out; nil by default: it was not.
  ///   - bookTrouble: Fault of the book, as the log has it already.
  ///   - isMuted: True when the aid was muted before the daemon crashed.
  ///   - isStopped: True when the sound was stopped before the daemon crashed.
  init(
    _ facts: Facts, configuration: LoadedConfiguration = .defaults,
    configured: HearingSettings = HearingSettings(), refused: [Failure] = [],
    refusedDevices: String? = nil, leftOut: Failure? = nil,
    known: KnownPrescription = KnownPrescription(), bookTrouble: String? = nil,
    programs: ProgramSelection = ProgramSelection(), feedback: MeasuredFeedback = MeasuredFeedback(),
    playback: PlaybackClaim? = nil, isMuted: Bool = false, isStopped: Bool = false
  ) {
    self.facts = facts
    now = facts.started
    self.configuration = configuration
    begunConfiguration = configuration.configuration
    configurationTrouble = KeptConfiguration.sentence(refused)
    self.refusedDevices = refusedDevices
    leftOutAudiogram = leftOut.map(KeptConfiguration.sentence(leavingOut:))
    self.configured = configured
    self.playback = playback
    self.known = known
    prescribed = known.prescribed
    self.bookTrouble = bookTrouble
    self.programs = programs
    self.feedback = feedback
    if facts.restart != nil || facts.isMarkLeft { self.programs.holdStream() }
    heard = configured
    wasStopped = isStopped
    audio.isMuted = isMuted
    told = StatusReport.State(.stopped, since: facts.started.wall)
    toldBegan = facts.started
    heard = composed
  }

  // MARK: - Events

  /// Takes in one event.
  ///
  /// - Returns: Effects to be carried out, in this order.
  mutating func handle(_ event: Event, at moment: Moment) -> [Effect] {
    let asleep = (moment.running - moment.monotonic) - (now.running - now.monotonic)
    now = moment
    known.advance(to: moment)
    // Clocks that are read one after the other differ by less.
    if asleep > 1 {
      endAuthority()
      if sound.pause != nil { wokenAt = now.monotonic }
    }
    switch event {
    case .begin:
      if !wasStopped { sound.wantSound(audio.state) }
      if configurationTrouble == nil { keepConfiguration() }
      keepStreamOff()
    case .control(.request(let id, let method, let peer)): carryOut(method, from: peer, as: id)
    case .control(.refused(let call, let peer)): noteRefusal(call, to: peer)
    case .control(.gone(let peer)):
      proofs.forget(peer)
      if test?.caller == peer { endTest("it was ended from outside") }
      if debug?.caller == peer { endDebug("its connection has ended") }
      if recording?.recorder == peer { endRecording("its client has gone") }
      forgetEarphones(of: peer, isGone: true)
    case .control(.unsubscribed(let peer)):
      if recording?.recorder == peer { endRecording("finished") }
    case .signal(let signal): obey(signal)
    case .audio(let notice): take(notice)
    case .soundRefused(let reason):
      sound.refuse("no audio thread can be made: \(reason)")
      endTest(FeedbackFault.system("no audio thread can be made: \(reason)"))
    case .disk(let result): finishWork(result)
    case .test(let number, let news): take(news, of: number)
    case .procedure(let number, let news): take(news, of: number)
    case .sleep(let news): follow(news)
    case .reserved(let cards): take(cards)
    case .prioritised(let refusal): take(priorityRefusal: refusal)
    case .volumes(let news): take(news)
    case .found(let news): take(news)
    case .socketLost: endUnreachable()
    case .programReplaced: noteReplacement()
    case .control(.log(let line)), .line(let line): log(line)
    case .time: break
    }
    passTime()
    control()
    tellState()
    // Nobody waits for anything after the end.
    answerPending(isEnd: ending?.hasEnded == true)
    beginWork()
    proceedToEnd()
    defer { effects = [] }
    return effects
  }

  /// Adds an effect.
  mutating func emit(_ effect: Effect) { effects.append(effect) }

  /// Writes a line that is important enough.
  mutating func log(_ line: LogLine) { if line.level >= logLevel { emit(.log(line)) } }

  mutating func log(_ level: LogLevel, _ message: String) { log(LogLine(level, message)) }

  /// Least important line that is written: everything while a developer's pass is open.
  var logLevel: LogLevel { isDeveloping ? .debug : configuration.configuration.log.level }

  /// When ``handle(_:at:)`` is to be called although nothing happens, monotonic s.
  var deadline: Double {
    var due = min(secondDue, pending.map(\.due).min() ?? .infinity)
    if facts.watchdogInterval != nil { due = min(due, watchdogDue) }
    if let ending { due = min(due, ending.due) }
    if let recording { due = min(due, recording.due) }
    if let end = trialDue { due = min(due, end) }
    if let end = cards.due(at: now.monotonic) { due = min(due, end) }
    return min(due, now.monotonic + readingInterval)
  }

  /// Time until the audio engine is to be read again, s: a reading is new twenty times a second, and who
  /// waits for a state is told soon.
  private var readingInterval: Double {
    guard sound.hasThread else { return .infinity }
    return sound.isSettled && audio.state != .starting ? 0.05 : 0.01
  }
}
