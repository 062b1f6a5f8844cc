import HarmonyRedis
import LarderModel

/// A data type of the server, by its name in the reply to `TYPE`.
enum RedisType: String, CaseIterable {
  case string, hash, list, set, zset, stream

  /// The type of the values that stand for it; bytes that are not text are data.
  var stored: StoredType {
    switch self {
    case .string: .text
    case .hash, .zset, .stream: .dictionary
    case .list, .set: .array
    }
  }

  /// The storage form of the entry, as in ``Entry/form``; nil for the type of a new entry.
  var form: String? {
    switch self {
    case .string, .hash, .list: nil
    case .set, .zset, .stream: rawValue
    }
  }

  /// The names by which a new value can be given a type.
  static let newForms = Dictionary(
    [RedisType.hash, .list, .set, .zset].map { ($0.rawValue, $0.stored) }
  ) { $1 }

  /// Returns the type of a value that is written.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - form: The requested form; nil for none.
  ///   - current: The type of the current entry, which stays if it can.
  init?(_ value: StoredValue, _ form: RedisForm, over current: RedisType?) {
    let usual: RedisType
    switch value {
    case .text, .malformedText, .data, .url, .bool, .integer, .real, .number: usual = .string
    case .array: usual = .list
    case .dictionary: usual = .hash
    default: return nil
    }
    let wanted = form.type ?? current ?? usual
    self = wanted.stored == usual.stored ? wanted : usual
  }

  /// Returns the value in the elements of a key; nil if there is none.
  ///
  /// Fields of hashes and members of sets are sorted, because the server has them in no order, and
  /// may return them twice.
  func value(_ reply: RedisValue) -> StoredValue? {
    if self == .string { return reply.bytes.map { StoredValue(redis: $0) } }
    guard let elements = reply.elements, !elements.isEmpty else { return nil }
    switch self {
    case .string: return nil
    case .list: return .array(elements.map { StoredValue(redis: $0.bytes ?? []) })
    case .set:
      let members = Set(elements.compactMap(\.bytes)).sorted { $0.lexicographicallyPrecedes($1) }
      return .array(members.map { StoredValue(redis: $0) })
    case .hash:
      return .dictionary(
        RedisPair.distinct(in: elements).map {
          .init($0.nameText, StoredValue(redis: $0.value.bytes ?? []))
        })
    case .zset:
      let members = RedisPair.distinct(in: elements).map { (pair: $0, score: $0.score) }
      return .dictionary(
        members.enumerated().sorted { left, right in
          (left.element.score, left.offset) < (right.element.score, right.offset)
        }.map { .init($0.element.pair.nameText, StoredValue(score: $0.element.score)) })
    case .stream:
      return .dictionary(
        elements.compactMap { element in
          guard let parts = element.elements, parts.count == 2, let id = parts[0].text else {
            return nil
          }
          let fields = RedisPair.all(in: parts[1].elements ?? []).map { pair in
            StoredValue.Field(pair.nameText, StoredValue(redis: pair.value.bytes ?? []))
          }
          return .init(id, .dictionary(fields))
        })
    }
  }

  /// Returns the elements of a key to which a value was written, as ``value(_:)`` takes them.
  func elements(_ value: StoredValue) -> RedisValue {
    func strings(_ values: [StoredValue]) -> [RedisValue] {
      values.map { .bytes($0.redisBytes ?? []) }
    }
    switch (self, value) {
    case (.list, .array(let values)), (.set, .array(let values)): return .array(strings(values))
    case (.stream, .dictionary(let fields)):
      let entries = fields.compactMap { field in
        RedisStreamID(Array(field.name.utf8)).map { (id: $0, parts: field.value) }
      }
      return .array(
        entries.sorted { $0.id < $1.id }.map {
          .array([.bytes(Array($0.id.text.utf8)), Self.hash.elements($0.parts)])
        })
    case (_, .dictionary(let fields)):
      return .array(
        fields.flatMap { field -> [RedisValue] in
          let bytes = self == .zset ? field.value.redisScore?.bytes : field.value.redisBytes
          return [.bytes(Array(field.name.utf8)), .bytes(bytes ?? [])]
        })
    default: return .bytes(value.redisBytes ?? [])
    }
  }

