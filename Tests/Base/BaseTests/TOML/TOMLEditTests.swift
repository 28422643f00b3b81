import CommonTesting
import Testing

@testable import Base

@Suite("Edits of a TOML document") struct TOMLEditTests {
  private func edited(_ text: String, _ key: String..., to value: String) throws -> String {
    var edit = try TOMLEdit([UInt8](text.utf8))
    try edit.set(key, to: value)
    return String(decoding: edit.text, as: UTF8.self)
  }

  @Test("a value that is there is replaced, and everything beside it stays")
  func replaces() throws {
    let text = """
      # Mine.
      [device]   # card
      capture = "hw:0"  # microphone
      period   =   64
      levels = [
        1, # one
        2,
      ]
      playback = 'hw:1'
      """
    #expect(
      try edited(text, "device", "capture", to: "\"hw:CARD=Buds\"")
        == text.replacing("\"hw:0\"", with: "\"hw:CARD=Buds\""))
    #expect(try edited(text, "device", "period", to: "128") == text.replacing("64", with: "128"))
    #expect(
      try edited(text, "device", "levels", to: "3") == text.replacing("[\n  1, # one\n  2,\n]", with: "3"))
    // At the very end, without a line end.
    #expect(try edited(text, "device", "playback", to: "\"x\"") == text.replacing("'hw:1'", with: "\"x\""))
  }

  @Test("a new value stands below its commented line, at the end of its table, or in a new table")
  func adds() throws {
    #expect(
      try edited(
        "[device]\n# Name.\n# capture = \"hw:0\"\n\nperiod = 64\n", "device", "capture", to: "\"a\"")
        == "[device]\n# Name.\n# capture = \"hw:0\"\ncapture = \"a\"\n\nperiod = 64\n")
    #expect(
      try edited("[device]\nperiod = 64\n\n[safety]\nramp = 1\n", "device", "capture", to: "\"a\"")
        == "[device]\nperiod = 64\ncapture = \"a\"\n\n[safety]\nramp = 1\n")
    #expect(
      try edited("[device]\n[safety]\n", "device", "rate", to: "1") == "[device]\nrate = 1\n[safety]\n")
    #expect(try edited("[device]", "device", "rate", to: "1") == "[device]\nrate = 1\n")
    #expect(
      try edited("[device]\nrate = 1", "device", "period", to: "2") == "[device]\nrate = 1\nperiod = 2\n")
    #expect(try edited("", "device", "rate", to: "1") == "[device]\nrate = 1\n")
    #expect(
      try edited("[log]\nlevel = \"info\"", "a", "b", "c", to: "1")
        == "[log]\nlevel = \"info\"\n\n[a.b]\nc = 1\n")
    #expect(try edited("[a]\nb = 1\n", "top", to: "2") == "top = 2\n[a]\nb = 1\n")
    #expect(try edited("[a]\r\nb = 1\r\n", "a", "c", to: "2") == "[a]\r\nb = 1\r\nc = 2\r\n")
  }

  @Test("a key is found in whichever way its table is written")
  func spellings() throws {
    #expect(try edited("device.capture = 1\n", "device", "capture", to: "2") == "device.capture = 2\n")
    #expect(
      try edited("[ \"device\" ]\n'capture' = 1\n", "device", "capture", to: "2")
        == "[ \"device\" ]\n'capture' = 2\n")
    #expect(try edited("[a.b]\nc.d = 1\n", "a", "b", "c", "d", to: "2") == "[a.b]\nc.d = 2\n")
  }

  @Test("what would make the document wrong is refused, and changes nothing")
  func refuses() throws {
    for (text, key, value) in [
      ("[a]\nb = 1\n", ["a", "b"], "two words"), ("[a]\nb = 1\n", ["a", "b"], ""),
      ("[a]\nb = 1\n", ["a", "b"], "1\n[c]"), ("a = { b = 1 }\n", ["a", "c", "d"], "2"),
      ("a = 1\n", ["a", "b"], "2"),
      ("[[a]]\nb = 1\n", ["a", "c", "d"], "nonsense"),
    ] {
      var edit = try TOMLEdit([UInt8](text.utf8))
      #expect(throws: TOMLError.self, "\(text) \(key) \(value)") { try edit.set(key, to: value) }
      #expect(edit.text == [UInt8](text.utf8))
    }
    #expect(throws: TOMLError.self) { try TOMLEdit([UInt8]("a = \n".utf8)) }
  }

  private func removed(_ text: String, _ key: String...) throws -> String {
    var edit = try TOMLEdit([UInt8](text.utf8))
    try edit.remove(key)
    return String(decoding: edit.text, as: UTF8.self)
  }

  @Test("a key in braces is set in its place, and taken out with the comma beside it")
  func braces() throws {
    let text = "[a]\nb = { c = 1, \"d\".e = [\n 2, ], f = { g = \"}\" } } # end\nh = 3\n"
    #expect(try edited(text, "a", "b", "c", to: "4") == text.replacing("c = 1", with: "c = 4"))
    #expect(try edited(text, "a", "b", "d", "e", to: "5") == text.replacing("[\n 2, ]", with: "5"))
    #expect(try edited(text, "a", "b", "f", "g", to: "6") == text.replacing("\"}\"", with: "6"))
    #expect(try removed(text, "a", "b", "c") == text.replacing("c = 1, ", with: ""))
    #expect(try removed(text, "a", "b", "d", "e") == text.replacing("\"d\".e = [\n 2, ], ", with: ""))
    #expect(try removed(text, "a", "b", "f") == text.replacing(", f = { g = \"}\" }", with: ""))
    #expect(try removed(text, "a", "b", "f", "g") == text.replacing("g = \"}\"", with: ""))
    #expect(try removed("a = {b = 1}\n", "a", "b") == "a = {}\n")
    #expect(try removed(text, "a", "b") == "[a]\nh = 3\n")
    #expect(try removed(text, "a", "b", "x") == text)
    #expect(try removed(text, "b", "c") == text)
  }

  @Test("a new key of a table in braces stands behind the last one there; what was taken out is set again")
  func addsInBraces() throws {
    #expect(try edited("a = { b = 1 } # end\n", "a", "c", to: "2") == "a = { b = 1, c = 2 } # end\n")
    #expect(try edited("a = {}\n", "a", "c", to: "2") == "a = { c = 2 }\n")
    let text = "[a]\nb = { c = 1, d = { e = [\n 2, ] } }\nh = 3\n"
    #expect(try edited(text, "a", "b", "x", to: "4") == text.replacing("] } }", with: "] }, x = 4 }"))
    #expect(try edited(text, "a", "b", "d", "x", to: "4") == text.replacing("] } }", with: "], x = 4 } }"))
    let taken = try removed("safety = { maximum-output = 104, ramp = 1 }\n", "safety", "maximum-output")
    #expect(
      try edited(taken, "safety", "maximum-output", to: "104")
        == "safety = { ramp = 1, maximum-output = 104 }\n")
  }

  @Test(
    "a table of its own is not taken out as a key, and nothing changes",
    arguments: ["[a]\nb = 1\n", "a.b = 1\n"])
  func keepsTables(text: String) throws {
    var edit = try TOMLEdit([UInt8](text.utf8))
    #expect(throws: TOMLError.self) { try edit.remove(["a"]) }
    #expect(edit.text == [UInt8](text.utf8))
  }

  @Test("a key is taken out with its line")
  func removes() throws {
    var edit = try TOMLEdit([UInt8]("[a]\n# One.\nb = [\n 1,\n] # end\nc = 2".utf8))
    try edit.remove(["a", "b"])
    #expect(String(decoding: edit.text, as: UTF8.self) == "[a]\n# One.\nc = 2")
  }
}
