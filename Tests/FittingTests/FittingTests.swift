import Testing

@testable import Fitting
