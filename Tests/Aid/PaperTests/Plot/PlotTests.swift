import Laboratory
import Testing

@testable import Paper

@Suite("Plot") struct PlotTests {
  let plot = Plot(
    in: Rectangle(x: 0, y: 0, width: 100, height: 100), x: 0...100, .linear, y: 0...100)

  private func paths(_ picture: Picture) -> [Path] {
    picture.marks.flatMap { mark -> [Path] in
      guard case .clipped(_, let inner) = mark else { return [] }
      return inner.compactMap { if case .stroke(let path, _) = $0 { path } else { nil } }
    }
  }

  @Test("greater values lie higher on the page")
  func upwards() {
    #expect(plot.place(CurvePoint(x: 25, y: 90)) == Point(x: 25, y: 10))
  }

  @Test("a missing value breaks the line in two")
  func gap() {
    var picture = Picture(width: 100, height: 100, title: "")
    let points = [(0, 1), (10, 2), (20, Double.nan), (30, 3), (40, 4)].map { CurvePoint(x: $0.0, y: $0.1) }
    plot.line(points, .frame, on: &picture)
    #expect(
      paths(picture) == [
        .line(Point(x: 0, y: 99), Point(x: 10, y: 98)), .line(Point(x: 30, y: 97), Point(x: 40, y: 96)),
      ])
  }

  @Test("lines are cut off at the frame, markers outside it are left out")
  func clipping() {
    var picture = Picture(width: 100, height: 100, title: "")
    let points = [CurvePoint(x: 10, y: -50), CurvePoint(x: 20, y: 50), CurvePoint(x: 30, y: 150)]
    plot.line(points, .frame, on: &picture)
    for mark in picture.marks {
      guard case .clipped(plot.frame, _) = mark else {
        Issue.record("\(mark) is not clipped to the frame")
        continue
      }
    }
    plot.markers(
      points, Symbol(marker: .cross, centre: Point(x: 0, y: 0), colour: .ink), on: &picture)
    #expect(picture.symbols.map(\.centre) == [Point(x: 20, y: 50)])
  }

  @Test("a frequency of zero or below has no place on a logarithmic axis and is left out")
  func noPlace() {
    let plot = Plot(
      in: Rectangle(x: 0, y: 0, width: 100, height: 100), x: 100...1000, .logarithmic, y: 0...100)
    let points = [CurvePoint(x: 0, y: 1), CurvePoint(x: -5, y: 1), CurvePoint(x: 100, y: 1)]
    #expect(plot.runs(of: points).map(\.count) == [1])
  }

  @Test("thinning a long line keeps its highest and lowest points")
  func thinning() {
    var points = (0..<100_000).map { Point(x: Double($0) / 1000, y: 50) }
    points[33_333].y = 3
    points[77_777].y = 98
    let thinned = Plot.thinned(points, width: 100)
    // Four points, first, last, highest and lowest, for each of 200 half points.
    #expect(thinned.count <= 800)
    #expect(thinned.contains(points[33_333]) && thinned.contains(points[77_777]))
    #expect(zip(thinned, thinned.dropFirst()).allSatisfy { $0.x < $1.x })
  }
}
