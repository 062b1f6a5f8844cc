package import Harmony

// The sentences of this target that users can see. Each starts in lower case, as it may follow the
// name of a store or a file, and has no final full stop.

/// The syntax errors of JSON, XML and property lists, which are shown with their position.
package enum SyntaxProblem: String, Sendable, CaseIterable {
  case unneeded = "the value is no longer needed"

  case trailingText = "unexpected text after the value"
  case valueExpected = "a value is expected here"
  case truncated = "the text ends before a value"
  case nameExpected = "a name in quotes is expected here"
  case missingComma = "a comma is missing"
  case missingColon = "a colon is missing after the name"
  case missingSemicolon = "a semicolon is missing"
  case trailingComma = "there is a comma before the closing bracket"
  case missingDigit = "a digit is missing"
  case missingFraction = "a digit is missing after the decimal point"
  case missingExponent = "a digit is missing in the exponent"
  case leadingZero = "a number cannot start with 0"
  case nestedTooDeeply = "the value is nested too deeply"
  case openComment = "a comment is not closed"
  case openString = "a string has no closing quote"
  case rawControl = "a control character is not escaped"
  case unknownEscape = "an escape sequence is not valid"
  case shortEscape = "\\u is not followed by four hexadecimal digits"
  case loneSurrogate = "half of a surrogate pair is missing"
  case notUTF8 = "a string is not valid UTF-8"
  case emptyFile = "the file contains no value"
  case rootExpected = "an object or an array is expected here"

  case openMarkup = "this markup is not closed"
  case openElement = "this element is not closed"
  case openAttribute = "the value of an attribute has no closing quote"
  case openDoctype = "the DOCTYPE is not closed"
  case nestedDoctype = "there is a DOCTYPE inside an element"
  case malformedTag = "this tag is not valid"
  case mismatchedTag = "this tag does not close the open element"
  case tagNameExpected = "a name is expected here"
  case missingSpace = "a space is missing"
  case missingQuote = "a quote is missing"
  case missingAttribute = "an attribute has no value"
  case unknownReference = "a reference is not defined in XML"
  case textBetweenElements = "there is text between elements"
  case tagInText = "there is a tag inside text"
  case surrogateInName = "a name contains half of a surrogate pair"

  case notPropertyList = "this is not the start of a property list"
  case noElements = "the file has no elements"
  case emptyPropertyList = "the property list is empty"
  case secondValue = "there is a second value"
  case unknownElement = "property lists have no such element"
  case keyExpected = "a key is expected here"
  case missingValue = "a value is missing"
  case wrongType = "a value is not of its type"
  case notHexadecimal = "the data contains something other than hexadecimal digits"
  case truncatedData = "the data is truncated"
  case notStrings = "a set contains something other than strings"

  /// Returns the problem and its position.
  package func text(line: Int, column: Int) -> String {
    "\(rawValue) at line \(line), column \(column)"
  }
}

// MARK: Errors

extension StoreError {
  /// The description of the error and its remedy, as one sentence without a final full stop.
  public var message: String {
    switch self {
    case .notFound(let text), .notSupported(let text), .readOnly(let text), .busy(let text),
      .corrupt(let text), .cannotOpen(let text), .passwordRequired(let text), .journal(let text),
      .changedSince(let text), .notDurable(let text), .unknownOutcome(let text), .failed(let text):
      text
    case .conflict(nil):
      "the entry was deleted by another program since it was read; nothing was written"
    case .conflict:
      "the entry was changed by another program since it was read; nothing was written"
    case .cancelled: "canceled"
    }
  }

  static let noEntry = StoreError.notFound("no such entry")
  static let unsupported = StoreError.notSupported("this store cannot do that")
  static let noJournal = StoreError.notSupported("this store has no journal")

  static func noExpiry(_ location: StoreLocation) -> Self {
    .notSupported("\(location) has no expiry; nothing was written")
  }

  static func noKeyColumns(_ location: StoreLocation) -> Self {
    .notSupported("\(location) has no columns to choose as the key")
  }

  static func notUnique(_ columns: String, in place: String, keys: [String]) -> Self {
    .notSupported(
      "\(columns) is not a unique key of \(place), which has "
        + (keys.isEmpty ? "none" : "the unique keys \(keys.joined(separator: "; "))"))
  }

  static func sameNewKey(_ key: EntryKey) -> Self {
    .failed("two entries would get the key \(key.spoken); nothing was renamed")
  }

