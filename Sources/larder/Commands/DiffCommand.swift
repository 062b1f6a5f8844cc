import LarderDocuments
import Harmony
import LarderModel
import LarderBrowser
import LarderStores

extension Subcommand {
  static let diff = Subcommand(
    name: "diff",
    usage: [
      .word("LOCATION", .location), .word("LOCATION", .location), .optional(.prefix),
      .optional(.json),
    ],
    summary: "prints a line for each entry in which two stores, or a store and an export, differ",
    isPaged: true,
    examples: [
      Example(
        "What an upgrade has changed:",
        "larder export app.db#settings > before; …; larder diff before app.db#settings")
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    let old = try await ComparedSide(arguments, at: 0)
    let new = try await ComparedSide(arguments, at: 1)
    guard !(old.isStream && new.isStream) else {
      throw Failure.usage("only one of the two can be standard input; name a file for the other")
    }
    let task = LongTask("compared", arguments)
    defer { task.end() }
    task.endsAtOnce()
    var command = DiffCommand(old, new, isJSON: arguments.has(.json), task.progress)
    return try await command.run(output)
  }
}

/// `larder diff`: reads two sides in the order of their keys, side by side.
struct DiffCommand {
  private let old: ComparedSide
  private let new: ComparedSide
  private let isJSON: Bool
  private let progress: Progress
  private let style: KeyStyle
  private var counts: [EntryDifference.Change: Int] = [:]
  private var same = 0
  private var unreadable = NameList()

  init(_ old: ComparedSide, _ new: ComparedSide, isJSON: Bool, _ progress: Progress) {
    self.old = old
    self.new = new
    self.isJSON = isJSON
    self.progress = progress
    let styles = [old, new].map { $0.store?.keyStyle ?? .typed }
    style = styles.contains(.typed) ? .typed : .text
  }

  mutating func run(_ output: Output) async throws -> ExitCode {
    var (left, right) = try await streams()
    var (one, other) = (try await left.next(), try await right.next())
    while let key = [one?.key, other?.key].compactMap(\.self).min() {
      switch (one, other) {
      case (let entry?, let counterpart?) where entry.key == counterpart.key:
        try await compare(entry, counterpart, output)
      case (let entry?, _) where entry.key == key:
        try await add(.removed, entry, of: old, besides: new, output)
      case (_, let entry?): try await add(.added, entry, of: new, besides: old, output)
      default: break
      }
      if one?.key == key { one = try await following(one, &left, old) }
      if other?.key == key { other = try await following(other, &right, new) }
      progress.add(1)
    }
    progress.clear()
    output.flush()
    return report()
  }

  private func streams() async throws -> (EntryStream, EntryStream) {
    // Both in one order, or none of them needs to be.
    defer { progress.set(0, as: "compared") }
    guard try await old.isInOrder(progress), try await new.isInOrder(progress) else {
      return (
        try await old.sorted(progress, besides: new), try await new.sorted(progress, besides: old)
      )
    }
    return (try old.entries(.values, besides: new), try new.entries(.values, besides: old))
  }

  /// The entry after another one.
  private func following(
    _ entry: Entry?, _ stream: inout EntryStream, _ side: ComparedSide
  ) async throws -> Entry? {
    let next = try await stream.next()
    if let entry, let next, next.key < entry.key {
      throw Failure(
        .store, "the order of the keys of \(side.name) changed meanwhile; compare again")
    }
    return next
  }

  // MARK: Entries

  /// What there is of an entry to be compared.
  fileprivate enum Content {
    case value(StoredValue)
    /// What is there in the place of a value, such as a link.
    case special(String)
    /// It went meanwhile.
    case none
    case unreadable(StoreError)
  }

  private func content(
    of entry: Entry, _ side: ComparedSide, besides counterpart: ComparedSide
  ) async throws -> Content {
    func taken(_ value: StoredValue) -> StoredValue {
      guard let store = counterpart.store else { return value }
      let taken = store.taken(value, of: side.store?.valueColumns)
      return taken.type == .data ? store.asKept(taken) : taken
    }
    // Under its key there may be another one on the other side.
    if entry.hasInvalidName, let obstacle = entry.copyObstacle {
      return .unreadable(.failed(obstacle))
    }
    if let value = entry.value, entry.isWhole { return .value(taken(value)) }
    if let type = entry.specialType { return .special(type) }
    guard let store = side.store else { return .none }
    do {
      let found = try await store.source.get(EntryQuery(entry.key, readsFiles: true))
        .getCancelling()
      if let value = found.value, found.isWhole { return .value(taken(value)) }
      return .special(found.specialType ?? "without a value")
    } catch {
      switch StoreError(error) {
      case .cancelled: throw error
      case .notFound: return .none
      case .notSupported: return .special("without a value")
      case let reason: return .unreadable(reason)
      }
    }
  }

