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

  @Test("of two cameras of which one is covered, the other one is looked through in its turn")
  func turns() throws {
    let cameras = [Camera(device: "/dev/video0"), Camera(device: "/dev/video2")]
    var looks: [String] = []
    var times: [Duration] = []
    let found = try Camera.read(within: .seconds(30), from: cameras, accepting: { $0 == "shc:/1" }) {
      (camera, time) throws(PaperError) in
      looks.append(camera.device)
      times.append(time)
      // Behind its first turn the second one has seen another code alone.
      guard camera == cameras[1] else { throw PaperError.noCodeSeen(devices: [camera.device]) }
      return looks.count == 2 ? ["https://a.example"] : ["shc:/1"]
    }
    #expect(found == ["shc:/1"])
    #expect(looks == ["/dev/video0", "/dev/video2", "/dev/video0", "/dev/video2"])
    #expect(times.allSatisfy { $0 == .seconds(5) })
  }

  @Test("a camera that fails gives way, and the last one is looked through to the end")
  func lastCamera() throws {
    let cameras = ["/dev/video0", "/dev/video2"].map { Camera(device: $0) }
    var times: [Duration] = []
    let found = try Camera.read(within: .seconds(30), from: cameras, accepting: { _ in true }) {
      (camera, time) throws(PaperError) in
      times.append(time)
      guard camera == cameras[1] else {
        throw PaperError.cameraUnusable(device: camera.device, reason: "Busy.")
      }
      return ["shc:/1"]
    }
    #expect(found == ["shc:/1"])
    // All the time that is left, less what the first one took.
    #expect(times.count == 2 && times[0] == .seconds(5) && times[1] > .seconds(20))
    #expect(throws: PaperError.cameraUnusable(device: "/dev/video0", reason: "0")) {
      try Camera.read(within: .seconds(30), from: cameras, accepting: { _ in true }) {
        (camera, _) throws(PaperError) in
        throw PaperError.cameraUnusable(device: camera.device, reason: camera == cameras[0] ? "0" : "2")
      }
    }
  }

  @Test("all cameras that saw no code are named")
  func noneSeen() {
    let cameras = ["/dev/video0", "/dev/video2"].map { Camera(device: $0) }
    #expect(throws: PaperError.noCodeSeen(devices: ["/dev/video0", "/dev/video2"])) {
      try Camera.read(within: .milliseconds(200), from: cameras, accepting: { _ in true }) {
        (camera, _) throws(PaperError) in throw PaperError.noCodeSeen(devices: [camera.device])
      }
    }
    let words = PaperError.noCodeSeen(devices: ["/dev/video0", "/dev/video2"]).description
    #expect(words.hasPrefix("The cameras /dev/video0 and /dev/video2 saw no code in time."))
  }

  @Test(
    "every camera has a turn within the time, of 1 s at least, and 5 s at most",
    arguments: [(2, 5), (6, 5), (7, 30.0 / 7), (12, 2.5), (40, 1)] as [(Int, Double)])
  func length(count: Int, seconds: Double) {
    let turn = Camera.turn(of: .seconds(30), among: count)
    #expect(abs(turn / .seconds(1) - seconds) < 1e-9)
  }

  @Test("a camera that nobody looked through is not said to have seen nothing")
  func withoutTurn() {
    let cameras = ["/dev/video0", "/dev/video2"].map { Camera(device: $0) }
    #expect(throws: PaperError.noCodeSeen(devices: ["/dev/video0"])) {
      try Camera.read(within: .milliseconds(20), from: cameras, accepting: { _ in true }) {
        (camera, time) throws(PaperError) in
        // Until the time is over.
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
        throw PaperError.noCodeSeen(devices: [camera.device])
      }
    }
  }

  @Test("a file that is no camera is refused")
  func notACamera() {
    #expect(throws: PaperError.self) { try Camera(device: "/dev/null").read(within: .milliseconds(100)) }
  }
}
