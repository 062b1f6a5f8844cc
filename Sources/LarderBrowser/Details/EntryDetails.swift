package import Foundation
package import LarderModel
import LarderFormats

/// What is known of one entry, over the panes: when it expires, how that was recognised, when it was
/// written and used, and what the backing store of a cache holds.
package struct EntryDetails: Sendable, Equatable {
  /// What is known of one thing.
  package struct Fact: Sendable, Equatable {
    /// What it is about, in a word or two.
    package let name: String
    /// What is known.
    package let text: String
    /// Whether it is a reason to look twice.
    package var isWarning = false
  }

  /// What the backing store of a cache holds under the key.
  package enum Backing: Sendable, Equatable {
    /// The value that is cached.
    case same
    /// Another value.
    case other
    /// Nothing.
    case nothing
    /// It cannot be read, for the reason given.
    case unreadable(String)
  }

  /// The key as it is shown.
  package let title: String
  /// When the entry expires; nil for never, and where the store has no expiry.
  package let expires: Date?
  /// What is known, the most important first.
  package let facts: [Fact]
  /// What the backing store holds; nil where there is no cache, or it holds nothing of the entry.
  package let backing: Backing?
  /// How many lines are scrolled away.
  package var scroll = 0
}

/// What was read to describe an entry.
package struct EntryReading: Sendable, Equatable {
  /// The entry: as it is cached, where it is.
  package var entry: Entry
  /// What the backing store holds; nil where nothing is cached.
  package var backing: EntryDetails.Backing?
  /// The time of the reading.
  package var time: Date
}

extension EntryDetails {
  /// Describes an entry.
  ///
  /// - Parameters:
  ///   - reading: What was read.
  ///   - store: The store of the entry.
  ///   - expiry: Where its collection keeps expiry times; nil where that is unknown.
  ///   - evidence: What the kind says of expiry in the store; nil for nothing.
  ///   - isReadThrough: Whether larder's own cache is looked at.
  init(
    _ reading: EntryReading, in store: StoreSummary, expiry: CollectionExpiry?, evidence: String?,
    isReadThrough: Bool
  ) {
    let entry = reading.entry
    title = entry.key.shown(store.keyStyle)
    expires = entry.expires
    backing = reading.backing
    let isCache = isReadThrough || store.capabilities.contains(.cache)
    facts =
      Self.expiryFacts(of: entry, in: store, expiry, evidence, isReadThrough: isReadThrough)
      + Self.useFacts(of: entry, isCache: isCache, at: reading.time)
      + [Fact(name: "value", text: Self.valueText(of: entry, in: store))]
      + Self.backingFacts(reading.backing, isCache: isCache, isReadThrough: isReadThrough)
  }

  private static func expiryFacts(
    of entry: Entry, in store: StoreSummary, _ expiry: CollectionExpiry?, _ evidence: String?,
    isReadThrough: Bool
  ) -> [Fact] {
    let date = Fact(name: "expires", text: entry.expires.map(Timestamp.secondText) ?? "never")
    if isReadThrough {
      return [date, Fact(name: "set by", text: "the time to live of larder's own cache")]
    }
    guard store.capabilities.contains(.expiry) else {
      let reason = evidence.map { ": \($0)" } ?? ""
      return [Fact(name: "expires", text: "never, this store keeps no expiry\(reason)")]
    }
    guard let expiry else {
      return [date] + (evidence.map { [Fact(name: "recognised", text: $0)] } ?? [])
    }
    return [
      date, Fact(name: "stored", text: storedText(of: entry, expiry)),
      Fact(name: "recognised", text: "\(expiry.evidence) (\(expiry.confidence.rawValue))"),
    ]
      + expiry.doubts.enumerated().map { place, doubt in
        let remedy = place == 0 ? expiry.remedy.map { "; \($0) settles it" } ?? "" : ""
        return Fact(name: "doubt", text: doubt + remedy, isWarning: true)
      }
  }

  /// The column of the expiry with what is stored there, such as `expires_at 1795720715, seconds since
  /// 1970`.
  private static func storedText(of entry: Entry, _ expiry: CollectionExpiry) -> String {
    func stored(_ column: String) -> String {
      guard let value = entry.value?.field(column) else { return column }
      return "\(column) \(value == .null ? "NULL" : ValueText.text(of: value))"
    }
    guard let since = expiry.since else {
      return "\(stored(expiry.column)), \(expiry.unit.spoken)"
    }
    return
      "\(stored(expiry.column)), in \(expiry.lifetime?.spoken ?? "units") from \(stored(since)), "
      + expiry.unit.spoken
  }

  private static func useFacts(of entry: Entry, isCache: Bool, at now: Date) -> [Fact] {
    func ago(_ date: Date) -> String {
      let age = Duration.seconds(clamping: now.timeIntervalSince(date)).clockText
      return "\(Timestamp.secondText(of: date)), \(age) ago"
    }
    var facts = [
      Fact(
        name: isCache ? "fetched" : "written",
        text: entry.modified.map(ago) ?? "not recorded by this store")
    ]
    if let used = entry.lastUsed { facts.append(Fact(name: "last used", text: ago(used))) }
    if let hits = entry.hits {
      facts.append(
        Fact(name: "hits", text: hits == 0 ? "never used" : "used \(Thousands.text(hits)) times"))
    }
    return facts
  }

  private static func valueText(of entry: Entry, in store: StoreSummary) -> String {
    // Of a row that is one value with its expiry, the type is that of the value.
    let kept = store.valueField.flatMap { entry.value?.field($0) }
    return [entry.size.map { ByteCount.text($0) }, (kept?.type ?? entry.type)?.rawValue].compactMap(
      \.self
    )
    .joined(separator: " of ")
  }

  private static func backingFacts(
    _ backing: Backing?, isCache: Bool, isReadThrough: Bool
  ) -> [Fact] {
    guard isCache else { return [] }
    let (text, isWarning): (String, Bool) =
      switch backing {
      case nil:
        (isReadThrough ? "not cached; the value comes from the store" : "not known", false)
      case .same: ("holds the cached value", false)
      case .other: ("holds another value than the cache", true)
      case .nothing: ("holds nothing under this key any more", true)
      case .unreadable(let reason): (reason, true)
      }
    return [Fact(name: "backing store", text: text, isWarning: isWarning)]
  }
}
