import Testing

@testable import Acoustics

@Suite("Audiogram in comma-separated values") struct AudiogramCSVTests {
  private func ears(_ text: String) throws -> Binaural<Audiogram> { try AudiogramCSV(parsing: text).ears }

  private let both = "left,1000,40\nleft,500,35\nright,2000,50\n"

  @Test("the long form without its last columns is unmasked air conduction that was heard")
  func long() throws {
    let found = try ears("ear,frequency,threshold\n" + both)
    #expect(found.left == (try Audiogram(air: [500: 35, 1000: 40])))
    #expect(found.right == (try Audiogram(air: [2000: 50])))
  }

  @Test("conduction, masking and response are read, in any order of columns and with empty fields")
  func columns() throws {
    let text = """
      threshold,masked,ear,response,conduction,frequency
      40,yes,L,yes,bone,1000
      110,,right,no,,4000
      35,NO,Right,true,AC,500
      """
    let found = try ears(text)
    #expect(
      found.left.points == [
        .init(frequency: 1000, threshold: HearingLevel(40), conduction: .bone, isMasked: true)
      ])
    #expect(
      found.right.points == [
        .init(frequency: 500, threshold: HearingLevel(35)),
        .init(frequency: 4000, threshold: HearingLevel(110), hasResponse: false),
      ])
  }

  @Test("the wide form leaves out empty fields and reads >110 as no response")
  func wide() throws {
    let found = try ears("ear,conduction,250,500 Hz,1k,1.5 kHz\nright,air,35,,>110,-5\nleft,bone,,20,,\n")
    #expect(
      found.right.points == [
        .init(frequency: 250, threshold: HearingLevel(35)),
        .init(frequency: 1000, threshold: HearingLevel(110), hasResponse: false),
        .init(frequency: 1500, threshold: HearingLevel(-5)),
      ])
    #expect(
      found.left.points == [.init(frequency: 500, threshold: HearingLevel(20), conduction: .bone)])
  }

  @Test("separators, decimal commas, byte-order mark, line ends, quotes and spaces change nothing")
  func forms() throws {
    let expected = try Audiogram(air: [500: 35, 1000: 42.5])
    for text in [
      "ear,frequency,threshold\nleft,500,35\nleft,1000,42.5",
      "ear;frequency;threshold\nleft;500;35\nleft;1000;42,5\n",
      "ear\tfrequency\tthreshold\nleft\t500\t35,0\nleft\t1000\t42.5\n",
      "\u{FEFF}ear,frequency,threshold\r\nleft,500,35\r\nleft,1000,42.5\r\n",
      "ear,frequency,threshold\rleft,500,35\rleft,1000,42.5\r",
      "\"ear\",\"frequency\",\"threshold\"\n\"left\",\"500\",\"35\"\n\"left\", 1000 ,\"42,5\"\n",
      "Ear,Frequency (Hz),Threshold [dB HL]\n LEFT , 500 , 35 \n\n,,\nLeft,1000,42.5\n\n",
      "side;freq;level\nl;500;35\nl;1k;42,5",
    ] {
      #expect(try ears(text).left == expected, "\(text)")
    }
  }

  @Test(
    "bad input is refused with its line and its reason",
    arguments: [
      ("", nil, "no text: expected a header row such as \"ear,frequency,threshold\""),
      (" \n\r\n\t\n", nil, "no text: expected a header row such as \"ear,frequency,threshold\""),
      ("ear,frequency,threshold\n", nil, "no thresholds below the header"),
      ("ear,500,1000\nleft,,\n", nil, "no thresholds below the header"),
      (
        "hello\nworld", 1,
        "\"hello\" as the header: expected \"ear,frequency,threshold\" or \"ear,250,500,1000\""
      ),
      ("{\"format\": 1}", 1, AudiogramCSVTests.quote),
      ("\n\near,frequenzy,threshold\n", 3, "unknown column \"frequenzy\": did you mean \"frequency\"?"),
      ("ear,frequency,threshold,colour\n", 1, AudiogramCSVTests.unknown("colour")),
      ("ear,500,threshold\nleft,1,2", 1, AudiogramCSVTests.unknown("threshold")),
      ("ear,frequency,Freq,threshold\n", 1, "column \"Freq\" given twice"),
      ("ear,500,0.5k\n", 1, "column \"0.5k\" given twice"),
      ("frequency,threshold\n500,1", 1, "no column \"ear\""),
      ("250,500\n1,1", 1, "no column \"ear\""),
      ("ear,threshold\n500,1", 1, "no column \"frequency\""),
      ("ear,frequency\n500,1", 1, "no column \"threshold\""),
      ("ear,frequency,threshold\nleft,500,35,1", 2, "4 fields: expected 3, as in the header"),
      ("ear,frequency,threshold\nleft,500,35\n\nleft", 4, "1 field: expected 3, as in the header"),
      ("ear,frequency,threshold\nleft,\"500,35", 2, AudiogramCSVTests.quote),
      ("ear,frequency,threshold\nleft,5\"00,35", 2, AudiogramCSVTests.quote),
      ("ear,frequency,threshold\nleft,\"500\"0,35", 2, AudiogramCSVTests.quote),
      ("ear,frequency,threshold\nboth,500,35", 2, "\"both\" as an ear: expected left or right"),
      ("ear,frequency,threshold\n,500,35", 2, "\"\" as an ear: expected left or right"),
      ("ear,frequency,threshold\nleft,low,35", 2, "\"low\" as a frequency: expected Hz, as 1000"),
      ("ear,frequency,threshold\nleft,nan,35", 2, "\"nan\" as a frequency: expected Hz, as 1000"),
      ("ear,frequency,threshold\nleft,-,35", 2, "\"-\" as a frequency: expected Hz, as 1000"),
      ("ear,frequency,threshold\nleft,500,", 2, AudiogramCSVTests.threshold("")),
      ("ear,frequency,threshold\nleft,500,NR", 2, AudiogramCSVTests.threshold("NR")),
      ("ear,frequency,threshold\nleft,500,1e1", 2, AudiogramCSVTests.threshold("1e1")),
      ("ear,frequency,threshold\nleft,500,0x10", 2, AudiogramCSVTests.threshold("0x10")),
      ("ear;frequency;threshold\nleft;500;1,2,3", 2, AudiogramCSVTests.threshold("1,2,3")),
      (
        "ear,frequency,threshold,masked\nleft,500,35,maybe", 2,
        "\"maybe\" in column \"masked\": expected yes or no"
      ),
      (
        "ear,frequency,threshold,type\nleft,500,35,skull", 2,
        "\"skull\" in column \"type\": expected air or bone"
      ),
      (
        "ear,frequency,threshold\nright,500,35\nright,1000,121", 3,
        "right ear, air conduction of 121 dB HL at 1000 Hz: expected -10 to 120 dB HL"
      ),
      (
        "ear,frequency,threshold\nright,50,35", 2,
        "right ear, air conduction at 50 Hz: expected a frequency of 125 to 16000 Hz"
      ),
      (
        "ear,frequency,threshold\nleft,500,35\nright,500,35\nleft,500,40", 4,
        "left ear, unmasked air conduction at 500 Hz given twice"
      ),
    ] as [(String, Int?, String)])
  func refuses(text: String, line: Int?, reason: String) {
    let error = #expect(throws: AcousticsError.self) { try AudiogramCSV(parsing: text) }
    #expect(error?.line == line && error?.reason == reason)
  }

  static let quote =
    "a quotation mark is missing or out of place: expected quotes around a whole field"

  static func unknown(_ column: String) -> String {
    "unknown column \"\(column)\": expected ear, frequency, threshold, conduction, masked or response"
  }

  static func threshold(_ field: String) -> String {
    "\"\(field)\" as the threshold at 500 Hz: expected dB HL, as 40, or >110 for no response at 110"
  }

  @Test("a message says the line, what was found and what was expected")
  func messages() {
    let texts = [
      ("ear,frequency,threshold\n\nboth,500,35", "line 3: \"both\" as an ear: expected left or right"),
      ("ear,frequency,threshold\nleft", "line 2: 1 field: expected 3, as in the header"),
      ("ear,frequenzy,threshold", "line 1: unknown column \"frequenzy\": did you mean \"frequency\"?"),
    ]
    for (text, words) in texts {
      #expect(refusal { () throws(AcousticsError) in try AudiogramCSV(parsing: text) } == words)
    }
  }

  @Test("what the JSON file says and what the table says is the same audiogram")
  func sameAsJSON() throws {
    let text = """
      {"format": "auricle-audiogram", "version": 1,
       "left": {"air": {"1000": 40, "4000": {"threshold": 110, "response": false}}}, "right": {}}
      """
    let table = "ear,frequency,threshold,response\nleft,1000,40,yes\nleft,4000,110,no\n"
    #expect(try ears(table) == (try AudiogramFile(parsing: text).ears))
  }

  @Test("a table that does not end is refused at the 201st threshold of an ear")
  func endless() {
    let rows = (0..<60_000).map { "left,\(Double(125_000 + $0 * 100) / 1000),40\n" }.joined()
    let words = refusal { () throws(AcousticsError) in
      try AudiogramCSV(parsing: "ear,frequency,threshold\n" + rows)
    }
    #expect(words == "line 202: left ear, 201 points: expected at most 200")
  }

  @Test("random bytes of the words that tables are made of are read or refused, never anything else")
  func fuzzed() {
    let words = [
      "ear", "left", "right", "frequency", "threshold", "masked", "1000", "500", "40", ">110", "-5", "yes",
      ",", ",", ",", ";", "\t", "\n", "\n", "\r\n", "\"", " ", "\u{FEFF}", "1,5", ".", "e\u{301}", "k",
      "hz",
    ]
    var random = SystemRandomNumberGenerator()
    var read = 0
    for _ in 0..<20_000 {
      let start = Bool.random(using: &random) ? "ear,frequency,threshold\nleft,1000,40\n" : ""
      let count = Int.random(in: 0...30, using: &random)
      let text = start + (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      if (try? AudiogramCSV(parsing: text)) != nil { read += 1 }
    }
    #expect(read > 0 && read < 20_000)
  }
}
