import ArgumentParser
import Control

/// `auricle rx accept`: the trial becomes final.
struct AcceptPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Keep the prescription that is on trial.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() -> BookCall { .accept }
}

/// `auricle rx revert`: the former prescription again.
struct RevertPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "revert", abstract: "Go back to the prescription that was heard before.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() -> BookCall { .revert }
}
