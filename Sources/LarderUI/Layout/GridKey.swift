import LarderBrowser
import LarderModel
import TerminalUI

/// The columns of keys with several parts, or of numbers, which a grid shows like any other columns.
struct GridKey: Equatable {
  private struct Part: Equatable {
    let name: String
    var width: Int
    /// Whether the part is right-aligned, as numbers are.
    var isRight = true
  }

  private var parts: [Part]
  private static let gap = 2

  /// Measures the parts of the visible keys; nil if the keys have a single part and are not all
  /// numbers, or need more than the maximum width.
  ///
  /// - Parameters:
  ///   - shown: The visible entries.
  ///   - model: The list.
  ///   - most: The maximum width of all parts.
  ///   - previous: The previous columns, whose widths are the minimum.
  init?(
    _ shown: some Collection<Entry>, of model: KeysModel, width most: Int, after previous: GridKey?
  ) {
    let names = model.store.keyColumns.map { Sanitizer.display($0.name) }
    guard !names.isEmpty, model.scope.isEmpty else { return nil }
    parts = names.map { Part(name: $0, width: TextWidth.of($0)) }
    // The first name has the mark of the order.
    parts[0].width += 1
    if let previous, previous.parts.map(\.name) == names {
      for place in parts.indices { parts[place].width = previous.parts[place].width }
    }
    for entry in shown {
      let keys = Self.parts(of: entry.key)
      guard keys.count == names.count else { return nil }
      for (place, key) in keys.enumerated() {
        parts[place].width = max(parts[place].width, TextWidth.of(Self.text(of: key)))
        if !key.isNumber { parts[place].isRight = false }
      }
    }
    guard width <= most, names.count > 1 || parts[0].isRight && !shown.isEmpty else { return nil }
  }

  /// The width of all parts.
  var width: Int { parts.reduce(-Self.gap) { $0 + $1.width + Self.gap } }

  /// Returns the names of the parts in their columns, with a mark after the first one.
  func title(mark: String) -> String {
    line(parts.indices.map { parts[$0].name + ($0 == 0 ? mark : "") })
  }

  /// Returns the parts of a key in their columns, or nil if it has other parts.
  func text(of key: EntryKey) -> String? {
    let keys = Self.parts(of: key)
    guard keys.count == parts.count else { return nil }
    return line(keys.map(Self.text))
  }

  private func line(_ texts: [String]) -> String {
    zip(texts, parts).map { text, part in
      TextCut.padded(text, to: part.width, alignment: part.isRight ? .right : .left)
    }.joined(separator: String(repeating: " ", count: Self.gap))
  }

  private static func parts(of key: EntryKey) -> [EntryKey] {
    if case .composite(let parts) = key { parts } else { [key] }
  }

  private static func text(of part: EntryKey) -> String {
    Sanitizer.display(part == .null ? "∅" : KeyText.display(part, .typed))
  }
}

extension EntryKey {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }
}
