import Harmony

/// Takes the statements of an example as they are written, so that none is unused.
@resultBuilder enum Example {
  static func buildBlock(_ statements: Any...) -> [Any] {
    statements
  }

  /// Runs an example.
  static func run(@Example _ statements: () throws -> [Any]) rethrows -> [Any] {
    try statements()
  }
}
