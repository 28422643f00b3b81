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

  /// - Parameter sink: On which PipeWire plays by default; nil: it is not installed.
  private func source(card: CardModel? = nil, sink: PipeWireSink? = nil) -> EarphoneSource {
    EarphoneSource(
      card: { _ in card },
      sink: { node in
        guard let sink else { return .notInstalled }
        return node == nil ? .sink(sink) : .noSink
      })
  }

  private func ask(
    _ source: EarphoneSource, _ playback: String? = "default", _ bluetooth: [BluetoothEarphones] = [buds]
  ) -> StatusReport.Earphones? {
    let answer = source.answer(EarphoneSource.Question(playback: playback, bluetooth: bluetooth))
    return if case .earphones(let found) = answer { found } else { nil }
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
        return .sink(.usb(maker: 0x46D, product: 0xA4D, name: node))
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
      "pipewire:NODE=a,SERVER=b", "pulse:", "jack:a", "plug:'pulse:bluez_sink.04_5D_4B_00_11_22'",
    ])
  func unresolved(_ playback: String) {
    // The default sink is USB's, and one pair is connected by Bluetooth.
    #expect(ask(source(sink: .usb(maker: 1, product: 2, name: nil)), playback) == nil)
    #expect(ask(source(), playback) == nil)
  }

  @Test("a name of BlueALSA with a Bluetooth address tells that pair, and asks no server")
  func namedAddress() {
    let source = source(sink: .usb(maker: 1, product: 2, name: nil))
    let playback = "bluealsa:DEV=04:5D:4B:00:11:33,PROFILE=a2dp"
    #expect(ask(source, playback, [Self.buds, Self.others])?.name == "Others")
    #expect(!source.asksServer(EarphoneSource.Question(playback: playback, bluetooth: [])))
  }

  @Test(
    "an address in the name of a server's sink tells that pair while the sink is there, and none when the server plays elsewhere",
    arguments: [
      ("pipewire:NODE=bluez_output.04_5D_4B_00_11_33.1", "bluez_output.04_5D_4B_00_11_33.1"),
      ("pulse:DEVICE=bluez_sink.04_5D_4B_00_11_33", "bluez_sink.04_5D_4B_00_11_33"),
      ("plug:pulse:bluez_sink.04_5D_4B_00_11_33", "bluez_sink.04_5D_4B_00_11_33"),
    ])
  func serversAddress(_ playback: String, _ node: String) {
    let there = EarphoneSource(
      card: { _ in nil },
      sink: { $0 == node ? .sink(.bluetooth(address: "04:5D:4B:00:11:33")) : .noSink })
    #expect(ask(there, playback, [Self.buds, Self.others])?.name == "Others")
    #expect(there.asksServer(EarphoneSource.Question(playback: playback, bluetooth: [])))
    // BlueZ lists both all the same.
    let gone = source(sink: .usb(maker: 1, product: 2, name: nil))
    #expect(ask(gone, playback, [Self.buds, Self.others]) == nil)
  }

  @Test("a server that does not answer, or has no sink, tells no pair, though one alone is connected")
  func silentServer() {
    let question = EarphoneSource.Question(playback: "default", bluetooth: [Self.buds])
    let silent = EarphoneSource(card: { _ in nil }, sink: { _ in .unanswered })
    #expect(silent.answer(question) == .unanswered)
    let empty = EarphoneSource(card: { _ in nil }, sink: { _ in .noSink })
    #expect(empty.answer(question) == .earphones(nil))
  }

  @Test("another charge of a battery is no other question")
  func charge() {
    let charged = BluetoothEarphones(
      address: Self.buds.address, name: Self.buds.name, modalias: Self.buds.modalias, charge: 100)
    let former = EarphoneSource.Question(playback: "default", bluetooth: [Self.buds])
    #expect(former == former.with([charged]))
    #expect(former != former.with([Self.others]))
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
    schedule.note(.earphones(nil), at: 100, isNews: true, isServer: true)
    #expect(schedule.due == 103)
    schedule.note(.earphones(nil), at: 103, isNews: false, isServer: true)
    #expect(schedule.due == 123)
    schedule.note(.earphones(nil), at: 123, isNews: true, isServer: false)
    #expect(schedule.due == .infinity)
  }

  @Test(
    "while a server does not answer the last answer to the same question counts, and it is asked again after 3 s, then every 20 s"
  )
  func unanswered() {
    let headset = StatusReport.Earphones(connection: .usb, name: "Headset", modalias: "usb:v046Dp0A4D")
    var schedule = EarphoneSource.Schedule()
    schedule.note(.earphones(headset), at: 100, isNews: true, isServer: true)
    schedule.note(.earphones(headset), at: 103, isNews: false, isServer: true)
    #expect(schedule.earphones == headset && schedule.due == 123)
    schedule.note(.unanswered, at: 123, isNews: false, isServer: true)
    #expect(schedule.earphones == headset && schedule.due == 126)
    schedule.note(.unanswered, at: 126, isNews: false, isServer: true)
    #expect(schedule.earphones == headset && schedule.due == 146)
    schedule.note(.earphones(headset), at: 146, isNews: false, isServer: true)
    #expect(schedule.earphones == headset && schedule.due == 149)
    // Others may be in use by another name.
    schedule.note(.unanswered, at: 150, isNews: true, isServer: true)
    #expect(schedule.earphones == nil && schedule.due == 153)
    schedule.note(.earphones(headset), at: 153, isNews: false, isServer: true)
    schedule.note(.earphones(nil), at: 156, isNews: false, isServer: true)
    #expect(schedule.earphones == nil && schedule.due == 159)
  }

  @Test("a server that does not answer after a change is asked once again before none are told")
  func pending() {
    let headset = StatusReport.Earphones(connection: .usb, name: "Headset", modalias: "usb:v046Dp0A4D")
    let answers: [(next: EarphoneSource.Answer, expected: StatusReport.Earphones?)] = [
      (.unanswered, nil), (.earphones(headset), headset), (.earphones(nil), nil),
    ]
    for (next, expected) in answers {
      var schedule = EarphoneSource.Schedule()
      #expect(!schedule.isPending)
      schedule.note(.earphones(headset), at: 100, isNews: true, isServer: true)
      #expect(!schedule.isPending)
      schedule.note(.unanswered, at: 110, isNews: true, isServer: true)
      #expect(schedule.isPending && schedule.due == 113)
      schedule.note(next, at: 113, isNews: false, isServer: true)
      #expect(!schedule.isPending && schedule.earphones == expected)
    }
    // Of a device that was closed meanwhile it is known at once.
    var closed = EarphoneSource.Schedule()
    closed.note(.unanswered, at: 100, isNews: true, isServer: true)
    closed.note(.earphones(nil), at: 101, isNews: true, isServer: false)
    #expect(!closed.isPending && closed.earphones == nil)
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
    folder.write(Self.dump(), to: "list")
    let whole = make("whole", "cat '\(folder.file("list"))'")
    #expect(PipeWireSink.answer(of: whole, for: nil) == .sink(.other))
    #expect(PipeWireSink.answer(of: whole, for: "three") == .noSink)
    #expect(PipeWireSink.answer(of: folder.file("bad"), for: nil) == .unanswered)
    #expect(PipeWireSink.answer(of: folder.file("absent"), for: nil) == .notInstalled)
  }
}
