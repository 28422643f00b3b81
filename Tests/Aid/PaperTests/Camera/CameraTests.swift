import Testing

@testable import Paper

@Suite("Camera") struct CameraTests {
  @Test("a code that is not looked for does not end the search; without any other it is told at the end")
  func otherCodes() {
    var seen = SeenCodes()
    let isCard = { (text: String) in text.hasPrefix("shc:/") }
    let pictures = [["https://a.example"], [], ["https://b.example", "https://a.example"]]
    let taken = pictures.map { seen.take($0, accepting: isCard) }
    #expect(taken == [nil, nil, nil])
    #expect(seen.others == ["https://a.example", "https://b.example"])
    let found = seen.take(["https://a.example", "shc:/1234"], accepting: isCard)
    #expect(found == ["https://a.example", "shc:/1234"])
  }

  @Test("a folder without video devices holds no camera")
  func noDevices() { #expect(Camera.devices(in: "/proc/self/fd") == []) }

  @Test("where there is no camera, the message says what to do instead")
  func noCamera() {
    #expect(throws: PaperError.noCamera) { try Camera.read(within: .milliseconds(100), from: []) }
    #expect(PaperError.noCamera.description.contains("give the picture's file"))
  }

  @Test("a device that is none is refused with its name")
  func noSuchDevice() {
    do {
      _ = try Camera(device: "/nonexistent/video7").read(within: .milliseconds(100))
      Issue.record("a camera that does not exist was read")
    } catch {
      guard case .cameraUnusable("/nonexistent/video7", let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!reason.isEmpty)
      #expect(error.description.contains("/nonexistent/video7"))
    }
  }

  @Test("a file that is no camera is refused")
  func notACamera() {
    #expect(throws: PaperError.self) { try Camera(device: "/dev/null").read(within: .milliseconds(100)) }
  }
}
