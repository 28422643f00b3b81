import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Engine
import Glibc
import Service
import Testing

@testable import AuricleCommands

@Suite("Setup: the whole way, devices and sides") struct SetupTests: SetupSuite {
  let folder = TemporaryFolder()
  let bench = FakeBench()

  @Test(
    "one sound card and a card in hand: eight answers lead to sound, and nothing is asked that is known")
  func shortestWay() throws {
    let person = ScriptedPerson(Self.shortest)
    try run(person)
    #expect(person.rest.isEmpty && person.questions.count == 8)
    let configuration = try configuration
    #expect(configuration.device.playback == "hw:CARD=Headset,DEV=0")
    #expect(configuration.device.capture == "hw:CARD=Headset,DEV=0")
    #expect(bench.loaded == ["card.png"] && bench.begun == ["feedback", "start"])
    #expect(SetupFile(folder: folder.file("state")).read().done == [])
  }

  @Test("several cards are listed by number, and the microphone of the chosen one is taken with it")
  func severalCards() throws {
    bench.cards = [FakeBench.card("hw:CARD=PCH,DEV=0", "Intel"), FakeBench.card("hw:CARD=Headset,DEV=0")]
    let person = ScriptedPerson([("1 to 2", "3"), ("1 to 2", "2")] + Self.shortest)
    try run(person)
    #expect(try configuration.device.playback == "hw:CARD=Headset,DEV=0")
    #expect(try configuration.device.capture == "hw:CARD=Headset,DEV=0")
    #expect(person.heard.contains { $0.contains("Found \"3\"") })
  }

  @Test("two cards of one name are told apart by a sentence")
  func sameNames() throws {
    bench.cards = [FakeBench.card("hw:CARD=Headset,DEV=0"), FakeBench.card("hw:CARD=Headset_1,DEV=0")]
    let person = ScriptedPerson([("1 to 2", "1")] + Self.shortest)
    try run(person)
    #expect(person.heard.contains { $0.contains("Some have the same name") })
  }

  @Test("earphones without a microphone ask for one where several are there, and take the only one")
  func separateMicrophone() throws {
    bench.cards = [
      FakeBench.card("hw:CARD=DAC,DEV=0", "DAC", [.playback]),
      FakeBench.card("hw:CARD=Mic,DEV=0", "Mic", [.capture]),
    ]
    try run(ScriptedPerson(Self.shortest))
    #expect(try configuration.device.playback == "hw:CARD=DAC,DEV=0")
    #expect(try configuration.device.capture == "hw:CARD=Mic,DEV=0")
  }

  @Test("devices that are named on the command line or in the configuration are not asked for")
  func named() throws {
    bench.cards = []
    folder.write("[device]\ncapture = \"mine\"\n", to: "auricle.toml")
    try run(ScriptedPerson(Self.shortest), named: (nil, "other"))
    #expect(try configuration.device.capture == "mine")
    #expect(try configuration.device.playback == "other")
  }

