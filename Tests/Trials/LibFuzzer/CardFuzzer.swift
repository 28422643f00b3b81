import PrescriptionsTesting

/// libFuzzer's way in: the first byte chooses the layer, the rest is the payload. `make fuzz` builds and runs it.
private let trial: HostileTrial = {
  do { return try HostileTrial() } catch { fatalError("\(error)") }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let layers = HostileLayer.allCases
  let layer = layers[Int(first) % layers.count]
  if case .fault(let text) = trial.outcome(layer, Array(bytes.dropFirst())) { fatalError(text) }
  return 0
}
