import Testing

@testable import Control

@Suite("Devices that may start programs") struct HarmfulDevicesTests {
  private static func names(_ text: String) -> [String] {
    Configuration.Device.harmfulNames(in: [UInt8](text.utf8)).map { "\($0.key) \($0.name)" }
  }

  @Test("are told with their keys, and others are not")
  func told() {
    let text = """
      [device]
      capture = "file:'/tmp/x'"
      playback = "hw:CARD=PCH,DEV=0"
      stream = "tee:null,'|id',raw"
      """
    #expect(Self.names(text) == ["device.capture file:'/tmp/x'", "device.stream tee:null,'|id',raw"])
    #expect(Self.names("[device]\nplayback = \"pipewire:NODE=aid\"\nstream = \"lat\"\n") == [])
  }

  @Test("are found whatever is wrong in the rest of the text, and are none in JSON")
  func mistaken() {
    let device = "device.playback = \"tee:null,'|id',raw\"\n"
    let calibration = "[calibration.earphone]\nstatus = \"verified\"\n"
    for rest in ["", "device.period = 8\n", "nonsense = 1\n", calibration, "[device", "x = '''", "\0\n"] {
      #expect(Self.names(device + rest) == ["device.playback tee:null,'|id',raw"], "\(rest)")
    }
    #expect(Self.names("{\"device\": {\"playback\": \"tee:null,'|id',raw\"}}") == [])
  }

  @Test(
    "are found in a text that is no configuration only until somebody corrects it",
    arguments: [
      "[device]\nplayback = \"tee:null,'|id',raw\"\n[devic\n",
      "[device\nplayback = \"tee:null,'|id',raw\"\n",
      "[devic]\nplayback = \"tee:null,'|id',raw\"\n",
      "[device]\nplayback = \"tee:null,'|id',raw\n",
      "[device]\nplayback = tee:null,'|id',raw\n",
      "[device]\r\"play\\u0062ack\" = \"tee:null,'|id',raw\"\r",
    ])
  func uncorrected(text: String) {
    #expect(Self.names(text) == ["device.playback tee:null,'|id',raw"])
  }

  @Test(
    "are found in any table of TOML",
    arguments: [
      "devices = { playback = \"tee:null,'|id',raw\" }\n",
      "device = [[{ playback = \"tee:null,'|id',raw\" }]]\n",
      "[devic]\nplayback = \"\"\"\ntee:null,'|id',raw\"\"\"",
      "[devic]\nplayback = [\n\"hw:0\", \"tee:null,'|id',raw\",\n]\n",
      "[[devices.sound]]\n\"playback\" = \"tee:null,'|id',raw\"\n",
    ])
  func tables(text: String) {
    #expect(Self.names(text) == ["device.playback tee:null,'|id',raw"])
  }

  @Test(
    "are none in JSON on one line with = and escapes in its strings",
    arguments: [
      #"{"notes":["\"Sens Factor =-1.378dB, SERNO: 7000000\""],"rows":[[20,-3],[1000,0]]}"#,
      #"{"text":{"div":"<div xmlns=\"http://www.w3.org/1999/xhtml\"><table class=\"grid\"/></div>"}}"#,
      #"{"notes":["playback = 94 dB (capture = 1 kHz)"]}"#,
    ])
  func json(text: String) {
    #expect(Self.names(text) == [])
    #expect(Self.names(text + "\n") == [])
  }

  @Test("are none in a text with mistakes and harmless devices, unless a name goes on in the next line")
  func harmless() {
    let text = """
      [device]
      capture = hw:CARD=PCH
      playback = "hw:0
      [stream]
      level = 85 dB
      stream.level = 85 dB
      [hearing
      audiogram = /home/upstream/ada.json
      # playback = "tee:null,'|id',raw"
      """
    #expect(Self.names(text) == [])
    #expect(Self.names("[device]\nplayback = \"\"\"hw\n:0\"\"\"\n[devic") == ["device.playback hw"])
  }
}
