package import LarderModel
package import LarderFormats
package import Foundation

/// The list of a store's keys with its expiry.
package struct TimesModel: Sendable, Equatable {
  /// What there is in all, once it has been counted.
  package var totals: Totals?
  /// The token of the count that is under way.
  package var counting: Int?
  /// Which entries alone are listed, and as of when.
  package var only: Choice?

  /// The state whose entries alone are to be listed once the time is known.
  package var asked: EntryTime.State?

  package init() {}

  /// Entries that expire in a span, as they were when they were asked for.
  package struct Choice: Sendable, Equatable {
    /// What they are.
    package var state: EntryTime.State
    /// When they expire.
    package var span: ExpirySpan
  }

  /// Until when all entries count, in order, so that what they are at a moment costs nothing.
  package struct Totals: Sendable, Equatable {
    /// The times of those that expire, ascending, in seconds since the reference date.
    private let expiries: [Double]
    private let never: Int
    private let bytes: Int?
    private let isWhole: Bool
    /// What a cache has done so far; nil where the store is none.
    private let tally: CacheTally?

    package init(
      expiries: [Double], never: Int, bytes: Int?, isWhole: Bool, tally: CacheTally? = nil
    ) {
      self.expiries = expiries.sorted()
      self.never = never
      self.bytes = bytes
      self.isWhole = isWhole
      self.tally = tally
    }

    /// Whether what the entries are changes after a moment.
    package func changes(after now: Date) -> Bool {
      expiries.last.map { $0 > now.timeIntervalSinceReferenceDate } ?? false
    }

    /// How many entries are past their time.
    package func expired(at now: Date) -> Int { count(upTo: now) }

    /// How many entries will be past their time at a moment.
    private func count(upTo date: Date) -> Int {
      let time = date.timeIntervalSinceReferenceDate
      var low = 0
      var high = expiries.count
      while low < high {
        let middle = low + (high - low) / 2
        if expiries[middle] <= time { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// The numbers in words, such as "3 fresh, 1 soon, 1 expired, 2 never, 120 B, 93 % hits", and in
    /// fewer words where there is less room.
    package func summaries(at now: Date) -> [String] {
      let expired = expired(at: now)
      let (all, past) = (Thousands.text(expiries.count + never), Thousands.text(expired))
      let size = bytes.map { ByteCount.text($0) }
      let soon = count(upTo: now.addingTimeInterval(EntryTime.soon)) - expired
      let parts = [
        "\(Thousands.text(expiries.count - expired - soon)) fresh",
        soon > 0 ? "\(Thousands.text(soon)) soon" : nil, "\(past) expired",
        never > 0 ? "\(Thousands.text(never)) never" : nil, size,
        tally?.hitRate.map { "\(Int(($0 * 100).rounded(.down))) % hits" },
      ]
      let first = isWhole ? "" : "of the first: "
      return [
        first + parts.compactMap(\.self).joined(separator: ", "),
        first + "\(all) entries, \(past) expired" + (size.map { ", \($0)" } ?? ""),
        first + "\(all) entries, \(past) expired",
        first + "\(past) expired",
      ]
    }
  }
}