  /// Returns a value as the server returns it after it was written.
  func stored(_ value: StoredValue) -> StoredValue {
    let stored = self.value(elements(value)) ?? value
    return stored == value ? value : stored
  }

  /// Whether some names among elements are not text, so that the value cannot be written back.
  func hasOtherNames(_ reply: RedisValue) -> Bool {
    guard self == .hash || self == .zset else { return false }
    return RedisPair.all(in: reply.elements ?? []).contains {
      String(validating: $0.name, as: UTF8.self) == nil
    }
  }
}

/// A field of a hash, or a member of a sorted set with its score.
struct RedisPair {
  let name: [UInt8]
  let value: RedisValue

  /// The name as text, in which bytes that are not UTF-8 are replaced.
  var nameText: String { String(decoding: name, as: UTF8.self) }

  /// The score; not a number if there is none.
  var score: Double {
    if case .double(let number) = value { number } else { value.text.flatMap(Double.init) ?? .nan }
  }

  /// Returns the pairs in a reply, the last of each name, sorted by their names.
  static func distinct(in elements: [RedisValue]) -> [RedisPair] {
    let pairs = Dictionary(all(in: elements).map { ($0.name, $0) }) { $1 }
    return pairs.values.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Returns the pairs in a reply, in which they may be arrays of their own.
  static func all(in elements: [RedisValue]) -> [RedisPair] {
    if case .array? = elements.first {
      return elements.compactMap { element in
        guard let parts = element.elements, parts.count == 2, let name = parts[0].bytes else {
          return nil
        }
        return RedisPair(name: name, value: parts[1])
      }
    }
    return stride(from: 0, to: elements.count - 1, by: 2).compactMap { place in
      elements[place].bytes.map { RedisPair(name: $0, value: elements[place + 1]) }
    }
  }
}

extension StoredValue {
  /// Creates the value of a string of the server: text if it is valid UTF-8, and data otherwise.
  init(redis bytes: [UInt8]) {
    self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data(bytes)
  }

  fileprivate init(score: Double) {
    self = Int64(exactly: score).map { .integer($0) } ?? .real(score)
  }

  /// The string of the server for a value inside of another; nil if there is none.
  var redisBytes: [UInt8]? {
    switch self {
    case .text(let text), .url(let text), .number(let text): Array(text.utf8)
    case .malformedText(let bytes), .data(let bytes): bytes
    case .integer(let number): Array(number.description.utf8)
    case .real(let number): Array(number.description.utf8)
    case .bool(let isTrue): Array(isTrue.description.utf8)
    case .null, .date, .uuid, .array, .dictionary, .record: nil
    }
  }

  /// The score that a number stands for.
  var redisScore: RedisArgument? {
    switch self {
    case .integer(let number): RedisArgument(number)
    case .real(let number): number.isNaN ? nil : RedisArgument(number.description)
    case .number(let text), .text(let text):
      Double(text).flatMap { $0.isNaN ? nil : RedisArgument(text) }
    default: nil
    }
  }
}

/// The form of an entry that is written: its type, and its expiry if that is to be set.
struct RedisForm: Hashable {
  /// A new expiry.
  enum Expiry: Hashable {
    case never
    case at(milliseconds: Int64)
  }

  var type: RedisType?
  /// The new expiry; nil to keep the current one.
  var expiry: Expiry?

  private static let never = "never"
  private static let until = "until"

  /// Parses ``text``; unknown words are ignored.
  init(_ text: String?) {
    let words = text?.split(separator: " ") ?? []
    type = words.first.flatMap { RedisType(rawValue: String($0)) }
    if words.contains(Substring(Self.never)) { expiry = .never }
    if let place = words.firstIndex(of: Substring(Self.until)), place + 1 < words.count,
      let milliseconds = Int64(words[place + 1])
    {
      expiry = .at(milliseconds: milliseconds)
    }
  }

  /// The textual representation; nil for the usual type with its current expiry.
  var text: String? {
    let words: [String?] = [
      type?.form,
      expiry.map { expiry in
        switch expiry {
        case .never: Self.never
        case .at(let milliseconds): "\(Self.until) \(milliseconds)"
        }
      },
    ]
    let text = words.compactMap(\.self).joined(separator: " ")
    return text.isEmpty ? nil : text
  }
}
