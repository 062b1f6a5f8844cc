/// A request of a client.
struct InspectionRequest: Codable, Sendable, Hashable {
  /// The number of the request, which its answer repeats.
  var id: UInt64
  /// The action to perform.
  var action: Action
  /// The name of the source.
  var source: String?
  /// The entries to act on.
  var query: InspectionQuery?
  /// The value to write.
  var value: InspectedValue?
  /// The values to write, for several entries.
  var values: [InspectedValue]?
  /// The expected current value, as a condition of the action.
  var expected: Expectation?
  /// The number of bytes of each value to send.
  var preview: Int?
  /// The time until an entry expires, in seconds; nil for never.
  var remaining: Double?
  /// The time at which the value to cache was fetched, in seconds since 1970; nil for now; since
  /// version 3.
  var stored: Double?
  /// The expiry of an entry in seconds since 1970; since version 3.
  var expires: Double?

  init(
    id: UInt64 = 0, _ action: Action, source: String? = nil, query: InspectionQuery? = nil,
    value: InspectedValue? = nil, values: [InspectedValue]? = nil, expected: Expectation? = nil,
    preview: Int? = nil, remaining: Double? = nil, stored: Double? = nil, expires: Double? = nil
  ) {
    self.id = id
    self.action = action
    self.source = source
    self.query = query
    self.value = value
    self.values = values
    self.expected = expected
    self.preview = preview
    self.remaining = remaining
    self.stored = stored
    self.expires = expires
  }

  enum Action: String, Codable, Sendable {
    /// Lists the sources.
    case sources
    case get, getAll, put, putAll, delete
    case keys, count
    /// Lists entries with prefixes of their values.
    case entries
    /// Reads one whole entry, a value or a list.
    case entry
    /// Writes an entry, or deletes it if there is no value.
    case replace
    /// Returns the counters of a cache.
    case statistics
    /// Evicts one entry or all entries from a cache.
    case evict
    /// Refreshes an entry of a cache from the backing store.
    case refresh
    /// Reads an entry from the backing store of a cache.
    case backing = "beneath"
    /// Sets when a cached entry expires; since version 2.
    case expire
    /// Replaces or removes an entry in a cache only; since version 3.
    case exchange
  }

  /// The expected current state of an entry.
  struct Expectation: Codable, Sendable, Hashable {
    /// The value; nil if there must be none.
    var value: InspectedValue?
    /// The expiry in seconds since 1970; nil to accept any; since version 3.
    var expires: Double?
  }
}

/// An answer to a request.
struct InspectionAnswer: Codable, Sendable, Hashable {
  /// The number of the request.
  var id: UInt64
  var value: InspectedValue?
  var values: [InspectedValue]?
  var keys: [String]?
  var count: Int?
  var entry: InspectedEntry?
  var entries: [InspectedEntry]?
  /// Whether there are more entries, although this answer has fewer than requested.
  var isCut: Bool?
  var sources: [InspectedSource]?
  var statistics: InspectedStatistics?
  /// The reason why the request failed.
  var failure: InspectionFailure?

  init(id: UInt64 = 0, failure: InspectionFailure? = nil) {
    self.id = id
    self.failure = failure
  }
}
