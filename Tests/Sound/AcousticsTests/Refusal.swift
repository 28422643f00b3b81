@testable import Acoustics

/// Words of the error that `body` throws; nil when it throws none.
func refusal(_ body: () throws(AcousticsError) -> some Any) -> String? {
  do throws(AcousticsError) {
    _ = try body()
    return nil
  } catch {
    return error.description
  }
}
