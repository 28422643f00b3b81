extension AudiogramFileError.Reason {
  /// What kind of thing is wrong, without a word of the file: for a log.
  public var kind: String {
    switch self {
    case .notJSON: "a text that is not JSON"
    case .notAnAudiogram: "something that is not an audiogram"
    case .unknownVersion: "an unknown version"
    case .unknownKey: "an unknown key"
    case .repeatedKey: "a key given twice"
    case .missingKey(let key): "no \"\(key)\""
    case .wrongKind: "a value of another kind than expected"
    case .notAFrequency: "a key that is no frequency"
    case .point(let error, _): error.kind
    }
  }
}
