import Testing

@testable import AudioIO
