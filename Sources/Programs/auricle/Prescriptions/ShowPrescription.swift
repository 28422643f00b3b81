import ArgumentParser
import Base
import Control
import Prescriptions
import Service

/// `auricle rx show`: everything a card says.
struct ShowPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything that a card says, and whether its signature is trusted.",
    discussion: """
      Changes nothing. Without a file: the prescription in force, or one of the book. Exits with 1 \
      when the card is not verified.
      """)

  @Argument(
    help: ArgumentHelp("Picture, PDF or text of a card, - for standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Flag(help: "Look for the card through a camera.")
  var camera = false

  @Option(
    help: ArgumentHelp("A prescription of the book, by its number in auricle rx list.", valueName: "number")
  )
  var number: Int?

  @Option(
    help: ArgumentHelp("Also draw audiogram and targets: .png, .svg or .pdf.", valueName: "file"),
    completion: .file())
  var picture: String?

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let inspected = try one { () throws(Failure) in try cards() }
    var isAllVerified = true
    var reports: [ShownCard] = []
    for text in inspected.texts {
      let content = try one { () throws(Failure) in
        try ShownCard(text, trusting: inspected.clinics, known: BookDoor.ownClinic, from: inspected.source)
      }
      isAllVerified = isAllVerified && content.isVerified
      reports.append(content)
    }
    if form.json {
      print(try json(reports.count == 1 ? reports[0].json : .array(reports.map(\.json))))
    } else {
      print(reports.map { $0.text(form.style) }.joined(separator: "\n"), terminator: "")
    }
    if let picture, let card = reports.first(where: { $0.prescription != nil }) ?? reports.first {
      try one { () throws(Failure) in try card.writePicture(to: picture) }
    }
    return isAllVerified ? .done : .no
  }

  private func cards() throws(Failure) -> (texts: [String], clinics: [TrustedClinic], source: String) {
    let clinics = BookDoor.trustedClinics(socket)
    guard file != nil || camera else {
      return ([try BookDoor(socket).card(entry: number)], clinics, "prescription book")
    }
    guard number == nil, file == nil || !camera else {
      throw Failure(
        "command line", inWords: "A file, --camera and --number exclude each other; give one of them",
        exit: .usage)
    }
    let place = file.map(CardPlace.init(named:)) ?? .camera
    return (try place.texts(), clinics, place.name)
  }
}

/// `auricle rx sheet`: a page to print and hand out.
struct SheetPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Make a printable page of a card: code, audiogram, targets, instructions.")

  @OptionGroup var source: CardSource

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page, .pdf, .png or .svg.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let content = try ShownCard(
        try source.text(), trusting: BookDoor.trustedClinics(socket), known: BookDoor.ownClinic,
        from: source.place.name)
      try content.writePage(to: output)
    }
    try report(
      DoneReport(
        message: "Wrote \(output). Print it at full size: a smaller code is harder to scan.", file: output))
    return .done
  }
}

/// `auricle rx export`: the prescription for other programs.
struct ExportPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a prescription's FHIR R4 bundle as JSON.",
    discussion: "Without a file: the prescription in force, or that of --number.")

  @Argument(
    help: ArgumentHelp("Picture, PDF or text of a card, - for standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp("A prescription of the book, by its number in auricle rx list.", valueName: "number")
  )
  var number: Int?

  @Flag(help: "As a FHIR R4 bundle, the only form.")
  var fhir = false

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let text = try text()
      let content = try ShownCard(
        text, trusting: BookDoor.trustedClinics(socket), known: BookDoor.ownClinic,
        from: file ?? "prescription book")
      guard let prescription = content.prescription else {
        throw Failure(file ?? "card", inWords: "This card is not a prescription", exit: .badData)
      }
      print(prescription.fhirBundle)
      return .done
    }
  }

  private func text() throws(Failure) -> String {
    guard let file else { return try BookDoor(socket).card(entry: number) }
    let texts = try CardPlace(named: file).texts()
    guard texts.count == 1 else {
      throw Failure(file, found: "\(texts.count) cards", expected: "one", exit: .usage)
    }
    return texts[0]
  }
}
