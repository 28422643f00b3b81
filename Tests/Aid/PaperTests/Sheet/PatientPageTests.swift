import CommonTesting
import Prescriptions
import Testing

@testable import Paper

@Suite("Patient's page") struct PatientPageTests {
  @Test(
    "the patient's page tells to trust the clinic, to start, and to compare name and birth date, in this order"
  )
  func instructions() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet().pages()[0].write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    let order = [
      "auricle trust add", "auricle rx scan", "a name and a date of birth", "auricle start",
      "auricle volume",
      "auricle stop",
    ]
    var rest = text[...]
    let start = try #require(text.firstRange(of: "The first time"))
    rest = text[start.upperBound...]
    for words in order.dropLast(2) {
      let found = try #require(rest.firstRange(of: words), "\(words)")
      rest = rest[found.upperBound...]
    }
    for words in order.suffix(2) { #expect(text.contains(words)) }
    #expect(text.contains("never plays above 111 dB SPL"))
  }

  @Test("print for the patient is at least 10 points high, but for the small print at the foot")
  func legibility() throws {
    // "Clear print" guidelines ask for 12 points of a usual typeface; DejaVu Sans at 10 has the x-height of
    // Times at 12 (0.547 against 0.448 em).
    let page = try SampleSheet.sheet(SampleSheet.report(hasEnd: false)).pages()[0]
    let body = page.labels.filter { $0.place.y > 200 && $0.place.y < 760 }
    #expect(body.count > 20)
    // Commands are set in a wider typeface at 0.96 of the size.
    #expect(body.allSatisfy { $0.style.size >= 10 * 0.96 })
  }

  @Test(
    "the clinic's telephone number and address are on the patient's page; without one there is a line for it"
  )
  func telephone() throws {
    var sheet = try SampleSheet.sheet()
    #expect(sheet.pages()[0].labels.contains { $0.text == "Telephone" })
    (sheet.telephone, sheet.url) = ("+44 20 7946 0018", "https://hearing.example")
    let texts = sheet.pages()[0].labels.map(\.text)
    #expect(texts.contains("Telephone +44 20 7946 0018") && texts.contains("https://hearing.example"))
  }

  @Test(
    "names, telephone and address of all lengths leave the instructions above the foot, and nothing out")
  func longest() throws {
    let wide = String(repeating: "W", count: 80)
    for (report, side) in [
      (try SampleSheet.longest(), 105), (try SampleSheet.longest(), 133),
      (
        try SampleSheet.report(clinic: wide, prescriber: wide, given: wide, family: wide, reference: wide),
        105
      ),
    ] {
      var sheet = try SampleSheet.sheet(report, side: side)
      // As long as a clinic's card has them: thirty characters, and an address of two hundred bytes.
      (sheet.telephone, sheet.url) = (
        "+44 (0)20 7946 0018, ext. 4711", "https://" + wide + wide + ".example/here"
      )
      let picture = sheet.pages()[0]
      let words = picture.labels.map(\.text).joined(separator: " ")
      #expect(words.contains("See a doctor before you begin.") && words.contains("TRIAL until"))
      #expect(words.contains("never plays above 111 dB SPL") && words.contains("You hear it again."))
      #expect(words.contains("auricle rx accept") == report.prescription.wearerMayAccept)
      #expect(Layout.clipped(picture) == [] && Layout.overlapping(picture) == [])
      let metrics = TextMetrics()
      let foot = try #require(picture.labels.first { $0.text.hasPrefix("Keep this page") }).place.y
      for label in picture.labels where label.place.y < foot - 1 {
        let bounds = label.bounds(metrics)
        #expect(bounds.maxY < PrescriptionSheet.patientFootTop, "\(label.text)")
        #expect(label.style.size >= 6.5 * 0.96, "\(label.text)")
      }
    }
  }

  @Test(
    "what the patient may turn is said in words",
    arguments: [
      (-20.0...0, "It gets no louder than your clinic has set it."),
      (-10...5, "You can go 10 dB down and 5 dB up."), (0...0, "You cannot change it."),
      (0...5, "It gets no softer than your clinic has set it."),
    ])
  func volume(range: ClosedRange<Double>, words: String) throws {
    let report = try SampleSheet.report(adjustment: PatientAdjustment(volume: range))
    let texts = PatientInstructions(report).everyDay
    #expect(texts.contains { $0.hasSuffix(words) || $0.contains(words) })
  }

  @Test(
    "nobody is told to turn the computer's volume, with which the aid's levels hold, and the limit is told with its conditions"
  )
  func computersVolume() throws {
    let words = PatientInstructions(try SampleSheet.report())
    let steps = words.firstTime
    let setup = try #require(steps.firstIndex { $0.contains("If nobody has, type `auricle setup`.") })
    let start = try #require(steps.firstIndex { $0.contains("`auricle start`") })
    #expect(setup < start && steps[setup].hasSuffix("Then leave its volume alone."))
    let all = steps + words.everyDay + words.warnings
    // Its own mute key turns another device too.
    #expect(!all.contains { $0.contains("Turn the") || $0.contains("computer muted") })
    let limit = try #require(words.everyDay.first { $0.contains("never plays above 111 dB SPL") })
    #expect(limit.contains("if the headphones were measured, with the computer's volume as it was then."))
    #expect(limit.contains("Otherwise this is a guess. Do loud sounds hurt? Tell your clinic."))
  }

  @Test("the last step has a way on where the sound is not comfortable")
  func uncomfortable() throws {
    let step = try #require(PatientInstructions(try SampleSheet.report()).firstTime.last)
    #expect(step.contains("`auricle start`") && step.contains("they may whistle there"))
    #expect(step.hasSuffix("If not, type `auricle stop` and call your clinic."))
  }

  @Test(
    "a tone that the patient may turn is said in words",
    arguments: [
      (-4.0...4, "*Tone:* Type `auricle tone bright` or `auricle tone soft`."),
      (-4...0, "*Tone:* Type `auricle tone soft`. `auricle tone bright` takes you back."),
      (0...4, "*Tone:* Type `auricle tone bright`. `auricle tone soft` takes you back."), (0...0, nil),
    ] as [(ClosedRange<Double>, String?)])
  func tone(range: ClosedRange<Double>, words: String?) throws {
    let report = try SampleSheet.report(adjustment: PatientAdjustment(volume: -6...4, tone: range))
    let texts = PatientInstructions(report).everyDay
    #expect(texts.contains { $0.contains("auricle tone") } == (words != nil))
    if let words { #expect(texts.contains { $0.hasSuffix(words) }) }
  }

  @Test(
    "a trial that the patient may make final is printed with the command that does so, another one without",
    arguments: [true, false])
  func trial(wearerMayAccept: Bool) throws {
    let report = try SampleSheet.report(wearerMayAccept: wearerMayAccept)
    let end = try #require(report.prescription.trialEnds).localText
    let pages = try SampleSheet.sheet(report).pages().map { $0.labels.map(\.text).joined(separator: " ") }
    #expect(pages[0].contains("TRIAL until \(end)"))
    #expect(pages[0].contains("auricle rx accept") == wearerMayAccept)
    let who =
      wearerMayAccept ? "the patient may make it final: auricle rx accept" : "the clinic makes it final"
    #expect(pages[1].contains("until \(end); \(who)"))
    let without = try SampleSheet.sheet(SampleSheet.report(hasEnd: false)).pages()
    #expect(!without.contains { page in page.labels.contains { $0.text == "Trial" } })
  }
}
