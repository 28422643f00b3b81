import Acoustics
import AudioIO
import HearingDSP
import Realtime
import Synchronization

/// State that control and the audio thread share.
///
/// While sound flows the audio thread touches only atomics, the seqlock and the hand-overs; the locked part
/// it writes before sound begins and after it has ended.
///
/// - Threads: any, as each member says.
final class LoopState: Sendable {
  /// Phase of the audio thread.
  enum Phase: UInt8, AtomicRepresentable, Sendable { case idle, opening, sounding, waiting, faulted }

  /// Performer whose turn it is.
  enum Part: UInt8, AtomicRepresentable, Sendable {
    case aid, procedure
    /// None, though the devices are open: before and after a procedure of an aid that is not started.
    case nobody
  }

  /// State that is written only while there is no sound.
  struct Notice: Sendable {
    /// Reason for which the aid waits or is faulted.
    var reason = ""
    /// It waits for devices that were open and stopped working, and that may be as well as before once they are opened anew.
    var isAfterLoss = false
    /// Reason for which sound was lost first of devices that break off; see ``LoopState/isBreakingOff``.
    var reasonOfBreakingOff = ""
    var devices: AidDevices?
    /// Devices on which there was sound last, whichever audio thread made it; kept while they are closed. Nil: none yet.
    var former: DeviceChoice.Names?
    /// Settings that those granted; nil: none yet.
    var granted: StreamRequest?
    var channel: ParameterChannel?
    /// Times the devices were opened.
    var opens = 0
    /// Why no file tells when a device comes, so that it is tried again and again; nil: one does.
    var watchRefusal: String?
    /// Reason for which sound is withheld, a clause; nil: it is not.
    var withheld: String?
  }

  let phase = Atomic<Phase>(.idle)
  /// When the attempt to open the devices that is under way, or their start, began, monotonic s; 0: neither is under way. In the phase
  /// ``Phase/waiting`` too: a sound server that hangs lets nobody finish it.
  let opening = Atomic<Double>(0)
  /// The same of the devices that are being closed.
  let closing = Atomic<Double>(0)
  /// When the devices had a block last, monotonic s.
  let lastBlock = Atomic<Double>(0)
  /// True once sound has flowed for a second since the devices were opened: they are of use.
  let isProven = Atomic<Bool>(false)
  /// True of devices whose sound was lost within its first second, until it has flowed for one, they have been away for as long as any
  /// wait, others are chosen, or the thread ends.
  let isBreakingOff = Atomic<Bool>(false)
  let isMuted = Atomic<Bool>(false)
  /// True while nothing is plugged into the earphones' jack: silence, whatever is wanted; see ``note(_:)``.
  let isWithheld = Atomic<Bool>(false)
  /// False: what jacks tell is ignored.
  let heedsJack = Atomic<Bool>(true)
  /// Performer that control wants to play.
  let wanted = Atomic<Part>(.aid)
  /// Performer that plays; written on audio.
  let playing = Atomic<Part>(.aid)
  /// Reason for which the procedure under way has to end.
  let procedureEnd = Atomic<ProcedureEnd>(.none)
  /// Takes of the procedure under way, published by ``TakePlayer``.
  let takes = Handover(Take.none)
  let reading = Seqlock(AidReading())
  let notice = Mutex(Notice())
  let spectra = SpectrumChannel()
  let microphones = MicrophoneChannel()
  let streaming = StreamingChannel()

  /// State as control sees it.
  var state: AidState {
    switch phase.load(ordering: .acquiring) {
    case .idle: .stopped
    case .opening: .starting
    case .sounding: isMuted.load(ordering: .relaxed) ? .muted : .running
    case .waiting: .waitingForDevice(reason: notice.withLock { $0.reason })
    case .faulted: .faulted(reason: notice.withLock { $0.reason })
    }
  }

  /// Since when devices are being opened or started, monotonic s; nil: they are not.
  var openingSince: Double? { Self.since(opening) }

  /// Since when devices are being closed, monotonic s; nil: they are not.
  var closingSince: Double? { Self.since(closing) }

