import Testing

@testable import Acoustics
