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
    // A program that Foundation is linked into makes archives that nobody can open.
    guard let archive, URLArchive(archive)?.url == url.absoluteURL else {
      return url.absoluteString
    }
    return archive
  }

  /// The form that the value has in a list or dictionary.
  var nested: Any {
    switch self {
    case .url: URL.reading(self)?.absoluteString ?? ""
    default: mirrored
    }
  }

  /// Whether what `UserDefaults` shows is this value, as far as it can show it.
  ///
  /// It forgets the fractions of dates, the types of numbers, and byte order marks at the beginning of
  /// texts when it has been saved.
  func isMirrored(by shown: DefaultsValue) -> Bool {
    switch (self, shown) {
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)): Self.isText(left, mirroredBy: right)
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right || left.rounded(.down) == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isMirrored(by: $1) }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in
          Self.shown(key, in: right).map { value.isMirrored(by: $0) } ?? false
        }
    case (.url, .string(let text)):
      URL.reading(self).map { $0.absoluteString == text || $0.isFileURL && $0.path == text }
        ?? false
    case (.url, .data): URL.reading(self)?.absoluteURL == URL.reading(shown)
    case (.unsigned(let left), .unsigned(let right)): left == right
    default: isSameNumber(as: shown)
    }
  }

  /// Foundation takes a byte order mark at the beginning of a text for none of it, each time that it
  /// reads a file.
  private static func isText(_ text: String, mirroredBy shown: String) -> Bool {
    text.utf8.elementsEqual(shown.utf8)
      || text.utf8.count > shown.utf8.count
        && withoutMarks(text).utf8.elementsEqual(withoutMarks(shown).utf8)
  }

  private static func withoutMarks(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.drop { $0 == "\u{FEFF}" }))
  }

  /// What is shown under a key of a dictionary.
  private static func shown(_ key: String, in shown: [String: DefaultsValue]) -> DefaultsValue? {
    if let value = shown[key] { return value }
    guard key.unicodeScalars.first == "\u{FEFF}" else { return nil }
    return Self.shown(String(key.unicodeScalars.dropFirst()), in: shown)
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
