import Glibc

/// Arguments of a test that takes long: every one. Where the environment says AURICLE_CASES, as for an emulator that takes sixty times
/// as long (docs/aarch64.md), as many at most, evenly spread, the first and the last among them.
package func cases<Arguments: Collection>(_ all: Arguments) -> [Arguments.Element] {
  let all = Array(all)
  guard let text = getenv("AURICLE_CASES").map({ String(cString: $0) }) else { return all }
  guard let most = Int(text), most >= 2 else {
    preconditionFailure("found AURICLE_CASES=\(text), expected 2 or more")
  }
  guard most < all.count else { return all }
  return (0..<most).map { all[$0 * (all.count - 1) / (most - 1)] }
}
