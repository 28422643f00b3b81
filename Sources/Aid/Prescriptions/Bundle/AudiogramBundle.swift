import Acoustics
import Base

/// An audiogram by itself as a FHIR R4 Bundle: an Observation for each ear that was tested, as ``FHIRAudiogram`` reads it.
package struct AudiogramBundle {
  private let audiograms: Binaural<Audiogram>
  private let at: Instant
  private let note: String

  /// - Parameters:
  ///   - at: Moment of the test.
  ///   - note: Earphone, calibration and method, one sentence.
  package init(_ audiograms: Binaural<Audiogram>, at moment: Instant, note: String) {
    (self.audiograms, at, self.note) = (audiograms, moment, note)
  }

  /// JSON on one line, with a line break.
  package var text: String {
    let ears = Ear.allCases.filter { !audiograms[$0].points.isEmpty }
    let entries = ears.enumerated().map { index, ear -> JSONValue in
      let observation = ThresholdObservation(
        ear: ear, points: audiograms[ear].points, isFile: true, effective: at.text, note: note)
      return ["fullUrl": .text("resource:\(index)"), "resource": observation.json]
    }
    let bundle: JSONValue = ["resourceType": "Bundle", "type": "collection", "entry": .array(entries)]
    return bundle.minified + "\n"
  }
}
