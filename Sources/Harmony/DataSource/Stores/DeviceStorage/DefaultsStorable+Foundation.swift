import Foundation

extension String: DefaultsStorable {
  /// Numbers are written as Swift writes them, Booleans as `1` and `0` as `UserDefaults` does.
  static func reading(_ value: DefaultsValue) -> String? {
    switch value {
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.description
    case .float(let value): value.description
    case .string(let value): value
    case .url: URL.reading(value)?.absoluteString
    default: nil
    }
  }

  var defaultsValue: DefaultsValue? { .string(self) }
}

extension Data: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> Data? {
    guard case .data(let value) = value else { return nil }
    return value
  }

  var defaultsValue: DefaultsValue? { .data(self) }
}

extension Date: DefaultsStorable {
  static func reading(_ value: DefaultsValue) -> Date? {
    guard case .date(let seconds) = value else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  var defaultsValue: DefaultsValue? { .date(timeIntervalSinceReferenceDate) }
}

extension URL: DefaultsStorable {
  /// Reads also the two forms in which `UserDefaults` itself keeps a URL: the path of a file, and
  /// an archive of any other, which Foundation does not open here: it stops the program if that is
  /// damaged, or an archive of something else.
  static func reading(_ value: DefaultsValue) -> URL? {
    switch value {
    case .url(let text, let base): URL(string: text, relativeTo: base.flatMap { URL(string: $0) })
    case .string(let path) where path.utf8.first.map("/~".utf8.contains) ?? false:
      URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    case .string(let text): URL(string: text).flatMap { $0.scheme == nil ? nil : $0 }
    case .data(let archive): URLArchive(archive)?.url
    default: nil
    }
  }

  var defaultsValue: DefaultsValue? { .url(relativeString, base: baseURL?.absoluteString) }
}
