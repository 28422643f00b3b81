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
      ("", nil, .empty), (" \n\r\n\t\n", nil, .empty),
      ("ear,frequency,threshold\n", nil, .noThresholds),
      ("ear,500,1000\nleft,,\n", nil, .noThresholds),
      ("hello\nworld", 1, .noHeader(["hello"])),
      ("{\"format\": 1}", 1, .misplacedQuote),
      ("\n\near,frequenzy,threshold\n", 3, .unknownColumn("frequenzy", nearest: "frequency")),
      ("ear,frequency,threshold,colour\n", 1, .unknownColumn("colour", nearest: nil)),
      ("ear,500,threshold\nleft,1,2", 1, .unknownColumn("threshold", nearest: nil)),
      ("ear,frequency,Freq,threshold\n", 1, .repeatedColumn("Freq")),
      ("ear,500,0.5k\n", 1, .repeatedColumn("0.5k")),
      ("frequency,threshold\n500,1", 1, .missingColumn("ear")),
      ("250,500\n1,1", 1, .missingColumn("ear")),
      ("ear,threshold\n500,1", 1, .missingColumn("frequency")),
      ("ear,frequency\n500,1", 1, .missingColumn("threshold")),
      ("ear,frequency,threshold\nleft,500,35,1", 2, .fieldCount(found: 4, expected: 3)),
      ("ear,frequency,threshold\nleft,500,35\n\nleft", 4, .fieldCount(found: 1, expected: 3)),
      ("ear,frequency,threshold\nleft,\"500,35", 2, .misplacedQuote),
      ("ear,frequency,threshold\nleft,5\"00,35", 2, .misplacedQuote),
      ("ear,frequency,threshold\nleft,\"500\"0,35", 2, .misplacedQuote),
      ("ear,frequency,threshold\nboth,500,35", 2, .notAnEar("both")),
      ("ear,frequency,threshold\n,500,35", 2, .notAnEar("")),
      ("ear,frequency,threshold\nleft,low,35", 2, .notAFrequency("low")),
      ("ear,frequency,threshold\nleft,nan,35", 2, .notAFrequency("nan")),
      ("ear,frequency,threshold\nleft,-,35", 2, .notAFrequency("-")),
      ("ear,frequency,threshold\nleft,500,", 2, .notAThreshold("", frequency: "500")),
      ("ear,frequency,threshold\nleft,500,NR", 2, .notAThreshold("NR", frequency: "500")),
      ("ear,frequency,threshold\nleft,500,1e1", 2, .notAThreshold("1e1", frequency: "500")),
      ("ear,frequency,threshold\nleft,500,0x10", 2, .notAThreshold("0x10", frequency: "500")),
      ("ear;frequency;threshold\nleft;500;1,2,3", 2, .notAThreshold("1,2,3", frequency: "500")),
      (
        "ear,frequency,threshold,masked\nleft,500,35,maybe", 2,
        .unknownWord("maybe", column: "masked", expected: "yes or no")
      ),
      (
        "ear,frequency,threshold,type\nleft,500,35,skull", 2,
        .unknownWord("skull", column: "type", expected: "air or bone")
      ),
      (
        "ear,frequency,threshold\nright,500,35\nright,1000,121", 3,
        .point(.thresholdOutOfRange(value: 121, frequency: 1000, conduction: .air), ear: .right)
      ),
      (
        "ear,frequency,threshold\nright,50,35", 2,
        .point(.frequencyOutOfRange(frequency: 50, conduction: .air), ear: .right)
      ),
      (
        "ear,frequency,threshold\nleft,500,35\nright,500,35\nleft,500,40", 4,
        .point(.duplicatePoint(frequency: 500, conduction: .air, isMasked: false), ear: .left)
      ),
    ] as [(String, Int?, AudiogramCSVError.Reason)])
  func refuses(text: String, line: Int?, reason: AudiogramCSVError.Reason) {
    #expect(throws: AudiogramCSVError(line: line, reason: reason)) { try AudiogramCSV(parsing: text) }
  }

  @Test("a message says the line, what was found and what was expected")
  func messages() {
    let errors: [(AudiogramCSVError, String)] = [
      (
        .init(line: 3, reason: .notAnEar("both")),
        "line 3: \"both\" as an ear: expected left or right"
      ),
      (
        .init(line: 2, reason: .fieldCount(found: 1, expected: 3)),
        "line 2: 1 field: expected 3, as in the header"
      ),
      (
        .init(line: 1, reason: .unknownColumn("frequenzy", nearest: "frequency")),
        "line 1: unknown column \"frequenzy\": did you mean \"frequency\"?"
      ),
    ]
    for (error, text) in errors { #expect("\(error)" == text) }
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
    #expect(throws: AudiogramCSVError(line: 202, reason: .point(.tooManyPoints(201), ear: .left))) {
      try AudiogramCSV(parsing: "ear,frequency,threshold\n" + rows)
    }
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
