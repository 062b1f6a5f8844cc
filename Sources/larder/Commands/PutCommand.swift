import LarderOperations
import Foundation
import Harmony
import LarderModel
import LarderFormats
import LarderStores

extension Subcommand {
  static let put = Subcommand(
    name: "put",
    usage: [
      .location, .key,
      .optional([
        .word("VALUE"), .option(PutCommand.stdin), .option(PutCommand.file),
      ]),
      .optional(PutCommand.type), .optional(PutCommand.ttl),
      .oneOf(PutCommand.create, PutCommand.expect), .optional(.json),
    ],
    summary: "write an entry", isWriting: true,
    examples: [
      Example("Set a value:", "larder put settings.json ui.theme dark"),
      Example(
        "Set a value from a file:", "larder put app.db#files logo --file logo.png --type data"),
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 3)
    return try await PutCommand(arguments).run(output)
  }
}

/// `larder put`: a compare-and-swap with the current entry, or with a given fingerprint.
struct PutCommand {
  static let stdin = OptionSpec(
    name: "--stdin", value: nil, help: "read the value from stdin (same as - for VALUE)",
    isPerCall: true)
  static let file = OptionSpec(
    name: "--file", value: "FILE", help: "read the value from a file, or from stdin (-)",
    offered: .path, isPerCall: true)
  static let ttl = OptionSpec(
    name: "--ttl", value: "DURATION",
    help: "expire after DURATION, such as 10m; fails if unsupported",
    isPerCall: true, group: .expiry)
  static let type = OptionSpec(
    name: "--type", value: "T",
    help: "type of the value: \(typeNames.joined(separator: ", "))", choices: typeNames,
    usual: "the type of the entry or column, else text", isPerCall: true)
  static let create = OptionSpec(
    name: "--create", value: nil, help: "fail if the key exists", isPerCall: true, group: .safety)
  static let expect = OptionSpec(
    name: "--expect", value: "FINGERPRINT",
    help: "write only if the entry still has this fingerprint", isPerCall: true,
    group: .safety)

  /// The names of all types, and of the storage forms that some kinds of store have beside them.
  private static let typeNames =
    StoredType.allCases.map(\.rawValue) + Set(Stores.kinds.flatMap(\.newForms.keys)).sorted()

