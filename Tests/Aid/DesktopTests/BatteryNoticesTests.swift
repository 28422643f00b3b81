import Bus
import Testing

@testable import DesktopCommand

@Suite("Battery of earphones") struct BatteryNoticesTests {
  private static func pair(
    _ charge: Int?, _ address: String = "A", name: String = "Buds"
  ) -> BluetoothEarphones {
    BluetoothEarphones(address: address, name: name, charge: charge)
  }

  private static func urgencies(_ orders: [DesktopState.Order]) -> [Notice.Urgency] {
    orders.compactMap { if case .show(.battery, let notice) = $0 { notice.urgency } else { nil } }
  }

  @Test("is told at 20 % and again at 10 %, each once, and closed from 30 % on")
  func levels() {
    var batteries = BatteryNotices()
    var told: [Int: Notice.Urgency] = [:]
    for charge in stride(from: 100, through: 0, by: -1) {
      let urgencies = Self.urgencies(batteries.follow([Self.pair(charge)]))
      #expect(urgencies.count <= 1)
      told[charge] = urgencies.first
    }
    #expect(told == [20: .normal, 10: .critical])
    for charge in 0..<30 { #expect(batteries.follow([Self.pair(charge)]).isEmpty) }
    #expect(batteries.follow([Self.pair(30)]) == [.close(.battery("A"))])
    #expect(Self.urgencies(batteries.follow([Self.pair(20)])) == [.normal])
  }

  @Test("earphones that do not tell their charge, or come and go, bring no further notices")
  func comeAndGo() {
    var batteries = BatteryNotices()
    #expect(batteries.follow([Self.pair(nil)]).isEmpty)
    #expect(Self.urgencies(batteries.follow([Self.pair(15)])) == [.normal])
    for _ in 0..<10 {
      _ = batteries.follow([])
      #expect(Self.urgencies(batteries.follow([Self.pair(15)])).isEmpty)
    }
  }

  @Test("a notice is closed when its earphones go, unless the person has closed it")
  func away() {
    var batteries = BatteryNotices()
    _ = batteries.follow([Self.pair(15), Self.pair(5, "B")])
    batteries.dismiss("B")
    #expect(batteries.follow([]) == [.close(.battery("A"))])
  }

  @Test("names are as others have written them: bounded, without control")
  func names() {
    var batteries = BatteryNotices()
    let orders = batteries.follow([Self.pair(5, name: "a\u{1B}b" + String(repeating: "c", count: 300))])
    guard case .show(_, let notice)? = orders.first else {
      Issue.record("\(orders)")
      return
    }
    #expect(notice.summary == "Earphones' battery low: 5 %")
    #expect(notice.body.hasPrefix("a?bccc") && notice.body.count < 150)
  }

  @Test("what is remembered is bounded, however many there were")
  func bounded() {
    var batteries = BatteryNotices()
    for number in 0..<1000 { _ = batteries.follow([Self.pair(5, "\(number)")]) }
    // The newest is still known.
    #expect(batteries.follow([Self.pair(5, "999")]).isEmpty)
  }
}
