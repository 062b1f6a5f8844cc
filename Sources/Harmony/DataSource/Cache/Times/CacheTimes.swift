public import Foundation

/// Since when and when what is under a key expires, by the time of day.
public struct CacheTimes: Sendable, Hashable, Codable {
  /// When it was read from where it comes from, or written.
  public var stored: Date

  /// When it stops to count; nil for never.
  public var expires: Date?

  /// Creates times.
  public init(stored: Date, expires: Date?) {
    self.stored = stored
    self.expires = expires
  }

  /// The end of what nothing is known of, which has expired: the first second of the year 2000.
  package static let unknownEnd = Date(timeIntervalSince1970: 946_684_800)
}

/// Keeps when entries of a cache expires for longer than the process lasts.
///
/// What is not known of a key counts as expired, whatever the reason: that nobody wrote it, that the
/// process was killed before it could, or that what was kept cannot be read. So a time is forgotten
/// before the value is written that it is of, and kept after that.
///
/// A cache calls its store by one thread at a time, on that of whoever reads or writes, and never for
/// a hit. Nothing that a store does may use the cache.
public protocol CacheTimesStore: Sendable {
  /// Reads the times of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The times, nil where none are known.
  /// - Throws: Why they cannot be read.
  func times(of key: String) throws -> CacheTimes?

  /// Keeps the times of a key, or forgets them.
  ///
  /// - Parameters:
  ///   - times: The times; nil to forget.
  ///   - key: The key.
  /// - Throws: Why they cannot be kept.
  func setTimes(_ times: CacheTimes?, of key: String) throws

  /// Keeps the times of keys that are written together, or forgets them.
  ///
  /// Unless a store does that better, it is one call of ``setTimes(_:of:)`` for each.
  ///
  /// - Parameter changes: The keys and their times; nil to forget.
  /// - Throws: Why they cannot all be kept.
  func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws

  /// Forgets the times of all keys.
  func forgetTimes() throws
}

extension CacheTimesStore {
  /// Keeps the times of keys, or forgets them, one after the other.
  public func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    for (key, times) in changes { try setTimes(times, of: key) }
  }
}
