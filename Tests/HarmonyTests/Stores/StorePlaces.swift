import Foundation
import Harmony

/// Directories and suites of defaults for tests, removed when the process ends.
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

  /// The name of a suite that nobody else has.
  static func suite() -> String {
    let name = "harmony-test-" + UUID().uuidString
    remember(
      [
        ".plist", ".plist-damaged", ".harmony", ".harmony-lock", ".harmony-copy",
        ".harmony-damaged", ".plist-damaged-2", ".harmony-damaged-2",
      ].map { configuration + "/" + name + $0 })
    return name
  }

  static func defaults(_ suite: String = suite()) -> UserDefaults {
    UserDefaults(suiteName: suite) ?? .standard
  }

  /// Removes what sources leave beside the defaults of the process.
  static func removeStandardLater() {
    let name = ProcessInfo.processInfo.processName
    remember([".harmony", ".harmony-lock"].map { configuration + "/" + name + $0 })
  }

  static func list(_ suite: String) -> String { configuration + "/" + suite + ".plist" }

  static func journal(_ suite: String) -> String { configuration + "/" + suite + ".harmony" }

  static func lock(_ suite: String) -> String {
    configuration + "/" + suite + ".harmony-lock"
  }

  static func damagedList(_ suite: String) -> String {
    configuration + "/" + suite + ".plist-damaged"
  }

  static func copy(_ suite: String) -> String { configuration + "/" + suite + ".harmony-copy" }

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
