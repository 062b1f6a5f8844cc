import Foundation
import Harmony

/// Temporary directories and suites of defaults, which are removed when the process exits.
enum StorePlaces {
  private static let made = Locked<[String]>([])
  private static let cleaning: Void = {
    atexit { StorePlaces.removeAll() }
    return ()
  }()

  static func directory() -> URL {
    let path = NSTemporaryDirectory() + "harmony-test-" + UUID().uuidString
    remember([path, path + ".harmony-times"])
    return URL(fileURLWithPath: path)
  }

  /// Returns a unique suite name.
  static func suite() -> String {
    let name = "harmony-test-" + UUID().uuidString
    remember(
      [".plist", ".harmony-lock", ".harmony-times"].map { configuration + "/" + name + $0 })
    return name
  }

  static func defaults(_ suite: String = suite()) -> UserDefaults {
    UserDefaults(suiteName: suite) ?? .standard
  }

  /// Removes the files of the process's own defaults when the process exits.
  static func removeStandardLater() {
    let name = ProcessInfo.processInfo.processName
    remember([".plist", ".harmony-lock"].map { configuration + "/" + name + $0 })
  }

  static func list(_ suite: String) -> String { configuration + "/" + suite + ".plist" }

  static func lock(_ suite: String) -> String {
    configuration + "/" + suite + ".harmony-lock"
  }

  private static var configuration: String {
    let environment = ProcessInfo.processInfo.environment
    return environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
  }

  private static func remember(_ paths: [String]) {
    _ = cleaning
    made.withLock { $0 += paths }
  }

  private static func removeAll() {
    for path in made.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }
}
