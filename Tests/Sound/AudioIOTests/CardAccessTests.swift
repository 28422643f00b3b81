import CommonTesting
import Glibc
import Testing

@testable import AudioIO

@Suite("Right to the sound cards") struct CardAccessTests {
  /// As Linux 6.1 prints them.
  static let cards = ListedCard.all(
    cards: """
       0 [Loopback       ]: Loopback - Loopback
                            Loopback 1
       2 [Device         ]: USB-Audio - USB Audio - Device
                            C-Media at usb-0000:00:14.0-3, full speed

      """,
    devices: """
      00-00: Loopback PCM : Loopback PCM : playback 8 : capture 8
      00-01: Loopback PCM : Loopback PCM : playback 8 : capture 8
      02-00: USB Audio : USB Audio : playback 1
      05-00: gone : gone : capture 1

      """)

  /// Everything of these cards is refused.
  static func access(refusing numbers: Int...) -> CardAccess {
    CardAccess(cards: cards) { path in numbers.contains { path.hasPrefix("/dev/snd/controlC\($0)") } }
  }

  @Test("cards, devices and directions are read from the kernel's lists")
  func lists() {
    #expect(Self.cards.map(\.number) == [0, 2])
    #expect(Self.cards.map(\.id) == ["Loopback", "Device"])
    #expect(Self.cards.map(\.name) == ["Loopback", "USB Audio - Device"])
    #expect(Self.cards[0].devices.map(\.number) == [0, 1])
    #expect(Self.cards[0].devices.map(\.directions) == [[.capture, .playback], [.capture, .playback]])
    #expect(Self.cards[1].devices.map(\.directions) == [[.playback]])
    #expect(ListedCard.all(cards: "--- no soundcards ---\n", devices: "") == [])
    #expect(ListedCard.all(cards: "", devices: ":\n:::\n-:-\n") == [])
  }

  /// As `ls /sys/class/sound` names them.
  @Test("where /proc/asound is hidden, the kernel's objects say the same but for names")
  func objects() {
    let objects = [
      "timer", "seq", "card2", "controlC0", "pcmC0D0p", "pcmC0D0c", "pcmC0D1c", "pcmC0D1p", "card0",
      "pcmC2D0p",
      "hwC0D0", "pcmC10D0p", "cardx", "pcmC0Dp",
    ]
    let cards = ListedCard.all(objects: objects) { $0 == 0 ? "Loopback\n" : "Device\n" }
    #expect(cards.map(\.number) == Self.cards.map(\.number))
    #expect(cards.map(\.id) == Self.cards.map(\.id))
    #expect(cards.map { $0.devices.map(\.number) } == Self.cards.map { $0.devices.map(\.number) })
    #expect(cards.map { $0.devices.map(\.directions) } == Self.cards.map { $0.devices.map(\.directions) })
    #expect(ListedCard.all(objects: []) { _ in "" } == [])
    // A number for want of a name: as good in `hw:CARD=`.
    #expect(ListedCard.all(objects: ["card3"]) { _ in "" }.map(\.id) == ["3"])
  }

  @Test(
    "a card that may not be used is refused by its number, its name and through a plugin",
    arguments: [
      "hw:0", "hw:0,1", "hw:CARD=Loopback,DEV=1", "hw:Loopback,1", "plughw:0,0", "sysdefault:CARD=Loopback",
    ])
  func named(name: String) {
    #expect(Self.access(refusing: 0).refusedFile(for: name, .playback) == "/dev/snd/controlC0")
    #expect(Self.access(refusing: 2).refusedFile(for: name, .playback) == nil)
    #expect(Self.access().refusedFile(for: name, .playback) == nil)
  }

  @Test("a name without a card is refused where all cards are")
  func unnamed() {
    for name in ["default", "plug:default", "jack"] {
      #expect(
        Self.access(refusing: 0, 2).refusedFile(for: name, .capture) == "/dev/snd/controlC0", "\(name)")
      #expect(Self.access(refusing: 0).refusedFile(for: name, .capture) == nil, "\(name)")
      #expect(
        CardAccess(cards: [], refusal: { _ in true }).refusedFile(for: name, .capture) == nil, "\(name)")
    }
  }

  @Test("a card that there is not is missing, whatever may be used")
  func missing() {
    #expect(Self.access(refusing: 0, 2).refusedFile(for: "hw:9", .capture) == nil)
    #expect(Self.access(refusing: 0, 2).refusedFile(for: "hw:CARD=PCH,DEV=0", .capture) == nil)
  }

  @Test("one device of a card may be refused alone")
  func device() {
    let access = CardAccess(cards: Self.cards) { $0 == "/dev/snd/pcmC0D1c" }
    #expect(access.refusedFile(for: "hw:0,1", .capture) == "/dev/snd/pcmC0D1c")
    #expect(access.refusedFile(for: "hw:0,1", .playback) == nil)
    #expect(access.refusedFile(for: "hw:0,0", .capture) == nil)
  }

  @Test(
    "a card that is one user's alone, as those of a clinic's device are, is opened by no group; who plays on it is named",
    arguments: [(0o600, true), (0o660, false), (0o606, false)] as [(mode_t, Bool)])
  func sole(_ mode: mode_t, _ isSole: Bool) {
    let folder = TemporaryFolder()
    folder.write("", to: "controlC0")
    let file = folder.file("controlC0")
    // A file of root's is nobody's card; nobody, 65534 in Debian.
    if geteuid() == 0 { chown(file, 65_534, 65_534) }
    chmod(file, mode)
    let remedy = CardAccess.remedy(for: file)
    #expect(remedy.contains("usermod") == !isSole)
    #expect(remedy.contains("alone, as on a clinic's device") == isSole)
    #expect(!remedy.contains("systemctl"))
  }

  @Test("of a file that is not known, or not there, the group audio is told")
  func unknown() {
    for file in [nil, "/nonexistent/controlC0"] {
      #expect(CardAccess.remedy(for: file).hasPrefix("it needs the group audio: sudo usermod -aG audio "))
    }
  }

  @Test("devices of refused cards are described, with what they would be")
  func described() {
    let refused = Self.access(refusing: 0).refused
    #expect(refused.map(\.name) == ["hw:CARD=Loopback,DEV=0", "hw:CARD=Loopback,DEV=1"])
    #expect(refused.allSatisfy { $0.directions == [.capture, .playback] && $0.card == "Loopback" })
    #expect(refused.allSatisfy { $0.refusedFile == "/dev/snd/controlC0" && $0.capture == nil })
    #expect(refused.first?.refusal?.contains("sudo usermod -aG audio ") == true)
    #expect(Self.access().refused == [])
    let names = Self.access(refusing: 0).devices.map(\.name)
    #expect(names == ["hw:CARD=Device,DEV=0", "hw:CARD=Loopback,DEV=0", "hw:CARD=Loopback,DEV=1"])
  }
}