  private mutating func add(
    _ change: EntryDifference.Change, _ entry: Entry, of side: ComparedSide,
    besides counterpart: ComparedSide, _ output: Output
  ) async throws {
    switch try await content(of: entry, side, besides: counterpart) {
    case .value(let value):
      let isNew = change == .added
      print(
        EntryDifference(change, entry.key, value: isNew ? value : nil, old: isNew ? nil : value),
        output)
    case .special:
      // An export leaves these out.
      if counterpart.store != nil { print(EntryDifference(change, entry.key), output) }
    case .none: break
    case .unreadable(let reason): unreadable.add(unreadable: entry.key, style, reason)
    }
  }

  private mutating func compare(_ one: Entry, _ other: Entry, _ output: Output) async throws {
    let left = try await content(of: one, old, besides: new)
    switch (left, try await content(of: other, new, besides: old)) {
    case (.unreadable(let reason), _), (_, .unreadable(let reason)):
      unreadable.add(unreadable: one.key, style, reason)
    case (.value(let before), .value(let after)):
      let areForms = areFormsCompared(one, other) && one.form != other.form
      guard areForms || !isSame(before, after) else {
        same += 1
        return
      }
      print(
        EntryDifference(.changed, one.key, value: after, old: before), output,
        forms: areForms ? (one.form, other.form) : nil)
    case (.special(let before), .special(let after)) where before == after: same += 1
    case (let before, let after):
      print(
        EntryDifference(.changed, one.key, value: after.stored, old: before.stored), output)
    }
  }

  /// Whether it counts how values are kept: only stores of one kind keep them in the same ways, and
  /// no two files have the same times.
  private func areFormsCompared(_ one: Entry, _ other: Entry) -> Bool {
    guard ![one, other].contains(where: { $0.form?.hasPrefix("mode ") == true }) else {
      return false
    }
    guard let old = old.store, let new = new.store else { return true }
    return old.kind == new.kind
  }

  /// Whether two values are the same; a row and a dictionary are where kinds differ.
  private func isSame(_ one: StoredValue, _ other: StoredValue) -> Bool {
    if one == other { return true }
    guard old.store?.kind != new.store?.kind else { return false }
    let other =
      switch (one, other) {
      case (.record, .dictionary(let fields)): StoredValue.record(fields)
      case (.dictionary, .record(let fields)): StoredValue.dictionary(fields)
      default: other
      }
    // A copy cannot keep how numbers are spelled in a store that has one way only.
    let haveDigits = [old, new].allSatisfy { $0.store?.kind.keepsDigits ?? true }
    return haveDigits ? one == other : one.isEqualButForDigits(to: other)
  }

  // MARK: Output

  private mutating func print(
    _ difference: EntryDifference, _ output: Output, forms: (old: String?, new: String?)? = nil
  ) {
    counts[difference.change, default: 0] += 1
    if isJSON {
      output.plainLine(DifferenceLine.json(difference, style, forms: forms))
    } else {
      let kept = forms.map { "  (\($0.old ?? "as usual") → \($0.new ?? "as usual"))" } ?? ""
      output.line(DifferenceLine.text(difference, style) + kept)
    }
    // Differences may be few and far between, so how far it is has a place among them.
    if output.isTerminal { StatusLine.aside(output.flush) }
  }

  private func report() -> ExitCode {
    let parts = [EntryDifference.Change.removed, .added, .changed].compactMap { change in
      counts[change].map { "\($0) \(change.rawValue)" }
    }
    if !parts.isEmpty {
      Output.complain(
        "\(parts.joined(separator: ", ")); \(same) \(same == 1 ? "is" : "are") the same")
    }
    guard unreadable.count == 0 else {
      Output.complain(
        "\(unreadable.count) \(unreadable.count == 1 ? "entry" : "entries") could not be compared: "
          + "\(unreadable)")
      return .store
    }
    return parts.isEmpty ? .done : .nothing
  }
}

extension DiffCommand.Content {
  fileprivate var stored: StoredValue? {
    if case .value(let value) = self { value } else { nil }
  }
}
