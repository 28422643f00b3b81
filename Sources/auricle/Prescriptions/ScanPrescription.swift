import ArgumentParser
import Control

/// `auricle rx scan`: a card into the device.
struct ScanPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Take a card into this device and hear by it.",
    discussion: """
      The card must be signed by a clinic that is trusted here (auricle trust list). The first prescription \
      binds the device to its patient. Sound changes within a second, ramped; the former prescription stays in \
      the book: auricle rx revert.
      """)

  @OptionGroup var source: CardSource
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var changesSound: Bool { true }

  func call() throws(Failure) -> BookCall { .load(card: try source.text()) }
}
