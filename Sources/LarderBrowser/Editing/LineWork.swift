import LarderModel

/// What a line that is typed has had begun, and what stands in its way.
protocol LineWork {
  /// Why it cannot be done, as far as is known.
  var problem: String? { get set }
  /// Where the token of the change is, once it is under way.
  static var underWay: any WritableKeyPath<Self, Int?> & Sendable { get }
}

extension LineWork {
  /// Notes that the change is under way.
  mutating func begin(_ token: Int) {
    self[keyPath: Self.underWay] = token
    problem = nil
  }

  /// Notes that the change was refused.
  mutating func end(_ reason: String) {
    self[keyPath: Self.underWay] = nil
    problem = reason
  }
}

extension TransferModel: LineWork {
  static var underWay: any WritableKeyPath<Self, Int?> & Sendable { \.running }
}

extension ExpiryModel: LineWork {
  static var underWay: any WritableKeyPath<Self, Int?> & Sendable { \.writing }
}

extension MarkedRenameModel: LineWork {
  static var underWay: any WritableKeyPath<Self, Int?> & Sendable { \.renaming }
}

extension BrowserState {
  /// The line that is typed, where one is.
  var typedLine: PromptModel? {
    get { if case .prompt(let prompt) = overlay { prompt } else { nil } }
    set { if let newValue, case .prompt = overlay { overlay = .prompt(newValue) } }
  }

  /// What was seen under the keys that are marked, or else under the selected one.
  var chosenFingerprints: [EntryKey: Fingerprint] {
    guard let model = keys, model.marked.isEmpty else { return keys?.fingerprints ?? [:] }
    guard let entry = value?.entry.value else { return model.fingerprints }
    return [entry.key: entry.fingerprint].compactMapValues { $0 }
  }
}
