import Glibc

/// libFuzzer's way in, one program for all targets. `Tests/fuzz/run` builds it and gives it
///
/// - AURICLE_FUZZ_TARGET: which target, by name;
/// - AURICLE_FUZZ_MATERIAL: a folder of valid material, which is made when it is not there;
/// - AURICLE_FUZZ_SEEDS: an empty folder. Then nothing is searched: valid material of every target, and with each
///   field at its extremes, is written there.
@_cdecl("LLVMFuzzerInitialize")
public func initialise(
  _ count: UnsafeMutablePointer<Int32>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
  guard let folder = environment("AURICLE_FUZZ_SEEDS") else {
    // Here, because the first input would be found to take too long otherwise.
    _ = Search.target.ways
    return 0
  }
  do {
    for name in TargetName.allCases {
      try Seeds.write(try makeTarget(name), to: "\(folder)/\(name.rawValue)")
    }
  } catch { end("\(error)") }
  exit(EXIT_SUCCESS)
}

/// One input of the target. A wrong answer ends the process, as a crash does.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do throws(MutationFault) {
    try Search.target.read(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch { fatalError(error.text) }
  return 0
}

/// The target that is searched.
///
/// - Threads: libFuzzer calls from one thread.
private enum Search {
  nonisolated(unsafe) static var target: FuzzTarget = {
    guard let name = environment("AURICLE_FUZZ_TARGET").flatMap(TargetName.init(rawValue:)) else {
      let names = TargetName.allCases.map(\.rawValue).joined(separator: ", ")
      end("expected AURICLE_FUZZ_TARGET to be one of \(names)")
    }
    do { return try makeTarget(name) } catch { end("\(error)") }
  }()
}

private func makeTarget(_ name: TargetName) throws -> FuzzTarget {
  guard let folder = environment("AURICLE_FUZZ_MATERIAL") else { end("expected AURICLE_FUZZ_MATERIAL") }
  let isMade = access(folder + "/now", R_OK) == 0
  if !isMade { mkdir(folder, 0o700) }
  let fixtures = try isMade ? Fixtures(folder) : Fixtures(making: folder)
  return try name.make(fixtures, scratch: try fixtures.scratch(name.rawValue))
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private func end(_ text: String) -> Never {
  let line = Array("fuzzer: \(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(EX_USAGE)
}
