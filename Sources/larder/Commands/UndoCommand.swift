import Harmony
import LarderModel
import LarderJournal
import LarderOperations
import LarderStores

extension Subcommand {
  static let undo = Subcommand(
    name: "undo", usage: [.optional([.word("N"), .location]), .optional(.json)],
    summary: "undo the last change, that of a store, or number N",
    isWriting: true
  ) { arguments, output in
    try await UndoCommand(arguments, isRedo: false, output).run()
  }

  static let redo = Subcommand(
    name: "redo", usage: [.optional([.word("N"), .location]), .optional(.json)],
    summary: "redo an undone change", isWriting: true
  ) { arguments, output in
    try await UndoCommand(arguments, isRedo: true, output).run()
  }
}

/// `larder undo` and `larder redo`: replay a change from the journal as a compare-and-swap.
struct UndoCommand {
  private let arguments: Arguments
  private let isRedo: Bool
  private let journal: Journal
  /// The warnings of the store on the replay.
  private let said = WarningCollector()
  private let output: Output
  /// The maximum number of conflicting entries to report.
  private static let maximumCount = 5
  private var command: String { isRedo ? "redo" : "undo" }
  private var verb: String { isRedo ? "redone" : "undone" }

  init(_ arguments: Arguments, isRedo: Bool, _ output: Output) throws {
    try arguments.expect(atMost: 1)
    self.arguments = arguments
    self.isRedo = isRedo
    self.output = output
    guard let journal = arguments.journal else {
      throw Failure.noJournal(to: isRedo ? "redo" : "undo")
    }
    self.journal = journal
  }

  func run() async throws -> ExitCode {
    let record = try await replay()
    Output.noteChange()
    if arguments.has(.json) {
      output.plainLine(ChangeText.json(record, warnings: said.take()))
    } else {
      Output.complain(Messages.replayed(ChangeText.numbered(record), verb))
    }
    output.flush()
    return .done
  }

  private func replay() async throws -> JournalRecord {
    guard let word = arguments.words.first, let number = Int64(word) else {
      return try await replayLast(of: arguments.words.first)
    }
    guard let record = try await journal.step(number: number) else {
      throw Failure.noChange(number)
    }
    // The state of an interrupted change has to be determined from the store.
    if record.state == .settled, record.isReplayed(isRedo: isRedo) {
      let change = ChangeText.numbered(record)
      throw isRedo ? Failure.notUndone(change) : .alreadyUndone(change, number)
    }
    return try await replay(record, advice: Messages.listsChanges, again: nil)
  }

  /// Replays the last change of any store, or of the stores at a location.
  private func replayLast(of text: String?) async throws -> JournalRecord {
    let place = try text.map { try Stores.journalPlace(fromText: $0) }
    guard let record = try await journal.next(isRedo: isRedo, of: place) else {
      // Reports a mistyped location, which has no changes either.
      if let text { _ = try await Stores.open(text, options: arguments.openOptions) }
      guard isRedo, let last = try await journal.lastUndone(of: place) else {
        throw Failure.nothingToReplay(command, in: place)
      }
      throw Failure.changedSinceUndo(in: place, ChangeText.numbered(last), last.step.number)
    }
    return try await replay(
      record, advice: Messages.nextChange(command), again: Messages.replayAgain(command))
  }

  /// Replays a change, or throws a failure with the reason and advice.
  private func replay(
    _ record: JournalRecord, advice: String, again: String?
  ) async throws -> JournalRecord {
    do {
      return try await replay(record)
    } catch {
      if case StoreError.notFound = error, let sentence = try await passed(record, again: again) {
        throw Failure(.nothing, sentence)
      }
      if let now = try? await journal.step(number: record.step.number), now.state == .settled,
        now.isReplayed(isRedo: isRedo), !record.isReplayed(isRedo: isRedo)
      {
        if Failure(error).code == .conflict {
          throw Failure(
            .nothing,
            Messages.passed(ChangeText.numbered(record), .reverted, verb, advice: again))
        }
        // The change was replayed, but may not be durable.
        throw Failure(error).replayed(ChangeText.numbered(record), verb)
      }
      throw refusal(of: record, error, advice: advice)
    }
  }

  /// Returns a sentence about a change that turned out not to need a replay; nil if it still does.
  ///
  /// No other change is replayed instead: the user meant the last one that they saw.
  private func passed(_ record: JournalRecord, again: String?) async throws -> String? {
    let now = try await journal.step(number: record.step.number)
    let fate: ChangeFate
    switch (now, record.state) {
    case (nil, .interrupted): fate = .discarded
    case (nil, _): fate = .removed
    case (_, .interrupted) where isRedo && !record.step.isUndone: fate = .notBegun
    case (_, .interrupted): fate = .finished
    case (let now?, _):
      guard now.isReplayed(isRedo: isRedo) else { return nil }
      fate = .replayedByAnother
    }
    return Messages.passed(ChangeText.numbered(record), fate, verb, advice: again)
  }

  /// Returns why a change cannot be replayed, with its number and advice.
  private func refusal(
    of record: JournalRecord, _ error: any Error, advice: String
  ) -> Failure {
    let failure = Failure(error).notReplayed(ChangeText.numbered(record), verb)
    // Then it is a matter of time only.
    if case StoreError.busy = error { return failure }
    return failure.advising(advice)
  }

  private func replay(_ record: JournalRecord) async throws -> JournalRecord {
    guard record.canBeReached else {
      throw Failure.endedProcess(record.location)
    }
    var options = arguments.openOptions
    options.passwordPrompt = .terminal
    let store = try await Stores.store(of: record, options: options, journal: journal)
    store.warnings?.complain(keepingIn: said)
    let number = try await replay(record, in: store)
    return try await journal.step(number: number) ?? record
  }

  /// Replays a change of a store and returns its number.
  private func replay(_ record: JournalRecord, in store: Store) async throws -> Int64 {
    guard store.capabilities.contains(.undo) else {
      throw StoreError.readOnly(store, OperationFailure.outcome(0, verb))
    }
    do {
      let request = ReplayRequest(isRedo: isRedo, step: record.step.number)
      return try await Future { try await store.replay(request) }.getCancelling().number
    } catch StoreError.conflict(let current) {
      let conflicts = await conflicts(of: record, in: store)
      if arguments.has(.json) {
        output.plainLine(ChangeText.json(record, conflicts: conflicts))
        output.flush()
      }
      for conflict in conflicts { Output.complain(conflict.text(store.keyStyle)) }
      let key = (current?.key ?? conflicts.first?.key)?.notation(store.keyStyle)
      throw Failure.changedSince(key, OperationFailure.outcome(0, verb))
    }
  }

  /// Returns the first conflicting entries; empty if they cannot be determined.
  private func conflicts(of record: JournalRecord, in store: Store) async -> [UndoConflict] {
    guard !store.hidesValues else { return [] }
    let request = ReplayRequest(isRedo: isRedo, step: record.step.number)
    return (try? await store.history?.conflicts(of: request, limit: Self.maximumCount)) ?? []
  }
}
