import Foundation

/// The files behind a `UserDefaults`.
struct DefaultsSuite: Sendable {
  /// The directory of the property list.
  let directory: String

  /// The name of the property list without its extension.
  private let name: String

  /// The path of the property list.
  var list: String { "\(directory)/\(name).plist" }

  /// The path of the file in which caches over sources of the suite save expiries.
  var times: String { "\(directory)/\(name).harmony-times" }

  /// The lock that sources take to change the property list.
  var lock: FileLock { FileLock(path: "\(directory)/\(name).harmony-lock") }

  /// Locates the files of defaults.
  ///
  /// Foundation has no API for the name of a suite, but instances store it: nil for the standard
  /// defaults, which are named after the process. The directory is the one that Foundation uses on
  /// Linux.
  ///
  /// - Parameter defaults: The defaults.
  /// - Throws: ``CoreError/IllegalArgument`` if the name is not a plain file name: `UserDefaults`
  ///   also accepts `../x` and writes outside of its directory.
  init(_ defaults: UserDefaults) throws {
    guard let suite = Self.suite(of: defaults) else {
      throw CoreError.IllegalArgument.unknownSuite
    }
    let name = suite ?? ProcessInfo.processInfo.processName
    guard Self.isPlain(name) else {
      throw CoreError.IllegalArgument.suiteName(name)
    }
    self.name = name
    directory = Self.defaultDirectory
  }

  /// Returns the name of the suite, which is nil for the standard one; nil if it is unknown.
  private static func suite(of defaults: UserDefaults) -> String?? {
    if defaults === UserDefaults.standard { return .some(nil) }
    var mirror: Mirror? = Mirror(reflecting: defaults)
    while let current = mirror {
      if let suite = current.descendant("suite") { return .some(suite as? String) }
      mirror = current.superclassMirror
    }
    return nil
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 200
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  private static var defaultDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_CONFIG_HOME"], path.utf8.first == UInt8(ascii: "/") {
      return path
    }
    return (environment["HOME"] ?? "") + "/.config"
  }
}