  static func keyCycle(_ key: EntryKey) -> Self {
    .failed(
      "\(key.spoken) and other entries would swap their keys, which is not possible in one step; "
        + "nothing was renamed")
  }

  /// Returns the error for an entry that cannot be read, and so cannot be deleted with an undo.
  package static func cannotRestore(_ entry: Entry) -> StoreError {
    let key = entry.key
    if key.isOfFolder { return closedFolder(key, "deleted") }
    if let type = entry.specialType, type != "link" { return specialFile(key, type) }
    return .notSupported(
      "\(key.spoken) cannot be read, so undo could not restore it; nothing was deleted. "
        + "--no-journal deletes it without undo")
  }

  /// Returns the error for deleting a special file, which larder never does, even without a
  /// journal.
  package static func specialFile(_ key: EntryKey, _ type: String) -> StoreError {
    .notSupported(
      "\(key.spoken) is a special file (\(type)), which larder does not touch; nothing was deleted. "
        + "Delete the others by their keys or by a longer prefix")
  }

  /// Returns the error for a folder whose content cannot be listed, so that it is left alone.
  package static func closedFolder(_ key: EntryKey, _ done: String) -> StoreError {
    .readOnly("no permission to read \(key.spoken); nothing was \(done)")
  }

  /// Returns the error for a use that would expose or store secret values.
  package static func secrets(_ use: String) -> StoreError {
    .notSupported("the values of this store are secrets, which larder does not \(use)")
  }

  /// Returns the error for a change that exceeds the journal's limit.
  ///
  /// - Parameter limit: The maximum number of bytes that the journal stores for one change.
  /// - Returns: The error, including a remedy.
  package static func tooLargeForJournal(limit: Int) -> StoreError {
    .journal(
      "this changes more than the \(limit >> 20) MiB that the journal can store; nothing was "
        + "changed. --no-journal makes the change without undo")
  }
}

extension CoreError.NotFound {
  static let entry = Self("the entry no longer exists")
}

extension CoreError.QueryNotSupported {
  package static func query(_ query: any Query) -> Self {
    Self("this store cannot answer \(type(of: query))")
  }
}

extension CoreError.IllegalArgument {
  static let noValue = Self("there is no value to write")
  static let partialValue = Self("only a whole value can be written, not a part of one")
  static let unequalCounts = Self("there must be as many values as keys")
}

// MARK: Encoded bytes

extension FormatError {
  /// The bytes are truncated.
  package static let endsEarly = Self("it ends too early")
  static let tooDeep = Self("it is nested too deeply")
  /// A type is unknown.
  package static let unknownType = Self("a type is unknown")
  /// A number has more digits than larder reads.
  package static let longNumber = Self("a number is too long")

  static func missing(_ character: Unicode.Scalar, at offset: Int) -> Self {
    Self("\(character) is missing at offset \(offset)")
  }
}

// MARK: Descriptions

/// Clauses that follow or become part of a sentence.
enum Messages {
  static func unknownZone(_ text: String) -> String { "TZ=\(text) is not a known time zone" }

  static func wrongKeyType(_ part: EntryKey, _ column: TypedKeyColumn) -> String {
    "\(part.spoken) is not of type \(column.type), as the key column \(column.name) requires"
  }

  static let unclosedKey =
    "a key that starts with a quote must end with one; to include quotes in the key, type "
    + JSONText.quote("\"a\"")

  /// Returns the problem of an object that looks like a type which JSON does not have.
  static func notTyped(_ name: String) -> String? {
    switch name {
    case "base64": "its \"value\" is not valid Base64"
    case "date": "its \"value\" is not a date such as \(TypedJSON.sampleDate)"
    case "uuid": "its \"value\" is not a UUID"
    default: nil
    }
  }

  /// Returns a question that follows a sentence.
  static func question(_ word: String) -> String { ". Did you mean \(word)?" }

  static func didYouMean(_ word: String) -> String { "did you mean \(word)?" }

  static func column(_ name: String, of count: Int) -> String {
    "the column \(EntryKey.text(name).notation(.typed)) of \(entries(count))"
  }

  static func expiry(of count: Int) -> String { "the expiry of \(entries(count))" }

  private static func entries(_ count: Int) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "entry" : "entries")"
  }
}

