import LarderModel
import LarderFormats
import Foundation
import Harmony

/// The age, remaining TTL and use of a cached entry.
struct CacheAge {
  private let entry: Entry
  private let now: Date

  init(_ entry: Entry, at now: Date) {
    self.entry = entry
    self.now = now
  }

  /// A short description, such as "fetched 12s ago, 48s left, used 3 times".
  var spoken: String {
    [fetched, left, used].compactMap(\.self).joined(separator: ", ")
  }

  private var fetched: String? {
    entry.modified.map { Messages.fetched(Self.text(now.timeIntervalSince($0))) }
  }

  private var left: String {
    guard let left = ExpiryStatus(entry).left(at: now) else { return Messages.neverExpires }
    if ExpiryStatus.hasJustExpired(left) { return Messages.justExpired }
    return Messages.left(Self.text(left.magnitude), isExpired: left <= 0)
  }

  private var used: String? {
    entry.hits.map(Messages.used)
  }

  private static func text(_ seconds: Double) -> String {
    Duration.seconds(clamping: seconds).clockText
  }
}

extension StoreRegistry.Cache {
  /// Returns the cached version of an entry, with its times at the given date, or `nil` if it is
  /// not cached.
  func entryThatIsCached(_ key: EntryKey, at now: Date) -> Entry? {
    guard let cached = inspect(EntryQuery(key).key), case .value(var entry) = cached.content else {
      return nil
    }
    entry.modified = now.addingTimeInterval(-cached.age.inSeconds)
    entry.expires = now.addingTimeInterval(cached.remaining.inSeconds)
    entry.hits = cached.hits
    return entry
  }
}
