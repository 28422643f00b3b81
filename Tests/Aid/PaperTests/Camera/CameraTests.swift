import Testing

@testable import Paper

@Suite("Camera") struct CameraTests {
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
