import LarderModel

/// The role of a column in a table of keys and values, by its name and type.
enum ColumnRole: Hashable {
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
  case other

  init(_ name: String, type: String = "", isKey: Bool = false) {
    let name = ColumnName(name)
    if let role = name.timeRole {
      self = role
    } else if isKey {
      self = .key
    } else if name.last == "id", let first = name.words.first,
      !["id", "item", "session", "cache"].contains(first)
    {
      // A reference to another table.
      self = .other
    } else if Self.keys.contains(name.last) {
      self = .key
    } else if Self.details.contains(name.last) {
      self = .detail
    } else if Self.values.contains(name.last) || type.uppercased().contains("BLOB") {
      self = .value
    } else {
      self = .other
    }
  }

  /// The last words of names that identify keys.
  static let keys: Set = [
    "key", "k", "name", "id", "hash", "url", "uri", "sid", "itemkey", "keyname",
  ]
  /// The last words of names that identify values.
  static let values: Set = [
    "value", "val", "v", "data", "blob", "payload", "content", "contents", "body", "json",
    "response", "result", "object", "sess", "pickle", "bytes", "itemvalue",
  ]
  private static let details: Set = [
    "raw", "mode", "filename", "path", "type", "format", "encoding", "etag", "headers", "header",
    "flags", "version", "checksum", "digest", "compressed", "status", "locked", "lock", "priority",
    "serializer", "mime",
  ]
}

/// The words that make up the name of a column.
struct ColumnName {
  /// The words in lowercase.
  let words: [String]

  /// Splits a name at punctuation and capitals.
  init(_ name: String) {
    var words: [String] = []
    var word = ""
    // Core Data prefixes names in capitals with a Z.
    for character in name.hasPrefix("Z") && name == name.uppercased() ? name.dropFirst() : name[...]
    {
      let isWord = character.isLetter || character.isNumber
      if !word.isEmpty, !isWord || character.isUppercase && word.last?.isUppercase == false {
        words.append(word.lowercased())
        word = ""
      }
      if isWord { word.append(character) }
    }
    self.words = word.isEmpty ? words : words + [word.lowercased()]
  }

  /// The last word; empty if there is none.
  var last: String { words.last ?? "" }

  /// Whether the name says that times are in UTC.
  var isInUTC: Bool { ["utc", "gmt"].contains { words.contains($0) || last.hasSuffix($0) } }

  /// The role of a column of times or counts; nil for other columns.
  ///
  /// `expiresAt`, `ITEM_EXPIRES` and `ZEXPIRESAT` have the same.
  var timeRole: ColumnRole? {
    Self.role(words.dropLast().drop { Self.subjects.contains($0) }.joined() + last)
  }

  /// The unit in the name; nil if there is none, or several.
  var unit: LifetimeUnit? {
    let units = Set(words.compactMap { Self.units[$0] })
    guard units.isEmpty else { return units.count == 1 ? units.first : nil }
    let endings = Self.units.filter { word, _ in
      word.count > 1 && last.hasSuffix(word) && Self.role(String(last.dropLast(word.count))) != nil
    }
    return endings.max { $0.key.count < $1.key.count }?.value
  }

  private static func role(_ name: String) -> ColumnRole? {
    guard name.utf8.count <= 40 else { return nil }
    if let role = roles[name] { return role }
    for word in endings where name.hasSuffix(word) {
      if let role = role(String(name.dropLast(word.count))) { return role }
    }
    for (word, unit) in units where name.hasSuffix(word) {
      // Only lifetimes are counted in minutes, hours or days.
      if let role = role(String(name.dropLast(word.count))),
        role == .lifetime || unit.seconds <= 1 && word.count > 1
      {
        return role
      }
    }
    return nil
  }

  /// Words at the start of a name that say only what has the times.
  private static let subjects: Set = [
    "date", "time", "item", "cache", "cached", "entry", "key", "value", "data", "record", "row",
    "session", "response",
  ]
  /// Words at the end of a name that say only that it is a time.
  private static let endings = [
    "at", "on", "time", "timestamp", "date", "datetime", "ts", "dt", "stamp", "epoch", "utc", "gmt",
    "unix", "after",
  ]
  /// Words for units, without `min`, which also means minimum.
  private static let units: [String: LifetimeUnit] = {
    let words: [(LifetimeUnit, String)] = [
      (.nanoseconds, "ns nanos nanoseconds"), (.microseconds, "us micros microseconds"),
      (.milliseconds, "ms millis millisecond milliseconds"),
      (.seconds, "s sec secs second seconds"), (.minutes, "mins minute minutes"),
      (.hours, "hour hours"), (.days, "day days"),
    ]
    return table(words)
  }()
  private static let roles: [String: ColumnRole] = {
    let words: [(ColumnRole, String)] = [
      (.expiry(isWeak: false), "expires expire expiry expiration"),
      (
        .expiry(isWeak: true),
        "exp expired validuntil validtill validto gooduntil freshuntil keepuntil stale evict invalid"
      ),
      (.lifetime, "ttl lifetime life maxage tolive timetolive expiresin expirein"),
      (
        .created,
        "created creation create stored store inserted added fetched written saved updated update "
          + "modified lastmodified lastupdated set issued time timestamp ts date datetime"
      ),
      (.accessed, "access accessed lastaccess lastaccessed used lastused atime"),
      (.useCount, "accesscount usecount hits hitcount count"),
      (.size, "size length bytes len"), (.tag, "tag tags"),
    ]
    return table(words)
  }()

  private static func table<Meaning>(_ words: [(Meaning, String)]) -> [String: Meaning] {
    Dictionary(
      words.flatMap { meaning, words in words.split(separator: " ").map { (String($0), meaning) } }
    ) { $1 }
  }
}
