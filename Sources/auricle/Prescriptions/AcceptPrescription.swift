import ArgumentParser
import Control

/// `auricle rx accept`: the trial becomes final.
struct AcceptPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Keep the prescription that is on trial.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var changesSound: Bool { true }

  func call() -> BookCall { .accept }
}

/// `auricle rx revert`: the former prescription again.
struct RevertPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "End a trial, or go back to the former prescription of the environment that is heard.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var changesSound: Bool { true }

  func call() -> BookCall { .revert }
}