  /// When the devices had a block last, monotonic s; nil: no sound flows.
  var lastBlockTime: Double? {
    phase.load(ordering: .acquiring) == .sounding ? Self.since(lastBlock) : nil
  }

  /// True until sound has flowed for a second since the devices were opened.
  var isUnproven: Bool { !isProven.load(ordering: .acquiring) }

  /// Reason for which sound was lost first of devices that break off; nil: they do not.
  var breakingOff: String? {
    isBreakingOff.load(ordering: .acquiring) ? notice.withLock { $0.reasonOfBreakingOff } : nil
  }

  /// Notes that sound was lost within its first second.
  ///
  /// - Returns: The reason of the first time: of devices that break off again and again others would only take turns with it.
  func breakOff(because reason: String) -> String {
    let isFirst = !isBreakingOff.load(ordering: .acquiring)
    let first = notice.withLock { notice in
      if isFirst { notice.reasonOfBreakingOff = reason }
      return notice.reasonOfBreakingOff
    }
    isBreakingOff.store(true, ordering: .releasing)
    return first
  }

  /// Reason for which sound is withheld, a clause; nil: it is not.
  var withheld: String? { notice.withLock { $0.withheld } }

  /// Withholds all sound while jacks of the earphones tell that nothing is plugged in: most cards then play on the machine's
  /// loudspeakers, beside its microphone. A procedure that is under way ends, however soon the plug is back.
  ///
  /// - Parameter jacks: Those through which the earphones' device plays; empty where none tells, nil: not known now, and what was noted
  ///   last holds.
  /// - Threads: control; and whoever opens and closes the devices, while no sound flows.
  func note(_ jacks: [CardJack]?) {
    guard let jacks else { return }
    let names = heedsJack.load(ordering: .relaxed) ? CardJack.empty(jacks) : nil
    notice.withLock {
      $0.withheld = names.map {
        "nothing is plugged into the earphones' jack (\($0)), and on loudspeakers the aid would hear itself"
      }
    }
    isWithheld.store(names != nil, ordering: .releasing)
    guard names != nil else { return }
    _ = procedureEnd.compareExchange(expected: .none, desired: .unplugged, ordering: .acquiringAndReleasing)
  }

  private static func since(_ moment: borrowing Atomic<Double>) -> Double? {
    let since = moment.load(ordering: .acquiring)
    return since > 0 ? since : nil
  }

  /// Moves to a phase that has a reason.
  ///
  /// - Parameter isAfterLoss: The devices were open, and stopped working.
  func enter(_ next: Phase, because reason: String = "", isAfterLoss: Bool = false) {
    notice.withLock { ($0.reason, $0.isAfterLoss) = (reason, isAfterLoss) }
    switch next {
    case .idle, .faulted: isBreakingOff.store(false, ordering: .releasing)
    case .opening, .sounding, .waiting: break
    }
    phase.store(next, ordering: .releasing)
  }
}

/// The way of new settings to the chain that runs now, and what they have to fit.
///
/// - Threads: created where the chain is built; `publish` on control, one at a time; the rest on `audio`.
final class ParameterChannel: Sendable {
  let geometry: ChainGeometry
  let bands: BandLayout
  let handover: Handover<ChainParameters>
  /// The last settings, of which one is in force.
  private let published: Mutex<[ChainParameters]>
  /// Settings remembered: those of half a second while a slider is turned.
  private static let memory = 16

  init(geometry: ChainGeometry, bands: BandLayout, initial: ChainParameters) {
    (self.geometry, self.bands) = (geometry, bands)
    handover = Handover(initial)
    published = Mutex([initial])
  }

  /// Hands a setting to the chain.
  func publish(_ setting: ChainParameters) {
    published.withLock { $0 = $0.suffix(Self.memory - 1) + [setting] }
    handover.publish(setting)
  }

  /// A setting by its number; nil once it is forgotten.
  func setting(_ number: Int) -> ChainParameters? {
    published.withLock { $0.first { $0.number == number } }
  }

  /// The last one.
  var newest: ChainParameters? { published.withLock { $0.last } }

  /// Remembers a setting that the chain began with.
  func remember(_ setting: ChainParameters) { published.withLock { $0.append(setting) } }
}
