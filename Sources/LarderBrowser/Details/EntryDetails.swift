package import Foundation
package import LarderModel
import LarderFormats

/// The details of an entry, which are shown in an overlay: its expiry and how that was detected,
/// its times and hits, and its state in the backing store.
package struct EntryDetails: Sendable, Equatable {
  /// One fact about the entry.
  package struct Fact: Sendable, Equatable {
    /// A short label.
    package let name: String
    /// The text.
    package let text: String
    /// Whether the fact is displayed as a warning.
    package var isWarning = false
  }

  /// The state of the key in the backing store of a cache.
  package enum Backing: Sendable, Equatable {
    /// The backing store has the cached value.
    case same
    /// The backing store has a different value.
    case other
    /// The backing store has no such entry.
    case nothing
    /// The backing store could not be read, for the given reason.
    case unreadable(String)
  }

  /// The key, as displayed.
  package let title: String
  /// The expiry of the entry, or `nil` if it never expires or the store has no expiry.
  package let expires: Date?
  /// The facts, the most important first.
  package let facts: [Fact]
  /// The state of the backing store, or `nil` if the entry is not cached.
  package let backing: Backing?
  /// The scroll offset, in lines.
  package var scroll = 0
}

/// The data that is read to describe an entry.
package struct EntryReading: Sendable, Equatable {
  /// The entry, which is the cached version if there is one.
  package var entry: Entry
  /// The state of the backing store, or `nil` if the entry is not cached.
  package var backing: EntryDetails.Backing?
  /// The date of the read.
  package var time: Date
}

extension EntryDetails {
  /// Creates the details of an entry.
  ///
  /// - Parameters:
  ///   - reading: The data of the entry.
  ///   - store: The store of the entry.
  ///   - expiry: The way its collection stores expiry times, or `nil` if that is unknown.
  ///   - evidence: The description of how the store detects expiry, or `nil` if there is none.
  ///   - isReadThrough: Whether the store is read through larder's own cache.
  ///   - hiddenColumns: The columns that the user has hidden.
  init(
    _ reading: EntryReading, in store: StoreSummary, expiry: CollectionExpiry?, evidence: String?,
    isReadThrough: Bool, hiddenColumns: [String] = []
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
      + (hiddenColumns.isEmpty
        ? [] : [Fact(name: "hidden", text: hiddenColumns.joined(separator: ", "))])
  }

  private static func expiryFacts(
    of entry: Entry, in store: StoreSummary, _ expiry: CollectionExpiry?, _ evidence: String?,
    isReadThrough: Bool
  ) -> [Fact] {
    let date = Fact(name: "expires", text: entry.expires.map(Timestamp.secondText) ?? "never")
    if isReadThrough {
      return [date, Fact(name: "set by", text: Messages.ownTTL)]
    }
    guard store.capabilities.contains(.expiry) else {
      return [Fact(name: "expires", text: Messages.neverExpires(evidence))]
    }
    guard let expiry else {
      return [date] + (evidence.map { [Fact(name: "recognized", text: $0)] } ?? [])
    }
    return [
      date, Fact(name: "stored", text: storedText(of: entry, expiry)),
      Fact(name: "recognized", text: "\(expiry.evidence) (\(expiry.confidence.rawValue))"),
    ]
      + expiry.doubts.enumerated().map { place, doubt in
        let remedy = place == 0 ? expiry.remedy.map(Messages.settles) ?? "" : ""
        return Fact(name: "doubt", text: doubt + remedy, isWarning: true)
      }
  }

  /// Returns the expiry column with its stored value, such as `expires_at 1795720715, seconds since
  /// 1970`.
  private static func storedText(of entry: Entry, _ expiry: CollectionExpiry) -> String {
    func stored(_ column: String) -> String {
      guard let value = entry.value?.field(column) else { return column }
      return "\(column) \(value == .null ? "NULL" : ValueText.text(of: value))"
    }
    guard let since = expiry.since else {
      return "\(stored(expiry.column)), \(expiry.unit.spoken)"
    }
    return Messages.stored(
      stored(expiry.column), expiry.lifetime?.spoken ?? "units", from: stored(since))
      + ", \(expiry.unit.spoken)"
  }

  private static func useFacts(of entry: Entry, isCache: Bool, at now: Date) -> [Fact] {
    func ago(_ date: Date) -> String {
      let age = Duration.seconds(clamping: now.timeIntervalSince(date)).clockText
      return Messages.ago(Timestamp.secondText(of: date), age)
    }
    var facts = [
      Fact(
        name: isCache ? "fetched" : "written",
        text: entry.modified.map(ago) ?? Messages.notRecorded)
    ]
    if let used = entry.lastUsed { facts.append(Fact(name: "last used", text: ago(used))) }
    if let hits = entry.hits { facts.append(Fact(name: "hits", text: Messages.used(hits))) }
    return facts
  }

  private static func valueText(of entry: Entry, in store: StoreSummary) -> String {
    // For a row with a value and its expiry, the type is that of the value.
    let kept = store.valueField.flatMap { entry.value?.field($0) }
    let type = kept?.type.rawValue ?? entry.typeName ?? entry.type?.rawValue
    return [entry.size.map { ByteCount.text($0) }, type].compactMap(\.self)
      .joined(separator: " of ")
  }

  private static func backingFacts(
    _ backing: Backing?, isCache: Bool, isReadThrough: Bool
  ) -> [Fact] {
    guard isCache else { return [] }
    let (text, isWarning): (String, Bool) =
      switch backing {
      case nil:
        (isReadThrough ? Messages.notCachedValue : Messages.notKnown, false)
      case .same: (Messages.sameAsCache, false)
      case .other: (Messages.otherThanCache, true)
      case .nothing: (Messages.notInBackingStore, true)
      case .unreadable(let reason): (reason, true)
      }
    return [Fact(name: Messages.backingStore, text: text, isWarning: isWarning)]
  }
}