  @Test("without a card it waits for one to be plugged in")
  func noCard() throws {
    let cards = bench.cards
    bench.cards = []
    let person = ScriptedPerson([])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.questions == ["Plug it in, then press Enter; or type the name of an ALSA device:"])
    bench.cards = cards
    try run(ScriptedPerson(Self.shortest))
  }

  @Test("where no card is found, or one cannot be opened, the name of another device can be typed")
  func typedDevice() throws {
    bench.cards = []
    bench.refusals = ["pulse": "there is none"]
    let person = ScriptedPerson(
      [("Plug it in", "pulse"), ("type another device for the earphones", "lat"), ("Plug it in", "mic")]
        + Self.shortest)
    try run(person)
    #expect(try configuration.device.playback == "lat")
    #expect(try configuration.device.capture == "mic")
  }

  @Test("of other names than those of cards the one that plays nothing is not offered")
  func silentDevice() throws {
    bench.cards = ["jack", "null"].map { name in
      var device = FakeBench.card(name)
      device.card = nil
      return device
    }
    let person = ScriptedPerson([("Plug it in", "jack"), ("Plug it in", "jack")] + Self.shortest)
    try run(person)
    #expect(person.heard.contains("ALSA has these names besides: jack."))
    #expect(!person.heard.contains { $0.contains("null") })
  }

  @Test(
    "the device that plays nothing is not taken for the earphones, typed or named, and another is asked for"
  )
  func silentEarphones() throws {
    bench.cards = []
    let answers = [
      ("Plug it in", "null"), ("type another device for the earphones", "lat"), ("Plug it in", "null"),
    ]
    let typed = ScriptedPerson(answers + Self.shortest)
    try run(typed)
    #expect(typed.heard.contains("null: it discards all sound, and a device that can be heard is needed."))
    #expect(try configuration.device.playback == "lat" && configuration.device.capture == "null")
    bench.hasCard = false
    let named = ScriptedPerson([("type another device for the earphones", "lat")] + Self.shortest)
    try run(named, named: (nil, "null"))
    #expect(try configuration.device.playback == "lat")
  }

  /// The kernel's loopback, which nobody hears.
  private static let loopback = {
    var device = FakeBench.card("hw:CARD=Loopback,DEV=0", "Loopback")
    device.hasConverters = false
    return device
  }()

  @Test(
    "the one card is taken without a question beside the kernel's loopback, whatever their order",
    arguments: [0, 1])
  func besideLoopback(place: Int) throws {
    bench.cards.insert(Self.loopback, at: place)
    let person = ScriptedPerson(Self.shortest)
    try run(person)
    #expect(try configuration.device.playback == "hw:CARD=Headset,DEV=0")
    #expect(try configuration.device.capture == "hw:CARD=Headset,DEV=0")
    #expect(!person.heard.contains { $0.contains("Loopback") })
  }

  @Test("the loopback alone is not taken, and is used where its name is typed")
  func loopbackAlone() throws {
    bench.cards = [Self.loopback]
    let name = "hw:CARD=Loopback,DEV=0"
    let person = ScriptedPerson([("Plug it in", name), ("Plug it in", name)] + Self.shortest)
    try run(person)
    #expect(person.heard.contains("ALSA has these names besides: \(name)."))
    #expect(try configuration.device.playback == name && configuration.device.capture == name)
  }

  @Test("a device that cannot be opened is told with its reason, and tried again")
  func busy() throws {
    bench.refusals = ["hw:CARD=Headset,DEV=0": "it is in use by pipewire"]
    let person = ScriptedPerson([("try again", "")] + Self.shortest)
    try run(person)
    #expect(person.heard.contains { $0.contains("in use by pipewire") })
  }

  @Test(
    "a card that has another rate of the aid's alone is used at that, which is said and can be taken back")
  func otherRate() throws {
    bench.rates = ["hw:CARD=Headset,DEV=0": [48_000]]
    let person = ScriptedPerson(Self.shortest)
    try run(person)
    #expect(try configuration.device.rate == 48_000)
    #expect(
      person.heard.contains {
        $0.hasPrefix("hw:CARD=Headset,DEV=0 does not run at 44100 Hz: it offers 48000 Hz. The aid runs")
          && $0.contains("at 48000 Hz from now on") && $0.contains("auricle config set device.rate=44100")
      })
    #expect(person.rest.isEmpty && person.questions.count == 8)
  }

  @Test("a card with the rate of the configuration leaves that as it is")
  func sameRate() throws {
    bench.rates = ["hw:CARD=Headset,DEV=0": [44_100, 48_000]]
    try run(ScriptedPerson(Self.shortest))
    #expect(try configuration.device.rate == Configuration().device.rate)
  }

  @Test("two devices without a rate in common are told, and another microphone is asked for")
  func noCommonRate() throws {
    bench.cards = [
      FakeBench.card("hw:CARD=DAC,DEV=0", "DAC", [.playback]),
      FakeBench.card("hw:CARD=Mic,DEV=0", "Mic", [.capture]),
    ]
    bench.rates = ["hw:CARD=DAC,DEV=0": [48_000], "hw:CARD=Mic,DEV=0": [44_100]]
    let person = ScriptedPerson([("type another device for the microphone", "other")] + Self.shortest)
    try run(person)
    #expect(try configuration.device.playback == "hw:CARD=DAC,DEV=0")
    #expect(try configuration.device.capture == "other")
    #expect(try configuration.device.rate == 48_000)
    #expect(
      person.heard.contains {
        $0.contains("have no rate in common that the aid takes: 44100, 48000 or 96000 Hz")
          && $0.contains("auricle setup --output DEVICE")
      })
  }

  @Test("a device with no rate of the aid's is told with its rates, and another one is asked for")
  func noRate() throws {
    bench.cards = []
    bench.rates = ["old": [32_000]]
    let person = ScriptedPerson(
      [("Plug it in", "old"), ("type another device for the earphones", "lat"), ("Plug it in", "lat")]
        + Self.shortest)
    try run(person)
    #expect(person.heard.contains("old: old does not run at 44100 Hz: it offers 32000 Hz."))
    #expect(try configuration.device.playback == "lat" && configuration.device.rate == 44_100)
  }

  @Test(
    "where the aid starts and no sound flows, that is said, the status is that of the start, and the step stays open",
    arguments: [Base.ExitStatus.no, .temporary, .configuration])
  func silentStart(_ status: Base.ExitStatus) throws {
    bench.startStatus = status
    let person = ScriptedPerson(Self.shortest)
    #expect(try run(person) == status)
    #expect(person.heard.contains { $0.contains("no sound flows: auricle status says why") })
    #expect(!person.heard.contains { $0.hasPrefix("Set up.") })
    #expect(SetupFile(folder: folder.file("state")).read().next == .start)
    bench.startStatus = .done
    #expect(try run(ScriptedPerson([("Start it now?", "")])) == .done)
    #expect(bench.begun == ["feedback", "start", "start"])
    #expect(SetupFile(folder: folder.file("state")).read().done == [])
  }

  @Test("exchanged sides are told, and both are played again until they are right in one go")
  func exchanged() throws {
    var answers = Self.shortest
    answers.insert(
      contentsOf: [("first sound", "right"), ("second sound", "left"), ("both again", "")], at: 2)
    answers.insert(
      contentsOf: [
        ("first sound", "both"), ("second sound", "again"), ("second sound", "both"), ("both again", ""),
      ], at: 5)
    answers.insert(
      contentsOf: [("first sound", "left"), ("second sound", "left"), ("both again", "")], at: 9)
    let person = ScriptedPerson(answers)
    try run(person)
    #expect(person.heard.contains { $0.contains("Exchange the earphones") })
    #expect(person.heard.contains { $0.contains("Switch off mono") })
    #expect(person.heard.contains { $0.contains("Both sounds came to your left ear") })
  }

  /// Levels of the sounds of one ear each, dB relative to full scale.
  private func sides() -> [(ear: Ear, level: Double)] {
    stride(from: bench.stopsAfter ?? 0, to: bench.played.count, by: 3).map {
      (bench.played[$0].sound.ear, bench.played[$0].sound.level)
    }
  }

  @Test(
    "left and right are played 20 dB below the level that was confirmed as the loudest, also when asked for again"
  )
  func softSides() throws {
    var answers = Self.shortest
    answers.insert(contentsOf: [("first sound", "again"), ("first sound", "again")], at: 2)
    try run(ScriptedPerson(answers))
    // Tones rise from −70 dB in steps of 3 dB; Enter came at the fifteenth.
    let confirmed = -70 + 14 * 3.0
    #expect(sides().map(\.ear) == [.left, .left, .left, .right])
    #expect(sides().allSatisfy { $0.level == confirmed - 20 })
    #expect(bench.played.allSatisfy { $0.sound.level <= confirmed })
  }

  @Test(
    "what is not heard comes 10 dB louder, to the level that was confirmed and no further, and the other ear begins 20 dB below it"
  )
  func risingSides() throws {
    var answers = Self.shortest
    answers.insert(contentsOf: [("first sound", "none"), ("first sound", "none")], at: 2)
    try run(ScriptedPerson(answers))
    let confirmed = -70 + 14 * 3.0
    #expect(sides().map(\.level) == [confirmed - 20, confirmed - 10, confirmed, confirmed - 20])
  }

  @Test(
    "a level that was confirmed near the softest tone is not left, and no sound is softer than that tone"
  )
  func softestSides() throws {
    bench.stopsAfter = 5
    var answers = Self.shortest(pressedAt: 5)
    let place = try #require(answers.firstIndex { $0.0 == "first sound" })
    answers.insert(contentsOf: [("first sound", "none"), ("first sound", "none")], at: place)
    try run(ScriptedPerson(answers))
    // −58 dB: 20 dB below it would be −78.
    #expect(sides().map(\.level) == [-70, -60, -58, -70])
  }

  @Test("who hears nothing in one ear at the level that was confirmed either finds the loudness again")
  func silentEar() throws {
    var answers = Self.shortest
    let nothing = Array(repeating: ("first sound", "none"), count: 3)
    answers.insert(contentsOf: nothing + [("Enter to begin", ""), ("", "")], at: 2)
    try run(ScriptedPerson(answers))
    #expect(bench.begun == ["feedback", "start"])
  }
}
