import ArgumentParser
import Base

/// `auricle rx show`: everything a card says.
struct ShowPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything that a card says, and whether its signature is trusted.",
    discussion: """
      Changes nothing. Without a file: the prescription in force, or one of the book. Exits with 1 \
      when the card is not verified.
      """)

  @Argument(help: .file("Picture, PDF or text of a card, - for standard input."), completion: .file())
  var file: String?

  @Flag(help: "Look for the card through a camera.") var camera = false

  @Option(help: .init("A prescription of the book, by its number in auricle rx list.", valueName: "number"))
  var number: Int?

  @Option(help: .file("Also draw audiogram and targets: .png, .svg or .pdf."), completion: .file())
  var picture: String?

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let drawing = picture.map { PageFile(path: $0, overwriting: overwriting) }
    try drawing?.check()
    let cards = try cards()
    let report = cards.count == 1 ? cards[0].json : .array(cards.map(\.json))
    try show(report, cards.map { $0.text(options.form.style) }.joined(separator: "\n"))
    if let drawing {
      try (cards.first { $0.prescription != nil } ?? cards.first)?.writePicture(to: drawing)
      if !isForPrograms { print("Wrote \(drawing.path).") }
    }
    return cards.allSatisfy(\.isVerified) ? .done : .no
  }

  private func cards() throws(Failure) -> [ShownCard] {
    guard file != nil || camera else {
      return [
        try ShownCard(
          BookAccess(options.socket).card(entry: number, forExport: picture != nil), options.socket)
      ]
    }
    guard number == nil, file == nil || !camera else {
      throw Failure(
        "command line", inWords: "A file, --camera and --number exclude each other; give one of them",
        exit: .usage)
    }
    let place = file.map(CardPlace.init(named:)) ?? .camera
    let texts = try place.texts()
    var shown: [ShownCard] = []
    for (index, text) in texts.enumerated() {
      let choice = texts.count > 1 ? " --code \(index + 1)" : ""
      shown.append(
        try ShownCard(text, options.socket, from: place.name, named: place.argument + choice))
    }
    return shown
  }
}

/// `auricle rx sheet`: a page to print and hand out.
struct SheetPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Make printable pages of a card: code and instructions; audiogram, targets, findings.",
    discussion: """
      Pages of a card that no clinic known here has signed say so, and the command exits with 1.
      """)

  @OptionGroup var source: CardSource

  @Option(
    name: .shortAndLong, help: .file("The pages, .pdf; .png or .svg has them one below another."),
    completion: .file())
  var output: String

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var clinic: ClinicOption
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let file = PageFile(path: output, overwriting: overwriting)
    try file.check()
    let card = try ShownCard(
      try source.text(), socket, clinic: try clinic.naming(), from: source.place.name)
    try card.writePage(to: file)
    let status = card.caution()
    let message = "Wrote \(output). Print it at full size: a smaller code is harder to scan."
    return try show(DoneReport(message: message, file: output), exit: status)
  }
}

/// `auricle rx export`: the prescription for other programs.
struct ExportPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a prescription's FHIR R4 bundle as JSON.",
    discussion: """
      Without a file: the prescription in force, or that of --number. A bundle of a card that no clinic known here has \
      signed calls nothing active or final, and the command exits with 1.
      """)

  @Argument(help: .file("Picture, PDF or text of a card, - for standard input."), completion: .file())
  var file: String?

  @Option(help: .init("A prescription of the book, by its number in auricle rx list.", valueName: "number"))
  var number: Int?

  @Flag(help: "As a FHIR R4 bundle, the only form.") var fhir = false

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    guard file == nil || number == nil else {
      throw Failure(
        "command line", inWords: "A file and --number exclude each other; give one of them", exit: .usage)
    }
    let text =
      try file.map { try CardPlace(named: $0).text() }
      ?? BookAccess(socket).card(entry: number, forExport: true)
    let card = try ShownCard(text, socket, clinic: try clinic.naming(), from: file ?? ShownCard.book)
    print(try card.prescribed().fhirBundle(standing: card.standing))
    return card.caution()
  }
}
