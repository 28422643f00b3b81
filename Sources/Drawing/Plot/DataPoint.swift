/// A value in the units of a plot's axes.
struct DataPoint: Equatable, Sendable {
  var x: Double
  var y: Double
}