  private let arguments: Arguments
  private let typed: String
  /// Whether the value comes from standard input.
  private let readsInput: Bool

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try arguments.location()
    typed = try arguments.word(1, named: "KEY", of: "put")
    // After `--`, a dash is a literal value.
    readsInput =
      arguments.has(Self.stdin)
      || arguments.words.count > 2 && arguments.words[2] == "-"
        && (arguments.literalStart ?? .max) > 2
    let sources = [arguments.words.count > 2, arguments.has(Self.stdin), arguments.has(Self.file)]
    // There is only one null, so no value needs to be given.
    let isNull = !sources.contains(true) && arguments[Self.type] == StoredType.null.rawValue
    guard isNull || sources.count(where: \.self) == 1 else {
      if !sources.contains(true) { _ = try arguments.word(2, named: "VALUE", of: "put") }
      throw Failure.valueNotGivenOnce
    }
    if arguments.has(Self.create), arguments.has(Self.expect) {
      throw Failure.together(Self.create, Self.expect)
    }
    if let text = arguments[Self.expect], Fingerprint(text) == nil {
      throw Failure.invalidFingerprint
    }
  }

  func run(_ output: Output) async throws -> ExitCode {
    let location = try await opened()
    let timeToLive = try arguments.duration(.ttl)
    let (key, base) = try await current(location)
    try checkCondition(base, location)
    let original = base?.value ?? location.store.template
    let typedValue = try value(over: original, isNew: base == nil, in: location.store)
    try checkType(over: base?.value, in: location.store)
    let expires = timeToLive.map { Date().addingTimeInterval($0.inSeconds) }
    if expires != nil {
      try location.checkDoubt(OperationFailure.nothingWritten)
      location.reportAssumedZone()
    }
    let form = arguments[Self.type].flatMap { location.store.kind.newForms[$0] == nil ? nil : $0 }
    let untimed = Entry(key: key, value: typedValue, form: form)
    let timed = try await timed(untimed, until: expires, in: location)
    let expecting = arguments[Self.expect].flatMap(Fingerprint.init) ?? base?.fingerprint
    let query = ReplaceQuery(key, expecting: arguments.has(Self.create) ? nil : expecting)
    if base != nil, location.store.hidesValues {
      Output.complain(Messages.replacesSecret)
    }
    do {
      var entry = try await location.store.source.put(timed ?? untimed, in: query)
        .getCancelling()
      if let expires {
        if timed == nil {
          // Setting the same expiry again would record a second change.
          if !entry.counts(until: expires) {
            entry = try await expire(entry, at: expires, in: location)
          }
          if location.timeToLive != nil {
            location.warn(Messages.noStoredExpiry(typed, in: location.store.location))
          }
        } else if location.store.capabilities.contains(.cache), !entry.counts(until: expires) {
          throw Failure.programSetsTTL(typed)
        } else if let rounding = location.rounding([entry], from: [expires]) {
          location.warn(rounding)
        }
      }
      let given = timed ?? untimed
      for warning in location.store.warnings(ofWriting: given, as: entry, at: Date()) {
        location.warn(warning)
      }
      let shown = location.store.shown(typedValue)
      let before = original.map(location.store.shown)
      if shown == .null, !arguments.has(Self.type) {
        location.warn(Messages.staysNull(typed))
      }
      if shown == .text("null"), before == .null, !arguments.has(Self.type) {
        location.warn(Messages.textNull(typed))
      }
      if isData(shown, unasked: before, in: location.store) {
        location.warn(Messages.storedAsData(typed))
      }
      if isHexTakenAsText(shown, over: before, in: location.store) {
        location.warn(Messages.storedAsText(typed))
      }
      let broken = ValueFormat.brokenJSON(in: shown, after: base?.value.map(location.store.shown))
      if let broken { location.warn(Messages.brokenJSON(broken.names + [typed])) }
      Output.noteChange()
      if arguments.has(.json) {
        output.plainLine(EntryJSON.line(entry, in: location.store, warnings: location.warnings()))
        output.flush()
      }
      return .done
    } catch StoreError.conflict(let theirs) {
      throw Failure.conflict(cause(theirs, location), OperationFailure.nothingWritten)
    } catch {
      if base == nil, location.store.valueField != nil, timeToLive == nil,
        arguments[Self.type] == nil
      {
        throw Failure(error).advising(Messages.ttlAndRecord)
      }
      if base == nil, arguments[Self.type] == nil, let type = Self.jsonType(of: typedValue),
        location.store.kind.types.contains(type)
      {
        throw Failure(error).advising(Messages.takesJSON(type))
      }
      throw error
    }
  }

  /// Opens the store.
  ///
  /// `--ttl` sets the entry's own expiry if the store has one. In a folder without expiries, it
  /// counts from the last write.
  private func opened() async throws -> OpenedLocation {
    let location = try await OpenedLocation.toChange(arguments, isTimed: false)
    guard arguments[.ttl] != nil, !location.store.capabilities.contains(.expiry) else {
      return location
    }
    return try await OpenedLocation.toChange(arguments)
  }

  /// Checks the condition before the value is parsed, as parsing depends on the current entry.
  private func checkCondition(_ base: Entry?, _ location: OpenedLocation) throws {
    let isMet =
      if let expected = arguments[Self.expect].flatMap(Fingerprint.init) {
        base?.fingerprint == expected
      } else {
        base == nil || !arguments.has(Self.create)
      }
    if !isMet {
      throw Failure.conflict(cause(base, location), OperationFailure.nothingWritten)
    }
  }

  /// Refuses a type that the store does not have, rather than storing another type.
  private func checkType(over original: StoredValue?, in store: Store) throws {
    guard let name = arguments[Self.type] else { return }
    let types = store.typesOfNewValues
    if let asked = askedType(in: store) {
      guard asked != original?.type, !types.isEmpty, !types.contains(asked) else { return }
    }
    throw Failure.noSuchType(name, in: store)
  }

  /// Returns the type that was asked for; nil if there is none, or only other kinds of store have it.
  private func askedType(in store: Store) -> StoredType? {
    arguments[Self.type].flatMap { store.kind.newForms[$0] ?? StoredType(rawValue: $0) }
  }

  /// Returns the entry with the expiry given by `--ttl`.
  ///
  /// The result is nil if the store sets expiries separately, after writing the values.
  private func timed(
    _ entry: Entry, until expires: Date?, in location: OpenedLocation
  ) async throws -> Entry? {
    guard let expires else { return entry }
    try location.checkExpiry()
    guard !location.store.setsExpiriesAfterWriting else { return nil }
    return try await location.store.timed(entry, until: expires)
  }

  /// Returns the key to write and the current entry.
  ///
  /// No new entry is created if `get` would print another one for the same argument.
  private func current(_ location: OpenedLocation) async throws -> (EntryKey, Entry?) {
    do {
      let entry = try await location.entry(
        typed, isToChange: true, maximumSize: location.maximumSize, readsFiles: true)
      return (entry.key, try await location.store.base(entry.key, shown: entry))
    } catch let failure as Failure where failure.code == .nothing {
      let key = location.key(typed)
      let isQuoted = if case .text = key { true } else { false }
      if !isQuoted, await location.namesake(of: typed) != nil {
        throw Failure.usage("\(failure.message); \(OperationFailure.nothingWritten)")
      }
      // Several rows can have a null key, and nothing distinguishes them.
      if key == .null, location.store.keyColumns.fault(of: key) == nil {
        let fault = location.store.keyColumns.fault(of: .text("null"))
        throw Failure.nullKey(isTextPossible: fault == nil)
      }
      return (key, try await location.store.base(key, shown: nil))
    }
  }

  /// Returns the cause of a conflict, as a clause.
  private func cause(_ theirs: Entry?, _ location: OpenedLocation) -> String {
    guard let theirs else { return Messages.gone(typed) }
    // A column can take several spellings for the same key.
    if !location.store.keyColumns.isEmpty, theirs.key != location.key(typed) {
      return Messages.sameKey(typed, as: theirs.key.notation(location.store.keyStyle))
    }
    return arguments.has(Self.create)
      ? Messages.existsAlready(typed, theirs.fingerprint)
      : Messages.changed(location.changed(typed, theirs), theirs.fingerprint)
  }

  /// Whether bytes were stored as data only because they are not UTF-8.
  private func isData(
    _ value: StoredValue, unasked original: StoredValue?, in store: Store
  ) -> Bool {
    value.type == .data && store.valueType != .data && !arguments.has(Self.type)
      && (original.map { $0.type == .null } ?? true)
  }

  /// Whether hexadecimal digits on the command line became text where data is usual.
  private func isHexTakenAsText(
    _ value: StoredValue, over original: StoredValue?, in store: Store
  ) -> Bool {
    guard arguments.words.count > 2, !arguments.has(Self.type), !readsInput,
      original?.type == .data || store.valueType == .data,
      !ValueText.isHex(value), ValueText.text(of: value) == arguments.words[2]
    else { return false }
    return ValueText.looksLikeHex(arguments.words[2])
  }

  /// Sets the expiry of an entry just written, for stores that set it separately.
  private func expire(
    _ entry: Entry, at expires: Date, in location: OpenedLocation
  ) async throws -> Entry {
    let change = ExpiryChange(entry.key, expires: expires, expecting: entry.fingerprint)
    do {
      return try await location.store.setExpiry(change)
    } catch {
      throw Failure(error).expiryNotSet(of: typed)
    }
  }

  /// Returns the type of a text parsed as JSON, if it is an object or an array.
  private static func jsonType(of value: StoredValue) -> StoredType? {
    guard case .text(let text) = value, let type = try? JSONParser.parse(text.utf8).type,
      type == .dictionary || type == .array
    else { return nil }
    return type
  }

  /// Returns the value to write.
  ///
  /// If the store shows rows by one of their columns, the value replaces that column.
  private func value(
    over original: StoredValue?, isNew: Bool, in store: Store
  ) throws -> StoredValue {
    guard let name = store.valueField, let original, original.type == .record,
      arguments[Self.type] != StoredType.record.rawValue
    else { return try wholeValue(over: original, isNew: isNew, in: store) }
    let old = original.field(name) ?? .null
    return original.setting(name, to: try wholeValue(over: old, isNew: isNew, in: store))
  }

  private func wholeValue(
    over original: StoredValue?, isNew: Bool, in store: Store
  ) throws -> StoredValue {
    let bytes = try valueBytes()
    let asked = askedType(in: store)
    // `get` prints null as an empty line.
    if asked == nil, !isNew, original?.type == .null,
      ["", "\n", "\r\n"].contains(where: { bytes.elementsEqual($0.utf8) })
    {
      return .null
    }
    let known = original?.type == .null ? nil : original?.type
    let type = asked ?? known ?? .text
    if asked == nil, known == nil, store.valueType == .data { return .data(bytes) }
    if asked == nil, known == nil, let type = store.valueType,
      let text = String(validating: bytes, as: UTF8.self),
      let value = try? ValueText.value(of: text, type: type)
    {
      // The column would convert these digits to a number anyway.
      return value
    }
    // Bytes from a file or standard input are stored unchanged. On the command line they are text
    // if the previous value was text, or else hexadecimal digits.
    if type == .data, arguments.words.count < 3 { return .data(bytes) }
    if case .malformedText = original, asked == nil, arguments.words.count < 3 {
      return .init(textBytes: bytes)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let data = StoredValue.data(bytes)
      if isData(data, unasked: original, in: store) { return data }
      throw Failure.notUTF8(typed, isKnown: asked == nil, type)
    }
    // The editor shows text that is not UTF-8 as hexadecimal digits; here text is plain text.
    var base = original
    if case .malformedText = original { base = nil }
    // A number can become any other number type, unless a type is given.
    if asked == .integer || asked == .real { base = nil }
    do {
      return try ValueText.value(
        of: text, type: type, original: base, isHex: asked.map { $0 == .data },
        optionalFields: isNew ? store.optionalFields : [], keepsDigits: store.kind.keepsDigits)
    } catch  where type == .record {
      throw notRow(text, error, columns: original, store)
    } catch {
      throw Failure.notOfType(type, error, key: asked == nil && !isNew ? typed : nil)
    }
  }

  /// Returns the error of a text that is not a valid row, with an example of one.
  private func notRow(
    _ text: String, _ error: ValueText.Failure, columns: StoredValue?, _ store: Store
  ) -> Failure {
    if (try? JSONParser.parse(text.utf8))?.type == .dictionary {
      return .notOfType(.record, error, key: nil)
    }
    var names = store.optionalFields
    if case .record(let fields) = columns, !fields.isEmpty { names = fields.map(\.name) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("{")
      ? .notRow(error, columns: names) : .notRow(in: store.location, columns: names)
  }

  private func valueBytes() throws -> [UInt8] {
    guard readsInput || arguments.has(Self.file) else {
      return arguments.words.count > 2 ? Array(arguments.words[2].utf8) : []
    }
    let path = arguments[Self.file].flatMap { $0 == "-" ? nil : $0 }
    return try InputReader(path).read(arguments)
  }
}
