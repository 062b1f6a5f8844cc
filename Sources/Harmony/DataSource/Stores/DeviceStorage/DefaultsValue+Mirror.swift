import Foundation

extension DefaultsValue {
  /// The form in which `UserDefaults` takes the value and shows it to its other readers.
  ///
  /// What it would spoil is packed as Apple's does: a URL that is no file becomes an archive, which
  /// `url(forKey:)` opens, also on Linux. Inside lists, where no reader could tell an archive from
  /// other data, a URL is its text.
  var mirrored: Any {
    switch self {
    case .url: urlMirror
    case .array(let values): values.map(\.nested)
    case .dictionary(let values): values.mapValues(\.nested)
    default: natural
    }
  }

  private var urlMirror: Any {
    guard let url = URL.reading(self) else { return "" }
    if url.isFileURL { return url.path }
    let archive = try? NSKeyedArchiver.archivedData(
      withRootObject: url.absoluteURL as NSURL, requiringSecureCoding: false)
    return archive ?? url.absoluteString
  }

  private var nested: Any {
    switch self {
    case .url: URL.reading(self)?.absoluteString ?? ""
    default: mirrored
    }
  }

  /// Whether what `UserDefaults` shows is this value, as far as it can show it.
  ///
  /// It forgets the fractions of dates, and the types of numbers, when it has been saved.
  func isMirrored(by shown: DefaultsValue) -> Bool {
    switch (self, shown) {
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right || left.rounded(.down) == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isMirrored(by: $1) }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.isMirrored(by: $0) } ?? false }
    case (.url, .string(let text)):
      URL.reading(self).map { $0.absoluteString == text || $0.isFileURL && $0.path == text }
        ?? false
    case (.url, .data): URL.reading(self)?.absoluteURL == URL.reading(shown)
    case (.unsigned(let left), .unsigned(let right)): left == right
    default: isSameNumber(as: shown)
    }
  }

  private func isSameNumber(as shown: DefaultsValue) -> Bool {
    if case .integer(let left) = self, case .integer(let right) = shown { return left == right }
    if case .bool = self { return false }
    if case .bool = shown { return false }
    if case .string = self { return false }
    if case .string = shown { return false }
    if case .float(let left) = self {
      guard let right = Float.reading(shown) else { return false }
      return left == right || left.isNaN && right.isNaN
    }
    guard let left = Double.reading(self), let right = Double.reading(shown) else { return false }
    return left == right || left.isNaN && right.isNaN
  }
}
