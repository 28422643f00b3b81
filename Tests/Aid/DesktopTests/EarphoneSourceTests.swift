import AudioIO
import Bus
import CommonTesting
import Glibc
import Testing

@testable import DesktopCommand
@testable import Service

@Suite("Source of the earphones' identity") struct EarphoneSourceTests {
  private static let buds = BluetoothEarphones(
    address: "04:5D:4B:00:11:22", name: "Buds", modalias: "bluetooth:v004Cp200Ed0C20", charge: 40)
  private static let others = BluetoothEarphones(address: "04:5D:4B:00:11:33", name: "Others")

  private func source(card: CardModel? = nil, sink: PipeWireSink? = nil) -> EarphoneSource {
    EarphoneSource(card: { _ in card }, sink: { $0 == nil ? sink : nil })
  }

  private func ask(
    _ source: EarphoneSource, _ playback: String? = "default", _ bluetooth: [BluetoothEarphones] = [buds]
  ) -> StatusReport.Earphones? {
    source.earphones(EarphoneSource.Question(playback: playback, bluetooth: bluetooth))
  }

  @Test("of a USB card it is maker and product, whatever else is connected")
  func usb() {
    let headset = CardModel(name: "Headset", bus: "usb", modalias: "usb:v046Dp0A4Dd0111dc00dsc00")
    #expect(
      ask(source(card: headset), "hw:CARD=Headset")
        == StatusReport.Earphones(connection: .usb, name: "Headset", modalias: "usb:v046Dp0A4D"))
    for modalias in ["", "046d:0a4d", "usb:v046D", "pci:v00008086d00009D71", nil] as [String?] {
      let card = CardModel(name: "HDA Intel PCH", bus: "pci", modalias: modalias)
      #expect(ask(source(card: card), "hw:CARD=PCH") == nil, "\(modalias ?? "")")
    }
  }

  @Test("without PipeWire it is the only pair that is connected; of two nobody knows")
  func bluetooth() {
    let expected = StatusReport.Earphones(
      connection: .bluetooth, name: "Buds", address: "04:5D:4B:00:11:22",
      modalias: "bluetooth:v004Cp200Ed0C20")
    #expect(ask(source()) == expected)
    #expect(ask(source(), "default", [Self.buds, Self.others]) == nil)
    #expect(ask(source(), "default", []) == nil)
    #expect(ask(source(), nil) == nil)
  }

  @Test("with PipeWire it is what that plays on")
  func pipeWire() {
    let both = [Self.buds, Self.others]
    #expect(ask(source(sink: .bluetooth(address: "04:5d:4b:00:11:33")), "default", both)?.name == "Others")
    #expect(
      ask(source(sink: .bluetooth(address: "04:5D:4B:00:11:44")), "default", both)
        == StatusReport.Earphones(connection: .bluetooth, address: "04:5D:4B:00:11:44"))
    #expect(
      ask(source(sink: .usb(maker: 0x46D, product: 0xA4D, name: "USB headset")))
        == StatusReport.Earphones(connection: .usb, name: "USB headset", modalias: "usb:v046Dp0A4D"))
    #expect(ask(source(sink: .other)) == nil)
  }

  @Test(
    "a name that says its sink is asked for that one, whatever the server plays on by default",
    arguments: [
      ("pipewire:NODE=headset", "headset"), ("pipewire:NODE=57", "57"), ("pulse:DEVICE=headset", "headset"),
      ("pulse:headset", "headset"), ("plug:pulse:headset", "headset"), ("default", nil), ("pipewire", nil),
      ("plug:default", nil),
    ] as [(String, String?)])
  func namedSink(_ playback: String, _ expected: String?) {
    var asked: [String?] = []
    let source = EarphoneSource(
      card: { _ in nil },
      sink: { node in
        asked.append(node)
        return .usb(maker: 0x46D, product: 0xA4D, name: node)
      })
    let found = ask(source, playback)
    #expect(
      found == StatusReport.Earphones(connection: .usb, name: expected, modalias: "usb:v046Dp0A4D"))
    #expect(asked == [expected])
  }

  @Test(
    "a name that says a sink which is not there, or leads where nobody can tell, tells no earphones",
    arguments: [
      "pipewire:NODE=headset", "pulse:DEVICE=headset", "pipewire:SERVER=other", "pipewire:other",
      "pipewire:NODE=a,SERVER=b", "pulse:", "jack:a",
    ])
  func unresolved(_ playback: String) {
    // The default sink is USB's, and one pair is connected by Bluetooth.
    #expect(ask(source(sink: .usb(maker: 1, product: 2, name: nil)), playback) == nil)
    #expect(ask(source(), playback) == nil)
  }

  @Test("a name with a Bluetooth address tells that pair, and asks no server")
  func namedAddress() {
    let source = source(sink: .usb(maker: 1, product: 2, name: nil))
    for playback in [
      "bluealsa:DEV=04:5D:4B:00:11:33,PROFILE=a2dp", "pipewire:NODE=bluez_output.04_5D_4B_00_11_33.1",
    ] {
      #expect(ask(source, playback, [Self.buds, Self.others])?.name == "Others")
      #expect(!source.asksServer(EarphoneSource.Question(playback: playback, bluetooth: [])))
    }
  }

  @Test(
    "where a server was asked it is asked again 3 s after a change and then every 20 s; a card is not asked again"
  )
  func schedule() {
    let card = CardModel(name: "Headset", bus: "usb", modalias: "usb:v046Dp0A4D")
    for (asked, playback, isServer) in [
      (source(), "default", true), (source(card: card), "hw:CARD=Headset", false), (source(), nil, false),
    ] as [(EarphoneSource, String?, Bool)] {
      let question = EarphoneSource.Question(playback: playback, bluetooth: [])
      #expect(asked.asksServer(question) == isServer)
    }
    var schedule = EarphoneSource.Schedule()
    #expect(schedule.due == .infinity)
    schedule.note(at: 100, isNews: true, isServer: true)
    #expect(schedule.due == 103)
    schedule.note(at: 103, isNews: false, isServer: true)
    #expect(schedule.due == 123)
    schedule.note(at: 123, isNews: true, isServer: false)
    #expect(schedule.due == .infinity)
  }

  @Test("parts that the daemon would refuse are left out")
  func acceptable() {
    let odd = BluetoothEarphones(address: "nonsense", name: "a\u{202E}b", modalias: "a b")
    #expect(ask(source(), "default", [odd]) == StatusReport.Earphones(connection: .bluetooth))
  }
}

