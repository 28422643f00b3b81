import Testing

@testable import Engine

@Suite("Order of opening devices of a sound server") struct OpeningOrderTests {
  @Test("the aid's devices are opened once the stream's is closed")
  func aid() {
    let order = OpeningOrder()
    #expect(order.beginStream(since: nil))
    #expect(!order.beginAid() && !order.beginAid())
    order.endStream()
    #expect(order.beginAid())
  }

  @Test("the stream's device is opened while the aid's are closed, or have just delivered")
  func stream() {
    let order = OpeningOrder()
    #expect(order.beginAid())
    #expect(!order.beginStream(since: nil))
    let before = order.delivered
    #expect(
      !order.beginStream(since: before),
      "nothing was delivered meanwhile, as by those of a server that has ended")
    order.noteBlock()
    #expect(order.beginStream(since: before))
    order.endStream()
    order.endAid()
    #expect(order.beginStream(since: nil))
  }

  @Test("a stream that was refused does not keep the aid waiting")
  func refused() {
    let order = OpeningOrder()
    #expect(order.beginAid())
    #expect(!order.beginStream(since: nil))
    order.endAid()
    #expect(order.beginAid())
  }
}
