import Foundation
import LarderFormats
import LarderModel
import LarderOperations

/// Messages about expiry and caches.
extension Messages {
  // MARK: Expiry

  static let writing = "writing…"

  static func expirySet(_ title: String, _ expiry: String, _ warning: String?) -> String {
    "\(title): \(expiry)" + (warning.map { "; \($0)" } ?? "")
  }

  static func plan(_ title: String, _ expiry: String) -> String { "Enter: \(title) \(expiry)" }

  static func askExpiry(_ title: String, isOfSeveral: Bool) -> String {
    "When \(isOfSeveral ? "do" : "does") \(title) expire? \(ExpiryText.forms)"
  }

  static func note(_ doubt: String) -> String { ". Note that \(doubt)" }

  static let isPast = ", in the past: expires immediately"

  static func moment(_ date: Date) -> String { ", at \(Timestamp.secondText(of: date))" }

  static func newVersion(expiry: String) -> String {
    ". Press Esc, then \(expiry) to set it for the new version"
  }

  // MARK: Cache

  static let nothingCached = "nothing cached"
  static let notTimedCache = nothing("changed", since: "this store is not a timed cache")
  static let notInCache = "not in the cache; Enter loads it"

  static func ownCache(readThrough: String) -> String {
    "this is larder's own cache, in front of the program's; \(readThrough) again turns it off"
  }

  static func notCached(_ key: String) -> String { "\(key) is not cached" }

  static func evictedFromOwnCache(_ key: String) -> String { "\(key): evicted; still in the store" }

  static func refreshAdvice(refresh: String) -> String { "; \(refresh) refreshes it" }

  static func cacheStopped(after count: Int, _ participle: String) -> String {
    stopped(OperationFailure.outcome(count, participle))
  }

  static func refreshed(_ title: String, missing: Int) -> String {
    "\(title): refreshed from the backing store"
      + (missing == 0 ? "" : "; no longer in the backing store: \(entries(missing))")
  }

  static func evicted(_ title: String) -> String {
    "\(title): evicted; the backing store is unchanged"
  }

  static func tooManyToTouch(_ prefix: String, _ count: Int) -> String {
    nothing("changed", since: "“\(prefix)” has more than \(Thousands.text(count)) entries")
      + ". To change them all, use larder touch --prefix"
  }

  static func cached(_ count: Int, fresh: Int, expired: Int) -> String {
    "\(count) cached: \(fresh) fresh, \(expired) expired"
  }

  static func noExpiry(readThrough: String) -> String {
    "\(noExpiry); \(readThrough) shows larder's own cache"
  }

  static func needsCache(hasTimes: Bool, readThrough: String) -> String {
    (hasTimes ? "these times come from the store itself; " : "")
      + "this command needs a cache; \(readThrough) turns on larder's own"
  }
}

extension ExpiryText {
  /// The result as a short phrase.
  var spoken: String {
    switch self {
    case .never: "never expires"
    case .after(.zero): "expires now"
    case .after(let duration): "expires in \(duration.clockText)"
    case .later(let duration): "expires \(duration.clockText) later"
    case .at(let date): "expires at \(Timestamp.text(of: date))"
    }
  }
}
