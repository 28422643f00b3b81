import Base
import Testing

@testable import Control

@Suite("Quantities with units") struct QuantityTests {
  @Test(
    "numbers are read with and without their unit",
    arguments: [
      ("1.5ms", Quantity.time, 0.0015), ("5 ms", .time, 0.005), ("0.5", .time, 0.5), ("2s", .time, 2),
      ("250 µs", .time, 0.00025), ("1.1ms", .time, 0.0011), ("1e-3", .time, 0.001),
      ("1e2 us", .time, 0.0001), ("44.1kHz", .frequency, 44_100), ("48 khz", .frequency, 48_000),
      ("-6dB", .soundPressureLevel, -6), ("111 dB SPL", .soundPressureLevel, 111), ("2:1", .ratio, 2),
      ("50 %", .share, 0.5), ("64 frames", .frames, 64), ("+3", .count, 3),
    ])
  func reads(text: String, quantity: Quantity, value: Double) {
    #expect(quantity.value(of: text) == value)
  }

  @Test(
    "what is not a number in the right unit is refused",
    arguments: [
      ("", Quantity.time), ("ms", .time), ("5 Hz", .time), ("1,5 ms", .time), ("nan", .time),
      ("inf", .time),
      ("1e999", .time), ("1-2", .time), ("0x10", .count), ("1e", .time), ("٣", .time), ("5 ms ms", .time),
      ("1e99999999999999999999", .time), ("1e9223372036854775807", .time), ("1e400", .time),
    ])
  func refuses(text: String, quantity: Quantity) {
    #expect(quantity.value(of: text) == nil)
  }

  /// In a process of its own: the magnitude of the least whole number is none.
  @Test("the least power of ten that 64 bits hold is refused and ends no process")
  func leastPower() async {
    await #expect(processExitsWith: .success) {
      #expect(Quantity.time.value(of: "1e-9223372036854775808") == nil)
      let text = Array("[safety]\nramp = \"1e-9223372036854775808 s\"\n".utf8)
      #expect(throws: ConfigurationFailures.self) { try Configuration.reading(text, file: "a.toml") }
    }
  }

  @Test("numbers are shown in full and no longer than that")
  func shows() {
    #expect(Quantity.time.text(0.005) == "0.005 s")
    #expect(Quantity.frequency.text(44_100) == "44100 Hz")
    #expect(Quantity.ratio.text(2) == "2")
  }
}
