import AudioIO
import Glibc

/// The virtual time of a rig. Waiting moves it to the moment when something happens, at once.
package struct FakeClock: StreamClock {
  let rig: FakeRig

  package func now() -> Double { rig.time }

  package mutating func pause(_ seconds: Double) { rig.advance(seconds) }

  /// Descriptors of the rig are answered by the script and the pointers; others are really polled, without
  /// waiting.
  package mutating func poll(
    _ descriptors: UnsafeMutablePointer<pollfd>, count: Int, timeout: Double
  ) -> Int {
    rig.update()
    for index in 0..<count { descriptors[index].revents = 0 }
    for index in 0..<count {
      guard let direction = FakePCM.direction(of: descriptors[index].fd) else { continue }
      switch rig.effect(direction, .poll) {
      case .fail(.interrupted): return -Int(EINTR)
      case .fail(let fault):
        rig.fall(direction, into: fault)
        rig.withSide(direction) { $0.pollFault = fault }
        descriptors[index].revents = Int16(POLLERR)
        return 1
      case .wakeIdly:
        rig.withSide(direction) { $0.wakesIdly = true }
        descriptors[index].revents = Int16(POLLIN)
        return 1
      case .freeze: rig.withSide(direction) { $0.isFrozen = true }
      case .say, .shorten, .misread, nil: break
      }
    }
    if foreign(descriptors, count) { return 1 }
    var wake = rig.time + timeout
    for index in 0..<count { wake = min(wake, wakeTime(descriptors[index].fd)) }
    rig.advance(max(wake - rig.time, 0))
    var ready = 0
    for index in 0..<count where wakeTime(descriptors[index].fd) <= rig.time {
      descriptors[index].revents = events(descriptors[index].fd)
      ready += 1
    }
    return ready
  }

  /// When a descriptor of the rig becomes ready.
  private func wakeTime(_ descriptor: Int32) -> Double {
    guard let direction = FakePCM.direction(of: descriptor) else { return .infinity }
    return rig.withSide(direction) { side in
      if side.state != .running { return rig.time }
      if side.available >= side.format.period { return rig.time }
      return side.arrival(at: side.hardware + side.format.period - side.available)
    }
  }

  private func events(_ descriptor: Int32) -> Int16 {
    guard let direction = FakePCM.direction(of: descriptor) else { return 0 }
    let failed = rig.withSide(direction) { $0.state != .running }
    return Int16(direction == .capture ? POLLIN : POLLOUT) | (failed ? Int16(POLLERR) : 0)
  }

  /// Whether a descriptor that is not of the rig is ready.
  private func foreign(_ descriptors: UnsafeMutablePointer<pollfd>, _ count: Int) -> Bool {
    for index in 0..<count where descriptors[index].fd >= 0 {
      if Glibc.poll(descriptors + index, 1, 0) > 0 { return true }
    }
    return false
  }
}
