import Base
import Questionnaires

extension Pillar {
  func json(_ languages: [String]) -> JSONValue {
    ["id": .text(id), "title": title.json(languages), "colour": .text(colour)]
  }
}

extension StudyModule {
  func json(_ languages: [String]) -> JSONValue {
    [
      "id": .text(id), "title": title.json(languages), "questionnaire": .text(questionnaire),
      "pillar": .text(pillar), "tier": .text(tier.rawValue), "minutes": .number(minutes),
      "priority": .number(Double(priority)), "substitute": substitute.map { .text($0) },
    ]
  }
}

extension StudyDay {
  func json(_ languages: [String]) -> JSONValue {
    [
      "day": .number(Double(number)), "title": title.json(languages), "summary": summary.json(languages),
      "minutes": .number(minutes), "modules": .texts(modules),
    ]
  }
}

extension Gateway {
  var json: JSONValue {
    [
      "id": .text(id), "version": .number(Double(version)),
      "enableWhen": FHIRList.of(conditions.map { $0.fhir() }), "enableBehavior": .text(enablement.rawValue),
      "modules": .texts(modules),
    ]
  }
}

extension Filling {
  func json(_ languages: [String]) -> JSONValue {
    [
      "from": .number(Double(days.lowerBound)), "to": .number(Double(days.upperBound)),
      "most-minutes": .number(mostMinutes), "title": title.json(languages),
      "summary": summary.json(languages),
    ]
  }
}
