import Base
import Testing

@testable import Prescriptions

@Suite("Person of a FHIR audiogram") struct FHIRSubjectTests {
  private static let ada = CalendarDate("1950-02-03").flatMap {
    try? Patient(givenName: "Ada", familyName: "Example", birthDate: $0)
  }

  private func subjects(_ entries: String, subject: String = "") throws -> Set<FHIRSubject> {
    try FHIRAudiogram(
      parsing: """
        {"resourceType": "Bundle", "entry": [\(entries){"resource": {"resourceType": "Observation",
          "status": "final", \(subject) "code": {"coding": [{"system": "http://loinc.org", "code": "89016-0"}]},
          "valueQuantity": {"value": 35, "unit": "dB"}}}]}
        """
    ).subjects
  }

  private func patient(_ content: String) -> String {
    #"{"resource": {"resourceType": "Patient", \#(content)}}, "#
  }

  @Test(
    "the same person by names and date of birth, however the names are written",
    arguments: [
      #""name": [{"given": ["Ada"], "family": "Example"}], "birthDate": "1950-02-03""#,
      #""name": [{"given": ["ADA", "Maria"], "family": "Éxample"}], "birthDate": "1950""#,
      #""name": [{"text": "Example, Ada"}]"#, #""name": [{"text": "Dr. Ada Example"}]"#,
      #""name": [{"given": ["Ada"], "family": "Born"}, {"given": ["Ada"], "family": "Example"}]"#,
      #""birthDate": "1950-02-03", "identifier": [{"value": "4711"}]"#,
    ])
  func same(content: String) throws {
    let ada = try #require(Self.ada)
    let found = try subjects(patient(content))
    #expect(found.count == 1 && found.allSatisfy { $0.isSame(as: ada) })
  }

  @Test(
    "another given name, another family name or another date of birth is another person",
    arguments: [
      #""name": [{"given": ["Bo"], "family": "Example"}]"#,
      #""name": [{"given": ["Ada"], "family": "Other"}]"#,
      #""name": [{"given": ["Ada"], "family": "Example"}], "birthDate": "1950-02-04""#,
      #""name": [{"text": "Bo"}], "birthDate": "1950-02-03""#, #""birthDate": "1951""#,
    ])
  func other(content: String) throws {
    let ada = try #require(Self.ada)
    let found = try subjects(patient(content))
    #expect(found.contains { !$0.isSame(as: ada) })
  }

  @Test("of two people in one file both are found")
  func two() throws {
    let ada = #""name": [{"given": ["Ada"], "family": "Example"}]"#
    let bo = #""name": [{"given": ["Bo"], "family": "Example"}], "birthDate": "1960-01-31""#
    let found = try subjects(patient(ada) + patient(bo))
    #expect(Set(found.map(\.words)) == ["Ada Example", "Bo Example, born 1960-01-31"])
  }

  @Test("without a Patient the displayed name of an Observation's subject counts")
  func display() throws {
    let ada = try #require(Self.ada)
    let found = try subjects("", subject: #""subject": {"display": "Bo Example"},"#)
    #expect(found.map(\.words) == ["Bo Example"] && !found.contains { $0.isSame(as: ada) })
  }

  @Test("a file that names nobody is nobody's, and what cannot be read is passed over")
  func nobody() throws {
    #expect(try subjects("").isEmpty)
    #expect(try subjects(patient(#""name": "Bo", "birthDate": 7, "identifier": {}"#)).isEmpty)
  }

  @Test("a person known by a reference alone is the one whose number the file has")
  func reference() throws {
    let person = try Patient(reference: "4711", of: "Clinic North")
    let found = try subjects(patient(#""name": [{"text": "Bo"}], "identifier": [{"value": "4711"}]"#))
    #expect(found.allSatisfy { $0.isSame(as: person) })
    #expect(try subjects(patient(#""name": [{"text": "Bo"}]"#)).allSatisfy { !$0.isSame(as: person) })
  }

  @Test("the project's own export is of the person whom it was made for")
  func export() throws {
    let prescription = try Forge().prescription()
    let subjects = try FHIRAudiogram(parsing: prescription.fhirBundle).subjects
    #expect(subjects.count == 1 && subjects.allSatisfy { $0.isSame(as: prescription.patient) })
  }
}
