import Base
import Questionnaires

@testable import Studies

/// Licences, watch over self-harm, and the dictionary.
extension StudyCheckTests {
  static let licenceDefects: [Defect] = [
    Defect(
      .licence,
      "warning: study.json, instruments[2]: Insomnia Severity Index is not asked, because its text is not in the bundle: its module is left out"
    ) {
      $0.add("isi", licence: nil, hasText: false)
    },
    Defect(
      .licence,
      "warning: study.json, instruments[2]: Insomnia Severity Index is not asked, because its makers' permission is needed, and the study names no licence: habits takes its place"
    ) {
      $0.add("isi", licence: nil, hasText: true, substitute: "habits")
    },
    Defect(
      .licence,
      "warning: study.json, instruments[2]: Insomnia Severity Index is not asked, because its licence ended on 2026-11-26"
    ) {
      $0.add(
        "isi", licence: SiteLicence(holder: "U", number: "7", expires: CalendarDate("2026-11-26")),
        hasText: true)
    },
    Defect(
      .licence,
      "error: study.json, instruments[2]: nonsense is not asked, because its rules are not known here"
    ) {
      $0.add("nonsense", licence: nil, hasText: true)
    },
    Defect(
      .licence,
      "error: study.json, instruments[2]: Insomnia Severity Index is not asked, because its makers' permission is needed, and the study names no licence: it is asked by a task"
    ) {
      $0.add("isi", licence: nil, hasText: true)
      $0.study.tasks[0].work = .questionnaire("isi")
    },
    Defect(
      .safety,
      "error: study.json, instruments[0].items.9: the item on self-harm follows from conditions, which nobody watches"
    ) {
      $0.study.instruments[0].items["9"] = .conditions([Condition("phq-9.1", .equal, .choice("1"))], .all)
    },
    Defect(
      .safety,
      "warning: study.json, instruments[0]: PHQ-9 is not asked, because it asks about self-harm, and the study has no contact who can be reached and answers within stated hours, or no help page: phq-8 takes its place"
    ) {
      $0.study.contact = nil
    },
    Defect(
      .safety, "error: study.json, instruments[0]: PHQ-9 is not asked, because it asks about self-harm"
    ) {
      $0.study.contact?.answersWithin = nil
      $0.study.modules[1].substitute = nil
    },
    Defect(
      .safety, "error: study.json, instruments[0]: PHQ-9 is not asked, because it asks about self-harm"
    ) {
      $0.study.helpText = nil
      $0.study.modules[1].substitute = nil
    },
    // The module with the rest of PHQ-9 is replaced, and the log is asked every day.
    Defect(
      .safety,
      "error: study.json, instruments[0].items.9: log.dark asks about self-harm in log, and nobody answers; name contact"
    ) {
      $0.askSelfHarm(in: "log")
      $0.study.contact = nil
    },
    Defect(
      .safety,
      "error: study.json, instruments[0].items.9: habits.dark asks about self-harm in habits, and nobody"
    ) {
      $0.askSelfHarm(in: "habits")
      $0.study.helpText = nil
    },
    Defect(
      .safety,
      "error: study.json, contact.email: PHQ-9 asks about self-harm, and Ben, who is told by mail, has no address"
    ) {
      $0.study.contact = Contact(Person("Ben", phone: "+49 30 1"), answersWithin: 24)
    },
    Defect(.safety, "warning: study.json, investigator.email: Ada, who is told by mail") {
      $0.study.investigator?.email = nil
    },
    Defect(
      .licence,
      "warning: study.json, instruments[2]: the licence of Insomnia Severity Index ends on 2026-12-05, and whoever begins on 2026-11-27 takes part up to 2026-12-06: afterwards habits takes its place"
    ) {
      $0.add("isi", licence: SoundStudy.licence(until: "2026-12-05"), hasText: true, substitute: "habits")
    },
    Defect(
      .licence,
      "warning: study.json, instruments[2]: the licence of Insomnia Severity Index ends on 2026-12-05, and whoever begins on 2026-11-27 takes part up to 2026-12-06: afterwards no task asks it"
    ) {
      $0.add("isi", licence: SoundStudy.licence(until: "2026-12-05"), hasText: true)
      $0.study.tasks[0].work = .questionnaire("isi")
    },
    Defect(
      .dictionary,
      "error: questionnaires/habits.json, habits.coffee: its answers have no column in the dictionary"
    ) {
      $0.study.dictionary.removeAll { $0.item == "habits.coffee" }
    },
    Defect(.dictionary, "error: study.json, dictionary[0]: \"Age\" is no name of a column") {
      $0.study.dictionary[0].column = "Age"
    },
    Defect(.dictionary, "error: study.json, dictionary[21]: there is no question \"nothing\"") {
      $0.study.dictionary.append(DictionaryEntry("nothing", item: "nothing"))
    },
  ]
}
