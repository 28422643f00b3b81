import Base
import Control

@testable import Service

/// Tests of requests to a daemon whose configuration is a text.
protocol RequestSuite {
  /// The configuration at the time of a reload.
  var text: Shared<String> { get }
}

extension RequestSuite {
  /// One whose configuration is the text at the time of a reload.
  func timeline(_ facts: ServiceState.Facts = .init(started: .at(100))) -> Timeline {
    Timeline(ServiceState(facts), disk: disk())
  }

  /// A disk that reads the text, and keeps nothing.
  ///
  /// - Parameter claimFolder: Of the claims on devices; nil: they are not made.
  func disk(claimFolder: String? = nil) -> ServiceDisk {
    ServiceDisk(
      folder: nil, store: PrescriptionStore(folder: "/nonexistent/book"), claimFolder: claimFolder
    ) { [text] in
      do {
        return .success(try loaded(text.value))
      } catch let error as ConfigurationFailures {
        return .failure(error)
      } catch {
        return .failure(ConfigurationFailures(failures: []))
      }
    }
  }

  func failure<Reply>(_ answer: Result<Reply, Failure>?) throws -> Failure {
    guard case .failure(let failure) = answer else {
      throw Failure("test", found: "success", exit: .software)
    }
    return failure
  }

  func name(_ answer: Result<StateAnswer, Failure>?) -> StatusReport.State.Name? {
    try? answer?.get().state.name
  }

  /// Without the fitting, which says what the settings say.
  func report(_ answer: Result<ReloadReport, Failure>?) -> ReloadReport? {
    var report = try? answer?.get()
    report?.fitting = nil
    return report
  }
}
