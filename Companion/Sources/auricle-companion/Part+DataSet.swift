import Companion
import Exchange
import Records
import Studies

extension Part {
  /// Codes of the person and of the responses in data sets.
  var codes: PartCodes { PartCodes(part: enrolment.id, seed: course.seed) }

  /// As a data set has the person.
  func participant(code: String) -> DataSet.Participant {
    let codes = codes
    return DataSet.Participant(
      code: code, course: course, ended: enrolment.ended, ending: enrolment.ending?.rawValue,
      responses: responses.map { response in
        let study = study(version: response.studyVersion)
        return DataSet.GivenResponse(
          id: codes.response(response.id), given: answers(of: response), zone: response.zone,
          begun: response.begun,
          completed: response.completed, version: study.version,
          kind: study.task(OccurrenceName(response.occurrence).task)?.dataType,
          closes: response.closes)
      },
      consents: consents.map { consent in
        DataSet.GivenConsent(
          number: consent.number, version: study(version: consent.studyVersion).version,
          versionHash: consent.studyVersion, text: consent.text, language: consent.language,
          ticks: consent.ticks.map {
            .init(kind: $0.kind, isGiven: $0.isGiven, since: $0.since, zone: $0.zone)
          })
      }, measurements: measurements,
      measuredKinds: Dictionary(
        measurements.compactMap { run in
          study(version: run.studyVersion).task(OccurrenceName(run.occurrence).task).map {
            (run.id, $0.dataType)
          }
        }
      ) { first, _ in first }, begun: enrolment.begun, former: formerVersions)
  }
}
