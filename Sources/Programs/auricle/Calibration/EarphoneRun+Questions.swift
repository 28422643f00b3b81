import Acoustics
import Base

extension EarphoneRun {
  /// The model and the coupler, by options or by questions.
  func chosen(transducer: String?, coupler: String?) throws(Failure) -> (Transducer?, coupler: String) {
    var model = try TransducerChoice.named(transducer)
    if transducer == nil, coupler == nil {
      interview.say(
        "Reference thresholds in dB HL are known for: \(Transducer.all.map(\.identifier).joined(separator: ", ")). Without "
          + "one, levels are known in dB SPL alone, which is enough for the aid.")
      while true {
        let answer = try ask("Model of the earphones (Enter: another):")
        if answer.isEmpty { break }
        do throws(Failure) {
          model = try TransducerChoice.named(answer, "model")
          break
        } catch { interview.say(error.message) }
      }
    }
    if let coupler { return (model, try CalibrationKeeping.plain(coupler, "--coupler")) }
    if let stated = model?.statedCoupler, try confirms("Do you measure in \(stated)?") {
      return (model, stated)
    }
    while true {
      let answer = try ask("Coupler, ear simulator, or how the meter sits at the earphone:")
      do throws(Failure) {
        let coupler = try CalibrationKeeping.plain(answer, "coupler")
        // Before anybody measures.
        if let model, !model.holds(in: coupler) {
          interview.say("Caution: \(TransducerChoice.omission(of: model, in: coupler)).")
        }
        return (model, coupler)
      } catch { interview.say(error.message) }
    }
  }

  /// The person who measures.
  func examiner() throws(Failure) -> String {
    while true {
      let answer = try ask("Who measures? Your name:")
      do throws(Failure) { return try CalibrationKeeping.plain(answer, "name") } catch {
        interview.say(error.message)
      }
    }
  }
}
