import LarderModel

/// The role of a column in a table of keys and values, by its name.
enum ColumnRole: Equatable {
  /// The expiry of the row; weak if the name also fits other dates.
  case expiry(isWeak: Bool)
  /// The lifetime of the row.
  case lifetime
  /// The time at which the row was created or written.
  case created
  /// The time at which the row was last used.
  case accessed
  /// The number of times that the row was used.
  case useCount
  case size
  case tag
  case key
  case value
  /// A detail of the value, such as its encoding.
  case detail
  /// A reference to another table.
  case reference
  /// Information about people and things, which values do not have.
  case subject
  case other

  init(_ column: ExpiryRecogniser.Column) {
    let words = ColumnWords(column.name)
    let core = words.core
    if let role = Self.timeRole(words, core) {
      self = role
    } else if core.count > 1, let unit = core.last, LifetimeUnit(word: unit) != nil,
      Self.timeRole(words, Array(core.dropLast())) == .lifetime
    {
      // Timestamps are not counted in minutes, hours or days.
      self = .lifetime
    } else if column.isKey {
      self = .key
    } else if Self.subjects.contains(where: words.words.contains) {
      self = .subject
    } else if words.last == "id", words.words.count > 1, words.words.first != "item",
      words.words.first != "session", words.words.first != "cache"
    {
      self = .reference
    } else if Self.keys.contains(words.last) {
      self = .key
    } else if Self.details.contains(words.last) {
      self = .detail
    } else if Self.values.contains(words.last) || column.type.uppercased().contains("BLOB") {
      self = .value
    } else {
      self = .other
    }
  }

  private static func timeRole(_ words: ColumnWords, _ core: [String]) -> ColumnRole? {
    switch core {
    case ["expires"], ["expire"], ["expiry"], ["expiration"], ["expires", "expires"]:
      return .expiry(isWeak: false)
    case ["exp"], ["expired"], ["valid", "until"], ["valid", "till"], ["valid", "to"],
      ["good", "until"], ["fresh", "until"], ["keep", "until"], ["stale"], ["evict"], ["invalid"]:
      return .expiry(isWeak: true)
    case ["ttl"], ["lifetime"], ["life"], ["maxage"], ["max", "age"], ["to", "live"],
      ["expires", "in"], ["expire", "in"]:
      return .lifetime
    case ["created"], ["creation"], ["create"], ["stored"], ["store"], ["inserted"], ["added"],
      ["fetched"], ["written"], ["saved"], ["updated"], ["modified"], ["last", "modified"],
      ["last", "updated"], ["update"], ["set"], ["issued"]:
      return .created
    case ["access"], ["accessed"], ["last", "access"], ["last", "accessed"], ["used"],
      ["last", "used"], ["atime"]:
      return .accessed
    case ["access", "count"], ["use", "count"], ["hits"], ["hit", "count"], ["count"]:
      return .useCount
    case ["size"], ["length"], ["bytes"], ["len"]: return .size
    case ["tag"], ["tags"]: return .tag
    case []:
      let isTime = ["time", "timestamp", "ts", "date", "datetime"].contains { words.last == $0 }
      return isTime ? .created : nil
    default: return nil
    }
  }

  /// Whether the name alone identifies a column of keys.
  static func isNamedKey(_ name: String) -> Bool { keys.contains(ColumnWords(name).last) }

  /// Whether the name alone identifies a column of values.
  static func isNamedValue(_ name: String) -> Bool { values.contains(ColumnWords(name).last) }

  private static let keys: Set<String> = ["key", "k", "name", "id", "hash", "url", "uri", "sid"]
  private static let values: Set<String> = [
    "value", "val", "v", "data", "blob", "payload", "content", "contents", "body", "json",
    "response", "result", "object", "sess", "pickle", "bytes",
  ]
  private static let details: Set<String> = [
    "raw", "mode", "filename", "path", "type", "format", "encoding", "etag", "headers", "header",
    "flags", "version", "checksum", "digest", "compressed", "status", "locked", "lock", "priority",
    "serializer", "mime",
  ]
  private static let subjects: Set<String> = [
    "email", "mail", "phone", "birth", "birthday", "first", "surname", "forename", "address",
    "city",
    "country", "price", "amount", "total", "paid", "holder", "owner", "seats", "discount", "title",
    "salary", "department", "customer", "vendor", "plate", "iban", "grade", "employee", "member",
  ]
}

/// The subject of a table, by its name.
enum TableSubject {
  private static let caches: Set<String> = [
    "cache", "caches", "cached", "session", "sessions", "kv", "memo", "keyvalue", "responses",
  ]
  private static let things: [String] = [
    "licen", "member", "invoice", "subscription", "people", "person", "user", "customer",
    "employee", "coupon", "voucher", "contract", "product", "certificate", "domain", "passport",
    "card", "insurance", "polic", "offer", "food", "medicine", "batch", "inventor", "order", "bill",
    "payment", "permit", "visa", "warrant", "lease", "ticket", "booking", "document", "patient",
    "prescription", "vehicle", "qualification", "training", "promotion", "campaign", "poll",
    "auction", "listing", "job",
  ]

  /// Whether a name is that of a table of cached values or sessions.
  static func isCache(_ name: String) -> Bool {
    ColumnWords(name).words.contains { caches.contains($0) }
      || name.lowercased().contains("cache")
  }

  /// Whether a name is that of temporary data, which programs can create again.
  static func isPassing(_ name: String) -> Bool {
    isCache(name)
      || ColumnWords(name).words.contains { $0.hasPrefix("token") || $0.hasPrefix("nonce") }
  }

  /// Whether a name is that of a table of people, documents or goods, which have their own dates.
  static func isThing(_ name: String) -> Bool {
    !isCache(name)
      && ColumnWords(name).words.contains { word in things.contains(where: word.hasPrefix) }
  }
}
