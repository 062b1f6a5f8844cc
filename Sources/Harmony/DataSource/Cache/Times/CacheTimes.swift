public import Foundation

/// The dates at which the value of a key was stored and expires.
public struct CacheTimes: Sendable, Hashable, Codable {
  /// The date at which the value was read from the backing store or written to it.
  public var stored: Date

  /// The date at which the value expires; nil for never.
  public var expires: Date?

  /// Creates the times of a value.
  public init(stored: Date, expires: Date?) {
    self.stored = stored
    self.expires = expires
  }

  /// The expiry of values with unknown times, which is in the past: the first second of 2000.
  package static let unknownEnd = Date(timeIntervalSince1970: 946_684_800)
}

/// A store that persists when the entries of a cache expire.
///
/// A key with unknown times counts as expired, for whatever reason: it was never written, the
/// process was killed before it could be saved, or the saved times cannot be read. Therefore the
/// times of a value are removed before the value is written and saved afterwards.
///
/// A cache calls its store from one thread at a time, which is that of the caller who reads or
/// writes, and never for a hit. A store must not use the cache.
public protocol CacheTimesStore: Sendable {
  /// Returns the times of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The times; nil if none are saved.
  /// - Throws: An error if the times cannot be read.
  func times(of key: String) throws -> CacheTimes?

  /// Saves or removes the times of a key.
  ///
  /// - Parameters:
  ///   - times: The times; nil to remove them.
  ///   - key: The key.
  /// - Throws: An error if the times cannot be saved.
  func setTimes(_ times: CacheTimes?, of key: String) throws

  /// Saves or removes the times of keys that are written together.
  ///
  /// The default implementation calls ``setTimes(_:of:)`` for each.
  ///
  /// - Parameter changes: The keys and their times; nil to remove those.
  /// - Throws: An error if not all of the times can be saved.
  func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws

  /// Removes the times of all keys.
  func forgetTimes() throws
}

extension CacheTimesStore {
  /// Saves or removes the times of keys, one after another.
  public func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    for (key, times) in changes { try setTimes(times, of: key) }
  }
}
