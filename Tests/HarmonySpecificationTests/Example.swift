import Harmony

/// Collects the statements of an example, so that the compiler does not report unused results.
@resultBuilder enum Example {
  static func buildBlock(_ statements: Any...) -> [Any] {
    statements
  }

  /// Runs an example.
  static func run(@Example _ statements: () throws -> [Any]) rethrows -> [Any] {
    try statements()
  }
}