@Suite("PipeWire's sink") struct PipeWireSinkTests {
  /// As pw-dump of PipeWire 1.4 writes it, shortened.
  private static func dump(sink: String = "two", node: String = "", device: String = "") -> [UInt8] {
    [UInt8](
      """
      [ { "id": 30, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" }, "metadata": [
          { "subject": 0, "key": "default.configured.audio.sink", "type": "Spa:String:JSON", "value": { "name": "one" } },
          { "subject": 0, "key": "default.audio.sink", "type": "Spa:String:JSON", "value": { "name": "\(sink)" } } ] },
        { "id": 40, "type": "PipeWire:Interface:Device", "info": { "props": { "device.name": "card"\(device) } } },
        { "id": 50, "type": "PipeWire:Interface:Node", "info": { "props": { "node.name": "one", "device.id": 41 } } },
        { "id": 51, "type": "PipeWire:Interface:Node", "info": { "props": { "node.name": "two", "device.id": 40\(node) } } } ]
      """.utf8)
  }

  @Test("is a Bluetooth address, a USB device's numbers, or something without either")
  func kinds() {
    #expect(
      PipeWireSink(dump: Self.dump(node: #", "api.bluez5.address": "04:5D:4B:00:11:22""#))
        == .bluetooth(address: "04:5D:4B:00:11:22"))
    let usb =
      #", "device.bus": "usb", "device.vendor.id": "0x046d", "device.product.id": "0x0a4d", "device.description": "USB headset""#
    #expect(
      PipeWireSink(dump: Self.dump(device: usb)) == .usb(maker: 0x46D, product: 0xA4D, name: "USB headset"))
    let old = #", "device.bus": "usb", "device.vendor.id": "1133", "device.product.id": "2637""#
    #expect(PipeWireSink(dump: Self.dump(device: old)) == .usb(maker: 0x46D, product: 0xA4D, name: nil))
    #expect(PipeWireSink(dump: Self.dump()) == .other)
    #expect(
      PipeWireSink(dump: Self.dump(device: #", "device.bus": "usb", "device.vendor.id": "0xFFFFF""#))
        == .other)
  }

  @Test("is another than the default one by name, or by serial number")
  func named() {
    let bytes = Self.dump(
      sink: "one", node: #", "object.serial": 57, "api.bluez5.address": "04:5D:4B:00:11:22""#)
    #expect(PipeWireSink(dump: bytes) == .other)
    for name in ["two", "57"] {
      #expect(PipeWireSink(dump: bytes, node: name) == .bluetooth(address: "04:5D:4B:00:11:22"))
    }
    for name in ["three", "58", "-1", ""] { #expect(PipeWireSink(dump: bytes, node: name) == nil) }
  }

  @Test("is not known where there is no such sink, no list, no JSON")
  func unknown() {
    #expect(PipeWireSink(dump: Self.dump(sink: "three")) == nil)
    for text in [
      "", "[]", "{}", "[1, null, {}]", #"[{"props":{"metadata.name":"default"},"metadata":3}]"#, "[{",
    ] {
      #expect(PipeWireSink(dump: [UInt8](text.utf8)) == nil, "\(text)")
    }
  }

  @Test("what the program writes is read; one that fails or is not there tells nothing")
  func program() {
    let folder = TemporaryFolder()
    func make(_ name: String, _ text: String) -> String {
      folder.write("#!/bin/sh\n\(text)\n", to: name)
      chmod(folder.file(name), 0o700)
      return folder.file(name)
    }
    #expect(PipeWireSink.dump(by: make("good", "echo '[]'")) == [UInt8]("[]\n".utf8))
    #expect(PipeWireSink.dump(by: make("bad", "echo '[]'; exit 1")) == nil)
    #expect(PipeWireSink.dump(by: make("endless", "exec cat /dev/zero")) == nil)
    #expect(PipeWireSink.dump(by: folder.file("absent")) == nil)
  }
}
