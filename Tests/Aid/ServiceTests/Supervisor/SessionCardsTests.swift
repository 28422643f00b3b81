import Bus
import Testing

@testable import Service

@Suite("Sound cards of a command") struct SessionCardsTests {
  @Test("without a session's bus, and without a card, nobody is asked and nobody keeps anything")
  func alone() {
    #expect(SessionCards([2: "hw:2"], { nil }).refusal == nil)
    let none = SessionCards([:]) {
      Issue.record("a bus for no card")
      return nil
    }
    #expect(none.refusal == nil)
  }

  @Test("whoever keeps a card is named with the device, and a program without a name is one all the same")
  func words() {
    let devices = [0: "hw:CARD=PCH,DEV=0", 2: "hw:CARD=Buds"]
    let held = CardReservation(card: 0, outcome: .held)
    #expect(SessionCards.refusal([held, CardReservation(card: 2, outcome: .lost)], of: devices) == nil)
    let kept = CardReservation(card: 2, outcome: .refused(by: "WirePlumber"))
    #expect(
      SessionCards.refusal([held, kept], of: devices)
        == "WirePlumber keeps hw:CARD=Buds, and did not give it up when it was asked")
    let unnamed = CardReservation(card: 0, outcome: .refused(by: nil))
    #expect(
      SessionCards.refusal([unnamed, kept], of: devices)
        == "Another program keeps hw:CARD=PCH,DEV=0 and WirePlumber keeps hw:CARD=Buds, and did not give it up when it was asked"
    )
  }

  @Test("of one card only its own keeper is told")
  func oneCard() {
    let devices = [0: "hw:CARD=PCH,DEV=0", 2: "hw:CARD=Buds"]
    let answers = [
      CardReservation(card: 0, outcome: .held),
      CardReservation(card: 2, outcome: .refused(by: "WirePlumber")),
    ]
    #expect(SessionCards.refusal(answers, of: devices, on: [0]) == nil)
    #expect(
      SessionCards.refusal(answers, of: devices, on: [2])
        == "WirePlumber keeps hw:CARD=Buds, and did not give it up when it was asked")
    // A device on no card.
    #expect(SessionCards.refusal(answers, of: devices, on: []) == nil)
    #expect(SessionCards([2: "hw:2"], { nil }).refusal(ofCardOf: "null") == nil)
  }
}
