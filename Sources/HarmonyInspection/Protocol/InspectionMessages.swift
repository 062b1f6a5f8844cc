/// What somebody who looks asks for.
struct InspectionRequest: Codable, Sendable, Hashable {
  /// The number that the answer will have.
  var id: UInt64
  /// What to do.
  var action: Action
  /// The name of the source.
  var source: String?
  /// Which entries.
  var query: InspectionQuery?
  /// What to write.
  var value: InspectedValue?
  /// What to write for several entries.
  var values: [InspectedValue]?
  /// What has to be there for anything to be done.
  var expected: Expectation?
  /// How many bytes of each value to send.
  var preview: Int?
  /// How many seconds an entry still counts; nil for ever.
  var remaining: Double?
  /// When what is to be cached was fetched, in seconds since 1970; nil for now; since version 3.
  var stored: Double?
  /// When an entry ends, in seconds since 1970; since version 3.
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
    /// Which sources there are.
    case sources
    case get, getAll, put, putAll, delete
    case keys, count
    /// Entries with the beginnings of their values.
    case entries
    /// One entry, whole, whatever it holds.
    case entry
    /// Write one entry, or delete it where there is no value.
    case replace
    /// What a cache has done.
    case statistics
    /// Forget what is cached of one entry, or of all.
    case evict
    /// Read the backing store of a cache again, and keep it.
    case refresh
    /// What the backing store of a cache holds.
    case backing = "beneath"
    /// Say how long what a cache holds still counts; since version 2.
    case expire
    /// Put something else, or nothing, in the place of what is cached alone; since version 3.
    case exchange
  }

  /// What has to be there before.
  struct Expectation: Codable, Sendable, Hashable {
    /// The value, or none.
    var value: InspectedValue?
    /// When it ends, in seconds since 1970; nil for any time; since version 3.
    var expires: Double?
  }
}

/// What is answered.
struct InspectionAnswer: Codable, Sendable, Hashable {
  /// The number of the request.
  var id: UInt64
  var value: InspectedValue?
  var values: [InspectedValue]?
  var keys: [String]?
  var count: Int?
  var entry: InspectedEntry?
  var entries: [InspectedEntry]?
  /// Whether there are more entries than these, although fewer than asked for are here.
  var isCut: Bool?
  var sources: [InspectedSource]?
  var statistics: InspectedStatistics?
  /// Why nothing was done.
  var failure: InspectionFailure?

  init(id: UInt64 = 0, failure: InspectionFailure? = nil) {
    self.id = id
    self.failure = failure
  }
}
