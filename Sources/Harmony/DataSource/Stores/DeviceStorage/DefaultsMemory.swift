import Foundation

/// The in-memory state of a suite in this process's `UserDefaults`.
///
/// Foundation loads the property list once and stores later changes of the program in memory until
/// `synchronize()`. That writes them to the file or, if there are none, drops the loaded values.
struct DefaultsMemory: @unchecked Sendable {
  // `UserDefaults` is thread-safe, but is not declared `Sendable` on Linux.
  private let defaults: UserDefaults

  /// An empty suite, which returns only the values common to all suites.
  ///
  /// There is just one, because Foundation never releases a suite.
  private static let empty = DefaultsMemory(
    UserDefaults(suiteName: "harmony." + UUID().uuidString) ?? UserDefaults())

  init(_ defaults: UserDefaults) {
    self.defaults = defaults
  }

  /// Returns the value that an argument of the process, such as `-theme dark`, sets for a key.
  func argument(_ key: String) -> DefaultsValue? {
    defaults.volatileDomain(forName: UserDefaults.argumentDomain)[key]
      .flatMap { DefaultsValue(any: $0) }
  }

  /// Returns the value of a key, or the registered default.
  func value(_ key: String) -> DefaultsValue? {
    defaults.object(forKey: key).flatMap { DefaultsValue(any: $0) }
  }

  /// Returns the registered default of a key.
  static func registered(_ key: String) -> DefaultsValue? {
    empty.value(key)
  }

  /// Returns the values of all keys.
  ///
  /// - Parameter isSet: Returns whether a key is certainly set, even if its value equals the
  ///   registered default.
  /// - Returns: The values, without those that are only registered.
  func values(where isSet: (String) -> Bool) -> [String: DefaultsValue] {
    let registered = Self.empty.defaults.dictionaryRepresentation()
    // Foundation caches the combined values of a suite until one of them changes.
    defaults.removeObject(forKey: Self.absentKey)
    return defaults.dictionaryRepresentation().compactMapValues { DefaultsValue(any: $0) }
      .filter { key, value in
        guard let other = registered[key], !isSet(key) else { return true }
        return DefaultsValue(any: other) != value
      }
  }

  private static let absentKey = "harmony." + UUID().uuidString

  /// Sets or removes the value of a key.
  func set(_ value: DefaultsValue?, forKey key: String) {
    guard let value else { return defaults.removeObject(forKey: key) }
    let object: Any = if case .unsigned(let number) = value { number } else { value.natural }
    // Where Foundation is linked statically, setting a list would crash the program.
    guard PropertyListSerialization.propertyList(object, isValidFor: .binary) else { return }
    defaults.set(object, forKey: key)
  }

  /// Makes Foundation load the property list again.
  ///
  /// The program's changes must be saved before.
  func reload() {
    defaults.synchronize()
    _ = defaults.object(forKey: Self.absentKey)
  }
}
