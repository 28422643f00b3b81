import Base
import Bus

/// Notices of earphones whose battery is low: one for each level that is passed downwards.
struct BatteryNotices: Sendable {
  private enum Level: Int, Sendable, Comparable {
    case enough, low, empty

    static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// Charge that is low, %: UPower's own (UPower.conf, PercentageLow).
  static let low = 20
  /// Charge that does not last much longer, %. Earphones tell tenths (Hands-Free Profile, Apple's AT+IPHONEACCEV), so that UPower's
  /// 5 % would mean 0. Own choice.
  static let empty = 10
  /// Charge from which a low one is told again, %: a step of tenths above ``low``.
  static let enough = 30
  /// Most earphones that are remembered. Own choice.
  private static let most = 64

  /// As told last, by address; remembered while they are away, because those with a weak battery come and go.
  private var told: [String: Level] = [:]
  private var isShown: Set<String> = []

  mutating func follow(_ earphones: [BluetoothEarphones]) -> [DesktopState.Order] {
    var orders: [DesktopState.Order] = []
    for away in isShown.subtracting(earphones.map(\.address)) { orders += close(away) }
    for pair in earphones {
      guard let charge = pair.charge else { continue }
      let level: Level = charge <= Self.empty ? .empty : charge <= Self.low ? .low : .enough
      let former = told[pair.address] ?? .enough
      if level > former {
        if told.count >= Self.most { told = told.filter { isShown.contains($0.key) } }
        told[pair.address] = level
        isShown.insert(pair.address)
        orders.append(.show(.battery(pair.address), Self.notice(pair, charge, level)))
      } else if charge >= Self.enough {
        told[pair.address] = nil
        orders += close(pair.address)
      }
    }
    return orders
  }

  /// Takes note that the person has closed one.
  mutating func dismiss(_ address: String) { isShown.remove(address) }

  private mutating func close(_ address: String) -> [DesktopState.Order] {
    isShown.remove(address) == nil ? [] : [.close(.battery(address))]
  }

  private static func notice(_ earphones: BluetoothEarphones, _ charge: Int, _ level: Level) -> Notice {
    let name = Silence.shown(String(earphones.name.prefix(64)))
    return Notice(
      "Earphones' battery low: \(charge) %",
      "\(name.isEmpty ? earphones.address : name): when it is empty there is no sound. Charge them soon.",
      level == .empty ? .critical : .normal)
  }
}
