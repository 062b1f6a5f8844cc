import Foundation

/// What `UserDefaults` of this process has in memory of a suite.
///
/// Foundation loads the property list once, and keeps what the program sets since until
/// `synchronize()`, which writes that into the file, or forgets its memory if nothing was set.
struct DefaultsMemory: @unchecked Sendable {
  // `UserDefaults` is thread-safe, and only its declaration on Linux does not say so.
  private let defaults: UserDefaults

  /// A suite that holds nothing, and answers only what every suite does; only one, as Foundation
  /// never forgets a suite.
  private static let empty = DefaultsMemory(
    UserDefaults(suiteName: "harmony." + UUID().uuidString) ?? UserDefaults())

  init(_ defaults: UserDefaults) {
    self.defaults = defaults
  }

  /// What an argument of the process stands for, such as `-theme dark`.
  func argument(_ key: String) -> DefaultsValue? {
    defaults.volatileDomain(forName: UserDefaults.argumentDomain)[key]
      .flatMap { DefaultsValue(any: $0) }
  }

  /// What a key holds, or what is registered for it.
  func value(_ key: String) -> DefaultsValue? {
    defaults.object(forKey: key).flatMap { DefaultsValue(any: $0) }
  }

  /// What is registered for the case that a key holds nothing.
  static func registered(_ key: String) -> DefaultsValue? {
    empty.value(key)
  }

  /// What all keys hold.
  ///
  /// - Parameter isSet: Whether a key that holds what is registered for it is certainly set.
  /// - Returns: The values, without those that are only registered.
  func values(where isSet: (String) -> Bool) -> [String: DefaultsValue] {
    let registered = Self.empty.defaults.dictionaryRepresentation()
    // Foundation puts the values of a suite together once, and forgets that only when one is changed.
    defaults.removeObject(forKey: Self.absentKey)
    return defaults.dictionaryRepresentation().compactMapValues { DefaultsValue(any: $0) }
      .filter { key, value in
        guard let other = registered[key], !isSet(key) else { return true }
        return DefaultsValue(any: other) != value
      }
  }

  private static let absentKey = "harmony." + UUID().uuidString

  /// Sets what a key holds, or removes it.
  func set(_ value: DefaultsValue?, forKey key: String) {
    guard let value else { return defaults.removeObject(forKey: key) }
    let object: Any = if case .unsigned(let number) = value { number } else { value.natural }
    // A program that Foundation is linked into statically would stop at a list.
    guard PropertyListSerialization.propertyList(object, isValidFor: .binary) else { return }
    defaults.set(object, forKey: key)
  }

  /// Makes Foundation load the property list again; what the program has set must be saved.
  func reload() {
    defaults.synchronize()
    _ = defaults.object(forKey: Self.absentKey)
  }
}