extension EntryOrder {
  /// Returns the reason why a store cannot list its entries in this order, as a sentence; nil if it
  /// can.
  public func obstacle(in capabilities: StoreCapabilities) -> String? {
    switch field {
    case .key, .size, .match: nil
    case .type:
      capabilities.contains(.types) ? nil : "the type of a value is not known before it is read"
    case .modified:
      capabilities.isDisjoint(with: [.modified, .ages])
        ? "this store does not record when entries were written" : nil
    case .expires:
      capabilities.contains(.expiry) ? nil : "this store has no expiry"
    case .used, .hits:
      capabilities.contains(.uses) ? nil : "not recorded by this store"
    case .column:
      capabilities.contains(.columns) ? nil : "the entries of this store are not rows with columns"
    }
  }
}

extension ExpiryUnit {
  /// A short description of the unit.
  public var spoken: String {
    switch self {
    case .seconds: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .microseconds: "microseconds since 1970"
    case .nanoseconds: "nanoseconds since 1970"
    case .apple: "seconds since 2001"
    case .webkit: "microseconds since 1601"
    case .filetime: "units of 100 ns since 1601"
    case .ticks: "units of 100 ns since the year 1"
    case .iso: "ISO 8601 text"
    case .julian: "Julian days"
    }
  }
}

extension CollectionExpiry {
  /// The expiry's location and the evidence for it, as a sentence without a full stop.
  public var spoken: String {
    let place =
      since.map {
        "column \(column), in \(lifetime?.spoken ?? "units") from \($0), \(unit.spoken)"
      }
      ?? "column \(column), \(unit.spoken)"
    let rest = doubt.map { "; but \($0)" } ?? ""
    return "expiry from \(place), because \(evidence) (\(confidence.rawValue))\(rest)"
  }
}

extension ChangeSummary {
  /// Returns the text before the key in a sentence about the change: `name of `, `[0].x in name of
  /// `, or an empty string.
  package func columnText(leavingOut left: String? = nil) -> String {
    let names = columns.filter { name in left.map { !name.hasBytes(of: $0) } ?? true }
    switch names.count {
    case 0: return member.map { "\($0) of " } ?? ""
    case 1 where member != nil: return "\(member ?? "") in \(names[0]) of "
    case 1, 2: return "\(names.joined(separator: " and ")) of "
    default: return "\(names.count) columns of "
    }
  }
}

extension ExpiryZone {
  /// The name of the zone of this machine.
  static let localTime = "local time"
  /// The accepted forms, in brief.
  package static let forms = "UTC, local, +02:00 or a name such as Europe/Berlin"
}

extension FilterText {
  /// The filter in words, or a hint about the syntax if it is empty.
  package var spoken: String {
    let rows = columns.isEmpty ? "" : "  COLUMN:text  COLUMN=\"a b\"  COLUMN>1"
    // The operand of a condition on one column is still missing.
    if let column = columns.first(where: { Self.begun($0).hasBytes(of: text) }) {
      return "\(column) contains…; / searches all values instead"
    }
    return filter?.spoken
      ?? "text\(rows)  'Exact  ^start  end$  ~letters  !not  /regex/ – all must match; / first: in values"
  }
}

extension EntryFilter {
  fileprivate var spoken: String {
    let conditions = terms.map(\.spoken).joined(separator: ", ")
    let texts = terms.isEmpty ? [] : [(field == .keys ? "keys that " : "values that ") + conditions]
    return (texts + columns.map(\.spoken)).joined(separator: ", ")
  }
}

extension EntryFilter.Term {
  fileprivate var spoken: String {
    let text = "“\(pattern.text)”"
    return switch (pattern, isNegated) {
    case (.text, false): "contain \(text)"
    case (.text, true): "do not contain \(text)"
    case (.exact, false): "contain exactly \(text)"
    case (.exact, true): "do not contain exactly \(text)"
    case (.prefix, false): "begin with \(text)"
    case (.prefix, true): "do not begin with \(text)"
    case (.suffix, false): "end with \(text)"
    case (.suffix, true): "do not end with \(text)"
    case (.whole, false): "are \(text)"
    case (.whole, true): "are not \(text)"
    case (.fuzzy, false): "have the letters \(text) in this order"
    case (.fuzzy, true): "do not have the letters \(text) in this order"
    case (.regex, false): "match the expression \(text)"
    case (.regex, true): "do not match the expression \(text)"
    }
  }
}

extension ColumnCondition {
  /// The condition in words, such as `total > 100`.
  package var spoken: String {
    switch comparison {
    case .contains: "\(column) contains “\(operand)”"
    case .lacks: "\(column) does not contain “\(operand)”"
    default: "\(column) \(comparison.rawValue) \(operand)"
    }
  }
}
