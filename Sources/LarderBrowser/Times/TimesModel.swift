package import LarderModel
package import LarderFormats
package import Foundation

/// The state of the displayed expiry times.
package struct TimesModel: Sendable, Equatable {
  /// The summary of all entries, once it is available.
  package var totals: Totals?
  /// The token of the running summary, if any.
  package var counting: Int?
  /// The expiry state to which the list is limited, if any.
  package var only: Choice?

  /// The expiry state to which the list will be limited once the current time is known.
  package var asked: ExpiryStatus.State?

  package init() {}

  /// A limitation of the list to entries in an expiry state at a certain time.
  package struct Choice: Sendable, Equatable {
    /// The expiry state.
    package var state: ExpiryStatus.State
    /// The span of expiry times.
    package var span: ExpiryRange
  }

  /// The sorted expiry times of all entries, for which the states at any instant can be counted
  /// quickly.
  package struct Totals: Sendable, Equatable {
    /// The expiry times in ascending order, in seconds since the reference date.
    private let expiries: [Double]
    private let never: Int
    private let bytes: Int?
    private let isWhole: Bool
    /// The statistics of a cache, or `nil` if the store is not a cache.
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

    /// Returns whether the state of any entry changes after a date.
    package func changes(after now: Date) -> Bool {
      expiries.last.map { $0 > now.timeIntervalSinceReferenceDate } ?? false
    }

    /// Returns the number of expired entries.
    package func expired(at now: Date) -> Int { count(upTo: now) }

    /// Returns the number of entries that expire up to a date.
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

    /// Returns summaries such as "3 fresh, 1 soon, 1 expired, 2 never, 120 B, 93 % hits", from the
    /// longest to the shortest.
    package func summaries(at now: Date) -> [String] {
      let expired = expired(at: now)
      let soon = count(upTo: now.addingTimeInterval(ExpiryStatus.soon)) - expired
      return Messages.times(
        all: expiries.count + never, fresh: expiries.count - expired - soon, soon: soon,
        expired: expired, never: never, size: bytes.map { ByteCount.text($0) },
        hits: tally?.hitRate, isWhole: isWhole)
    }
  }
}
