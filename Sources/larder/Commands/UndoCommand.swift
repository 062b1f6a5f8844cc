import Harmony
import LarderCore
import LarderStores

extension Subcommand {
  static let undo = Subcommand(
    name: "undo", usage: "[N | LOCATION] [--json]",
    summary: "takes back the last change, step N of the log, or the last change of a store",
    options: [.json]
  ) { arguments, output in
    try await UndoCommand(arguments, isRedo: false).run(output)
  }

  static let redo = Subcommand(
    name: "redo", usage: "[N | LOCATION] [--json]",
    summary: "makes again what undo took back", options: [.json]
  ) { arguments, output in
    try await UndoCommand(arguments, isRedo: true).run(output)
  }
}

/// `larder undo` and `larder redo`: compare-and-swap back to what the journal says was there.
struct UndoCommand {
  private let arguments: Arguments
  private let isRedo: Bool
  private let journal: Journal
  private var verb: String { isRedo ? "redone" : "undone" }

  init(_ arguments: Arguments, isRedo: Bool) throws {
    try arguments.expect(atMost: 1)
    self.arguments = arguments
    self.isRedo = isRedo
    guard let journal = arguments.journal else {
      throw Failure.usage("--no-journal leaves no way back")
    }
    self.journal = journal
  }

  func run(_ output: Output) async throws -> ExitCode {
    let record = try await replay()
    if arguments.has(.json) {
      output.write(StepText.json(record))
      output.end()
    } else {
      output.line("\(verb): step \(record.step.number), \(StepText.what(record))")
    }
    output.flush()
    return .done
  }

  private func replay() async throws -> JournalRecord {
    guard let word = arguments.words.first else { return try await replayLast() }
    guard let number = Int64(word) else {
      let open = try await Stores.open(word, options: arguments.openOptions, journal: journal)
      let store = try await open.store(open.location.collection)
      let step = try await replay(nil, in: store)
      guard let record = try await journal.step(number: step) else { throw missing(step) }
      return record
    }
    guard let record = try await journal.step(number: number) else { throw missing(number) }
    return try await replay(record)
  }

  /// Replays the last step of any store.
  private func replayLast() async throws -> JournalRecord {
    var last: JournalRecord?
    while let record = try await journal.next(isRedo: isRedo), record != last {
      do {
        return try await replay(record)
      } catch StoreError.notFound where record.state == .interrupted {
        // It was interrupted before it did anything, and is forgotten now.
        last = record
      }
    }
    throw Failure(.nothing, isRedo ? "nothing was undone" : "there is nothing to undo")
  }

  private func replay(_ record: JournalRecord) async throws -> JournalRecord {
    guard record.canBeReached else {
      throw Failure(.refused, "\(record.location) is gone with its process")
    }
    let open = try await Stores.open(
      record.location, options: arguments.openOptions, journal: journal)
    let store = try await open.store(record.location.collection)
    let number = try await replay(record.step.number, in: store)
    return try await journal.step(number: number) ?? record
  }

  /// Replays a step, or the last one, of a store, and returns its number.
  private func replay(_ number: Int64?, in store: Store) async throws -> Int64 {
    guard store.capabilities.contains(.undo) else {
      throw StoreError.readOnly(
        "\(store.location) is read-only" + (store.readOnlyReason.map { ": \($0)" } ?? ""))
    }
    do {
      let query = UndoQuery(isRedo: isRedo, step: number)
      let entry = try await store.source.put(nil, in: query).getCancelling()
      guard let step = JournalStep(entry) else { throw CoreError.DataSerialization() }
      return step.number
    } catch StoreError.conflict(let current) {
      let key = current.map { " \($0.key.notation(store.keyStyle))" } ?? ""
      throw Failure(
        .conflict,
        "\(store.location) was changed since:\(key) is not what the step left; nothing was \(verb)")
    }
  }

  private func missing(_ number: Int64) -> Failure {
    Failure(.nothing, "the journal has no step \(number); larder log lists them")
  }
}
