import Base
import Control
import Testing

@testable import Engine
@testable import Service

@Suite("Earphones as the desktop tells them") struct EarphoneTimelineTests {
  private static let desktop = {
    var peer = Peer(processID: 9, userID: 1000, groupID: 1000, connection: 2)
    peer.roles = [.wearer]
    return peer
  }()
  private static let buds = StatusReport.Earphones(
    connection: .bluetooth, name: "Ada’s Buds", address: "04:5D:4B:00:11:22",
    modalias: "bluetooth:v004Cp200Ed0C20")

  @Test("stand in the status, change nothing that is heard, and go with the connection that told them")
  func standing() throws {
    let timeline = Timeline.running()
    #expect(timeline.state.report.earphones == nil)
    let told = try #require(timeline.ask(EarphoneMethods.Tell(Self.buds), from: Self.desktop)).get()
    #expect(told.earphones == Self.buds)
    #expect(timeline.state.report.earphones == Self.buds)
    #expect(timeline.state.report.withoutHearing.earphones == nil)
    #expect(timeline.applied == nil && timeline.orders.isEmpty)
    timeline.happen(.control(.gone(Timeline.peer)))
    #expect(timeline.state.report.earphones == Self.buds)
    timeline.happen(.control(.gone(Self.desktop)))
    #expect(timeline.state.report.earphones == nil)
  }

  @Test("the last word counts, and only who has told them takes them back")
  func lastWord() throws {
    let timeline = Timeline.running()
    let card = StatusReport.Earphones(connection: .usb, modalias: "usb:v046Dp0A4D")
    timeline.ask(EarphoneMethods.Tell(Self.buds), from: Self.desktop)
    timeline.ask(EarphoneMethods.Tell(card))
    #expect(
      try #require(timeline.ask(EarphoneMethods.Forget(), from: Self.desktop)).get().earphones == card)
    #expect(try #require(timeline.ask(EarphoneMethods.Forget())).get().earphones == nil)
    #expect(timeline.state.report.earphones == nil)
  }

  @Test("are not written to the log")
  func log() {
    let timeline = Timeline.running()
    timeline.ask(EarphoneMethods.Tell(Self.buds), from: Self.desktop)
    #expect(!timeline.log.contains { $0.contains("Buds") || $0.contains("04:5D") })
  }

  @Test(
    "a part that is too long, empty or of other characters is refused by its name and not repeated",
    arguments: [
      (#"{}"#, "connection: found nothing, expected a text."),
      (#"{"connection":"radio"}"#, #"connection: found "radio", expected "bluetooth" or "usb"."#),
      (
        #"{"connection":"usb","name":""}"#,
        "name: found another text, expected 1 to 64 characters, none of control."
      ),
      (
        #"{"connection":"usb","name":"\#(String(repeating: "a", count: 65))"}"#,
        "name: found another text, expected 1 to 64 characters, none of control."
      ),
      // Of one character and very many combining marks.
      (
        #"{"connection":"usb","name":"a\#(String(repeating: "\u{301}", count: 200))"}"#,
        "name: found another text, expected 1 to 64 characters, none of control."
      ),
      (
        #"{"connection":"usb","name":"a\u001bb"}"#,
        "name: found another text, expected 1 to 64 characters, none of control."
      ),
      (
        #"{"connection":"usb","name":"a\u202eb"}"#,
        "name: found another text, expected 1 to 64 characters, none of control."
      ),
      (
        #"{"connection":"usb","name":"a\nb"}"#,
        "name: found another text, expected 1 to 64 characters, none of control."
      ),
      (
        #"{"connection":"usb","address":"04:5D:4B:00:11"}"#,
        "address: found another text, expected six pairs of hexadecimal digits between colons."
      ),
      (
        #"{"connection":"usb","address":"04:5D:4B:00:11:2G"}"#,
        "address: found another text, expected six pairs of hexadecimal digits between colons."
      ),
      (
        #"{"connection":"usb","modalias":"usb:v046D p0A4D"}"#,
        "modalias: found another text, expected 1 to 64 letters, digits and colons, as usb:v046Dp0A4D."
      ),
      (
        #"{"connection":"usb","modalias":"\#(String(repeating: "a", count: 65))"}"#,
        "modalias: found another text, expected 1 to 64 letters, digits and colons, as usb:v046Dp0A4D."
      ),
      (#"{"connection":"usb","modalias":3}"#, "modalias: found a number, expected a text."),
    ])
  func refused(parameters: String, message: String) throws {
    let failure = #expect(throws: ControlFailure.self) {
      try EarphoneMethods.Tell(parameters: JSONValue([UInt8](parameters.utf8)))
    }
    #expect(failure?.code == .invalidParameters)
    #expect(failure?.message == message)
  }

  @Test("names in any script are accepted up to their bound")
  func names() throws {
    for name in ["A", "Écouteurs d’Ève", "耳机", String(repeating: "ö", count: 64)] {
      #expect(StatusReport.Earphones(connection: .usb, name: name).fault == nil, "\(name)")
    }
  }
}
