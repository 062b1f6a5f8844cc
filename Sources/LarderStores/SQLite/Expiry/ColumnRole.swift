import LarderModel

/// What the name of a column says that it is for, in a table of keys and values.
enum ColumnRole: Equatable {
  /// When the row stops to count; weak where the name may also be that of another date.
  case expiry(isWeak: Bool)
  /// How long the row counts.
  case lifetime
  /// When the row was made or written.
  case created
  /// When the row was used last.
  case accessed
  /// How often the row was used.
  case useCount
  case size
  case tag
  case key
  case value
  /// Something that programs keep beside a value, such as its encoding.
  case detail
  /// What refers to another table.
  case reference
  /// What is kept about people and things, and not about values.
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
      // No moment is counted in minutes, hours or days.
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

  /// Whether the name alone makes the column one of keys, wherever it stands.
  static func isNamedKey(_ name: String) -> Bool { keys.contains(ColumnWords(name).last) }

  /// Whether the name alone makes the column one of values.
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

/// What the name of a table says of its rows.
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

  /// Whether a table of this name is one of caches or sessions.
  static func isCache(_ name: String) -> Bool {
    ColumnWords(name).words.contains { caches.contains($0) }
      || name.lowercased().contains("cache")
  }

  /// Whether a name is that of what programs keep for a while, and make again.
  static func isPassing(_ name: String) -> Bool {
    isCache(name)
      || ColumnWords(name).words.contains { $0.hasPrefix("token") || $0.hasPrefix("nonce") }
  }

  /// Whether a table of this name is one of people, papers or goods, which have dates of their own.
  static func isThing(_ name: String) -> Bool {
    !isCache(name)
      && ColumnWords(name).words.contains { word in things.contains(where: word.hasPrefix) }
  }
}
