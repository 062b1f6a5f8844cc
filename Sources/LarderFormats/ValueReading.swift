package import LarderModel

/// What is found in a value by looking at all of it: the formats that can show it, and what those that
/// read it have read.
package struct ValueReading: Sendable, Equatable {
  /// The names of the formats that can show the value, the best first.
  package let formats: [String]
  /// What the formats that look inside the value show of it.
  package let contents: [String: ComparedContent]

  /// Looks at a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isCancelled: Whether nobody waits for it any more: then there is no reading.
  package init?(_ value: StoredValue, isCancelled: @escaping () -> Bool = { false }) {
    let structure = ValueFormat.structure(in: value, isCancelled: isCancelled)
    if isCancelled() { return nil }
    var contents: [String: ComparedContent] = [:]
    if let structure { contents[ValueFormat.json.name] = .structure(structure) }
    let suitable = ValueFormat.suitable(for: value, isJSON: structure != nil)
    for format in suitable where format.looksInside && contents[format.name] == nil {
      contents[format.name] = format.compared(value)
      if isCancelled() { return nil }
    }
    formats = suitable.map(\.name)
    self.contents = contents
  }
}

extension ValueFormat {
  /// The maximum number of bytes that are looked at while the screen waits: that takes about as
  /// many tenths of a microsecond.
  package static let maximumAtOnce = 16 << 10

  /// Whether it takes a while to find out what a value holds.
  package static func isSlowToRead(_ value: StoredValue) -> Bool {
    switch value {
    case .text(let text):
      text.utf8.count > maximumAtOnce
        && (mayHoldStructure(text.utf8) || Base64Text.mayBegin(text.utf8))
    case .data(let bytes):
      bytes.count > maximumAtOnce && (mayHoldStructure(bytes) || Base64Text.mayBegin(bytes))
        || isSlowToInflate(bytes)
    default: false
    }
  }

  private static func mayHoldStructure(_ bytes: some Collection<UInt8>) -> Bool {
    looksLikeList(bytes) || bytes.count <= maximumStructure && beginsStructure(bytes)
  }

  /// Whether bytes hold many more, or are many themselves.
  private static func isSlowToInflate(_ bytes: [UInt8]) -> Bool {
    guard Inflation.Form(of: bytes) != nil else { return false }
    let start = Array(bytes.prefix(4_096))
    let inflation = Inflation(start, limit: maximumAtOnce)
    return !inflation.bytes.isEmpty && (inflation.isCut || bytes.count > start.count)
  }

  /// The formats that are known to be able to show a value before all of it is looked at.
  package static func suitableAtOnce(for value: StoredValue) -> [ValueFormat] {
    suitable(for: value, among: all.filter { !$0.looksInside })
  }
}

extension StoredValue {
  /// Whether the value, with all that is in it, is larger than so many bytes; of a large one only as
  /// much is looked at.
  package func isLarger(than limit: Int) -> Bool {
    var left = limit
    return !takes(from: &left)
  }

  /// Takes the room of the value from what is left; false where that is too little.
  private func takes(from left: inout Int) -> Bool {
    left -= 16
    switch self {
    case .text(let text), .url(let text), .number(let text): left -= text.utf8.count
    case .data(let bytes), .malformedText(let bytes): left -= bytes.count
    case .array(let values):
      for value in values where left >= 0 { _ = value.takes(from: &left) }
    case .dictionary(let fields), .record(let fields):
      for field in fields where left >= 0 {
        left -= field.name.utf8.count
        _ = field.value.takes(from: &left)
      }
    default: break
    }
    return left >= 0
  }
}
