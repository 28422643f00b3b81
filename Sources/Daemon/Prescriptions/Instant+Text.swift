import Glibc
public import Prescriptions

extension Instant {
  /// The moment where the reader is: `2026-02-28 14:05`.
  public var localText: String {
    var (seconds, parts) = (time_t(self.seconds), tm())
    localtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
