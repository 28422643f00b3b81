import Base
import CommonTesting
import Glibc
import Testing

@testable import Service

@Suite("Playback claim") struct PlaybackClaimTests {
  private let folder: TemporaryFolder
  init() throws { folder = TemporaryFolder() }

  private func refusal(_ device: String) -> Failure? {
    do throws(Failure) {
      _ = try PlaybackClaim(device, in: folder.path)
      return nil
    } catch { return error }
  }

  @Test("a device is one daemon's: the second is told which process plays, and what to do")
  func second() throws {
    let claim = try PlaybackClaim("hw:1,0", in: folder.path)
    let failure = try #require(refusal("hw:1,0"))
    #expect(failure.exitStatus == .temporary)
    #expect(failure.message.contains("\"hw:1,0\", on which another auricled plays, PID \(getpid())"))
    #expect(failure.message.contains("End the other one"))
    #expect(claim.place == "hw:CARD=1,DEV=0")
  }

  @Test("a device is one daemon's by all of its names")
  func otherName() throws {
    let claim = try PlaybackClaim("hw:CARD=Aid,DEV=0", in: folder.path)
    let failure = try #require(refusal("plughw:Aid,0"))
    #expect(failure.exitStatus == .temporary)
    #expect(failure.message.contains("\"plughw:Aid,0\", on which another auricled plays"))
    #expect(refusal("hw:Aid,1") == nil)
    withExtendedLifetime(claim) {}
  }

  @Test("another device is free, whose name differs in a character that no file has")
  func others() throws {
    let claim = try PlaybackClaim("a/b", in: folder.path)
    for device in ["a_b", "a%2fb", "a/c", "a:b", ""] { #expect(refusal(device) == nil, "\(device)") }
    #expect(refusal("a/b") != nil)
    #expect(folder.names == ["playback-a%2fb.lock"])
    withExtendedLifetime(claim) {}
  }

  @Test("it is free again when it is let go, and nothing is left")
  func release() throws {
    do { _ = try PlaybackClaim("lat", in: folder.path) }
    #expect(folder.names == [])
    #expect(refusal("lat") == nil)
  }

  @Test("a file that a killed daemon left behind holds nobody up")
  func leftBehind() throws {
    folder.write("1\n", to: "playback-lat.lock")
    #expect(refusal("lat") == nil)
  }

  @Test("a folder that is missing is made, and goes away with the claim")
  func missingFolder() throws {
    do {
      let claim = try PlaybackClaim("lat", in: folder.file("run"))
      #expect(folder.names == ["run"])
      withExtendedLifetime(claim) {}
    }
    #expect(folder.names == [])
  }
}
