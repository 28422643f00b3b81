import Base
import Prescriptions
import Testing

@testable import Paper

@Suite("Sheets of cards on trial, over or not signed") struct SheetStandingTests {
  @Test("a trial stands out in white on a dark box, and neither box is there without a date")
  func deadlines() throws {
    let boxes = { (picture: Picture) in
      picture.marks.filter { if case .fill(_, .warning) = $0 { true } else { false } }.count
    }
    let page = try SampleSheet.sheet().pages()[0]
    #expect(boxes(page) == 1)
    // Beside an expiry, too, it says whole what follows: a first prescription has no former one.
    #expect(
      page.labels.contains { $0.text == "After that your former one returns, or nothing is amplified." })
    let bare = try SampleSheet.sheet(SampleSheet.bare(), side: 21).pages()[0]
    #expect(boxes(bare) == 0)
    #expect(!bare.labels.contains { $0.text.hasPrefix("TRIAL") || $0.text.hasPrefix("EXPIRES") })
    // WCAG 2.1: contrast of 4.5:1.
    #expect((Colour.paper.luminance + 0.05) / (Colour.warning.luminance + 0.05) >= 4.5)
  }

  @Test("the expiry that is printed is the end of the clinic's key where that comes first")
  func endOfTheKey() throws {
    func expiry(_ report: PrescriptionReport, keyEnds day: String?) throws -> [String] {
      let ends = try day.map { Instant(endOf: try #require(CalendarDate($0))) }
      let clinic = try ClinicKey(
        new: "Hearing Centre Lindenhof", created: SampleSheet.issued, validUntil: ends)
      let sheet = try PrescriptionSheet(
        report, text: "shc:/1234", key: SampleSheet.key, clinic: clinic.identity)
      return sheet.pages()[0].labels.map(\.text).filter { $0.hasPrefix("EXPIRES") }
    }
    // The sample expires on 2028-11-21.
    let report = try SampleSheet.report()
    #expect(try expiry(report, keyEnds: "2027-05-31") == ["EXPIRES 2027-05-31"])
    #expect(try expiry(report, keyEnds: "2029-05-31") == ["EXPIRES 2028-11-21"])
    #expect(try expiry(report, keyEnds: nil) == ["EXPIRES 2028-11-21"])
    let endless = try SampleSheet.report(hasEnd: false)
    #expect(try expiry(endless, keyEnds: "2027-05-31") == ["EXPIRES 2027-05-31"])
    #expect(try expiry(endless, keyEnds: nil) == [])
  }

  @Test(
    "every page of a card that nobody known has signed says so in white on a dark box, and none says that the clinic has signed it"
  )
  func unsigned() throws {
    let key = try #require(SampleSheet.key)
    for report in try SampleSheet.all() {
      var sheet = PrescriptionSheet(
        report: report, key: nil, code: CodeDrawing(SampleSheet.modules(side: 105)))
      sheet.doubt = "\(PrescriptionError.unknownKey(key))."
      for page in sheet.pages() {
        let texts = page.labels.map(\.text)
        let words = texts.joined(separator: " ")
        #expect(texts.contains("NOT VERIFIED: no clinic that is trusted here has signed this"))
        #expect(texts.contains { $0.hasPrefix("card from an unknown clinic") })
        #expect(!words.contains("The clinic has signed it") && !words.contains("rx scan"))
        #expect(!texts.contains(key.grouped))
        #expect(Layout.clipped(page) == [] && Layout.overlapping(page) == [])
      }
    }
    let signed = try SampleSheet.sheet().pages().flatMap { $0.labels.map(\.text) }
    #expect(!signed.contains { $0.hasPrefix("NOT VERIFIED") })
    #expect(signed.joined(separator: " ").contains("The clinic has signed it."))
  }

  @Test(
    "pages of a card whose time is over are as they were; those of one that nobody known has signed name no key"
  )
  func standing() throws {
    let report = try SampleSheet.report()
    func texts(_ standing: CardStanding) throws -> [String] {
      try PrescriptionSheet(report, text: "shc:/1234", key: SampleSheet.key, standing: standing).pages()
        .flatMap { $0.labels.map(\.text) }
    }
    let good = try texts(.good)
    #expect(try texts(.lapsed(.expired(at: SampleSheet.issued))) == good)
    let key = try #require(SampleSheet.key).grouped
    #expect(good.contains(key))
    #expect(try !texts(.unsigned(.badSignature(name: "Hearing Centre Lindenhof"))).contains(key))
  }
}
