import Acoustics
import Base
import Procedures

/// News of a procedure, which its caller is told without asking.
///
/// It does not tell the level of a tone that is to be detected, nor whether there is one.
package struct ProcedureNotice: Sendable, Codable, Hashable {
  /// Name of the notification.
  package static let topic = "procedure"

  package enum Phase: String, Sendable, Codable {
    /// The room has to be quiet before it begins, or goes on.
    case waitingForQuiet = "waiting-for-quiet"
    /// A sound is under way, or about to be.
    case sounding
    /// An answer is waited for.
    case asking
    case paused
    case finished
    /// It ended without a result; what was answered is kept.
    case broken
  }

  /// The record, by which it is resumed.
  package let record: String
  package let phase: Phase
  package var step: Int?
  package var question: ProcedureStep.Question?
  package var ear: Ear?
  /// The one of the step's sounds that is on, from 1; nil: not told.
  package var sound: Int?
  /// Level of a match, dB HL.
  package var level: HearingLevel?
  /// Share done, 0…1.
  package var share: Double
  /// Place among the trials of a match; nil: not told.
  package var trial: ProcedureTrial?
  package var room: Room?
  /// Why a step is begun again, or why a key counts for nothing yet; a sentence.
  package var note: String?
  package var result: ProcedureResult?
  package var error: Failure?

  package struct Room: Sendable, Codable, Hashable {
    /// A-weighted, dB; nil: the microphone delivers nothing.
    package let level: Double?
    package let state: QuietRoomGate.State
    /// Level that the next window has to lie below, dB: less in an alert than before the room has passed.
    package let threshold: Double
  }

  package init(_ record: String, _ phase: Phase, share: Double) {
    (self.record, self.phase, self.share) = (record, phase, share)
  }

  /// True of the last one of a procedure.
  var isLast: Bool { phase == .finished || phase == .broken }
}
