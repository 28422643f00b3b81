import CommonTesting
import Glibc
import Testing

@testable import AudioIO

@Suite("Device names") struct DeviceNodeTests {
  @Test(
    "card and device are read from a name",
    arguments: [
      ("hw:1,2", "1", 2), ("hw:CARD=Aid,DEV=3", "Aid", 3), ("plughw:Aid", "Aid", 0),
      ("hw:DEV=1,CARD=Aid", "Aid", 1), ("front:CARD=PCH", "PCH", 0),
    ])
  func address(name: String, card: String, device: Int) throws {
    let address = try #require(DeviceNode.address(name))
    #expect(address == (card, device))
  }

  @Test("names without a card have none", arguments: ["default", "null", "hw:1,x"])
  func noAddress(name: String) {
    #expect(DeviceNode.address(name) == nil)
  }

  @Test("who has a file open is found in /proc")
  func holders() throws {
    let folder = TemporaryFolder()
    folder.write([1], to: "pcmC0D0p")
    let node = DeviceNode(path: folder.file("pcmC0D0p"))
    #expect(node.holders() == [])
    // Closed in processes that other tests start meanwhile.
    let descriptor = open(node.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let holders = node.holders()
    #expect(holders.map(\.processID) == [getpid()])
    #expect(holders.first?.command.isEmpty == false)
  }

  @Test(
    "devices that hide delay are known by their plugin",
    arguments: [
      ("hw:CARD=Aid,DEV=0", nil), ("null", nil), ("default", HiddenDelay.mixing),
      ("sysdefault:CARD=Aid", .mixing), ("pipewire", .mixing), ("dmix:CARD=Aid", .mixing),
      ("plughw:1,0", .conversion), ("plug:aid", .conversion), ("front:CARD=PCH,DEV=0", .conversion),
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp", .bluetooth),
    ])
  func hiddenDelay(name: String, expected: HiddenDelay?) {
    #expect(HiddenDelay(deviceName: name) == expected)
    if let expected { #expect(expected.explanation.hasPrefix("adds ")) }
  }

  @Test("the nearest name comes first")
  func nearest() {
    let names = ["default", "hw:CARD=Aid,DEV=0", "hw:CARD=PCH,DEV=0"]
    #expect(names.nearest(to: "hw:CARD=aid,DEV=0").first == "hw:CARD=Aid,DEV=0")
    #expect(names.nearest(to: "defalt").first == "default")
  }
}
