import Acoustics
import Base
import Bus
import Control
import Engine
import Realtime

/// Everything that can happen to the daemon; indirect, as some of it is large and all of it is handed on.
indirect enum Event: Sendable {
  /// The daemon begins.
  case begin
  /// News of the control socket. ``Effect/answer(_:_:)`` answers a request, at once or later.
  case control(ControlServer.Occurrence)
  /// SIGTERM, SIGINT, SIGHUP or SIGUSR1.
  case signal(Int32)
  /// The audio engine's state and newest reading.
  case audio(AudioNotice)
  /// No audio thread can be made; the reason, a clause.
  case soundRefused(String)
  /// The work on the disk that was begun last is done.
  case disk(DiskResult)
  /// News of the feedback test that was begun by the request.
  case test(RequestID, FeedbackTestNews)
  /// News of the procedure that was begun by the request.
  case procedure(RequestID, ProcedureNews)
  /// The machine is about to sleep, or has woken.
  case sleep(SleepWatch.News)
  /// Whoever had the sound cards has been asked for them.
  case reserved([CardReservation])
  /// RealtimeKit has given the audio thread its priority; the reason, a clause, where it has not.
  case prioritised(String?)
  /// Volume controls of the earphones' card, looked at anew.
  case volumes(PlaybackVolumes)
  /// Models of the devices in use, looked at anew.
  case found(FoundDevices)
  /// Clients and other daemons no longer find the control socket.
  case socketLost
  /// Another file lies where this program's did: a newer version, as a rule.
  case programReplaced
  /// Something that only the log needs to know: of an answer, or of an effect that failed.
  case line(LogLine)
  /// Time has passed.
  case time
}

/// News of a feedback test from the thread that measures.
enum FeedbackTestNews: Sendable {
  /// For its caller.
  case progress(FeedbackNotice)
  /// Nothing of the test sounds any more.
  case ended(Result<FeedbackRecord, FeedbackFault>)
}

/// The audio engine at one moment.
struct AudioNotice: Sendable {
  var state = AidState.stopped
  var isMuted = false
  var reading = AidReading()
  /// As granted; nil while none is open.
  var devices: AidDevices?
  /// Times devices were opened.
  var opens = 0
  /// Since when devices are being opened or started, monotonic s; nil: they are not.
  var openingSince: Double?
  /// Since when devices are being closed, monotonic s; nil: they are not.
  var closingSince: Double?
  /// When the devices had a block last, monotonic s; nil: no sound flows.
  var lastBlock: Double?
  /// True until sound has flowed for a second since the devices were opened.
  var isUnproven = false
  /// Reason for which sound was lost first of devices that lose it within its first second; nil: there are none, or it has flowed for one.
  var breakingOff: String?
  /// Reason for which nothing sounds while sound flows: nothing is plugged in; nil: there is none.
  var withheld: String?
  /// Of the audio thread; nil while there is none.
  var scheduling: Scheduling?
  /// Calls and music from another program.
  var streaming = StreamingReading()
  /// Why a device that is waited for is tried again and again; nil: its files tell when it is there.
  var watchRefusal: String?

  /// True while sound flows, also of devices that break off.
  var isSounding: Bool { [.running, .muted].contains(state) }

  /// The state that people are told: that of the devices, but that earphones which are not plugged in are waited for.
  var toldState: AidState {
    guard breakingOff == nil, let withheld, isSounding else { return deviceState }
    return .waitingForDevice(reason: withheld)
  }

  /// The state of the devices. Those that break off count as waited for, by the first reason, until they have sounded for a
  /// second: otherwise state, log and subscribers would be told of each time.
  var deviceState: AidState {
    guard let breakingOff else { return state }
    return switch state {
    case .stopped, .faulted: state
    case .starting, .running, .muted, .waitingForDevice: .waitingForDevice(reason: breakingOff)
    }
  }
}

/// Everything that the daemon can do; indirect for the same reason.
indirect enum Effect: Sendable {
  case sound(SoundControl.Order)
  case mute(Bool)
  /// Lets a mute outlast a crash, or no longer.
  case keepMute(Bool)
  /// Lets a stop outlast a crash, or no longer.
  case keepStop(Bool)
  /// Lets settings be heard, ramped.
  case apply(HearingSettings)
  /// The same with devices for the next start.
  case replace(AidSettings)
  case renewScheduling
  /// Asks RealtimeKit for the audio thread's priority; ``Event/prioritised(_:)`` tells what came of it.
  case askForPriority
  /// Asks whoever keeps to the session's agreement for the cards of these devices, and gives those of others back;
  /// ``Event/reserved(_:)`` tells what came of it. Nil: the first card's.
  case reserve([RouteReport.Names])
  /// Gives the cards back.
  case releaseCards
  /// Lets the machine sleep.
  case allowSleep
  /// Measures feedback paths or the loop's delay; ``Event/test(_:_:)`` with the same number tells of it.
  case measure(RequestID, FeedbackTestKind, [Ear])
  /// Carries a procedure out; ``Event/procedure(_:_:)`` with the same number tells of it.
  case carryOut(RequestID, ProcedureCommission)
  /// Hands a person's key to the procedure under way.
  case key(ProcedureKey)
  /// Ends the feedback test or the procedure, whatever it has come to.
  case endTest
  /// Tells the caller of a feedback test.
  case tell(Peer, FeedbackNotice)
  /// Tells the caller of a procedure.
  case tellProcedure(Peer, ProcedureNotice)
  /// Sends the sound to a connection from now on.
  case sendSound(Peer)
  /// Ends that, with a last word.
  case endSound(Peer, SoundNotice)
  /// Begins one piece of work; ``Event/disk(_:)`` brings its result.
  case disk(DiskQueue.Kind, DiskJob)
  case answer(RequestID, Answer)
  /// Gives a connection a role; nil: takes it back.
  case grant(Peer, RoleGrant?)
  /// Takes back every role that was proved in this way; nil: in any.
  case endGrants(means: String?)
  /// Lets other people in, or the same ones do other things.
  case admit(AccessRule)
  /// Tells subscribers.
  case publish(StatusReport.State)
  case publishPrescription(StatusReport.Prescription)
  case log(LogLine)
  case notify(ServiceNotice)
  /// Removes what was to outlast a crash, where the disk has not come to it: the next start begins anew.
  case forgetKept
  /// Keeps what was to outlast a crash, and notes that this end was not one.
  case noteEnd
  /// Tells the guardian that an end is meant.
  case declareEnd
  /// Looks whether the control socket is still in its place.
  case checkSocket
  /// Looks whether this program is still the one that a start would run; ``Event/programReplaced`` tells that it is not.
  case checkProgram
  /// Ends the daemon.
  ///
  /// - `isOrderly`: False when the audio thread or the disk cannot be waited for.
  case end(ExitStatus, isOrderly: Bool)
}

/// A message to the service manager.
enum ServiceNotice: Sendable, Equatable {
  case ready(status: String), status(String), stopping, watchdog
}
