import LarderOperations
import LarderModel
import LarderBrowser
import Testing

/// Deletions of many entries, which tell how far they are and can be stopped.
@Suite struct WorkTests {
  @Test func escapeStopsTheDeletionOnce() throws {
    var (bench, token) = try Bench.deleting()
    #expect(bench.state.work?.total == 2)
    bench.send(.worked(WorkReport(token: token, read: 2, changed: 1)))
    #expect(bench.state.work?.report.changed == 1)
    bench.send(.cancel)
    #expect(bench.effects == [.stopWork(token: token)])
    bench.send(.cancel)
    #expect(bench.effects.isEmpty)
    #expect(bench.state.isWriting, "it is not over before the store says so")
  }

  @Test func whatStoppedBeforeAnythingWasDeletedKeepsTheMarks() throws {
    var (bench, token) = try Bench.deleting()
    bench.send(.worked(WorkReport(token: token, read: 2, changed: 1)))
    bench.send(.cancel)
    var last = WorkReport(token: token, read: 2, changed: 0)
    last.isLast = true
    bench.send(.worked(last))
    // A report that was on its way is late.
    bench.send(.worked(WorkReport(token: token, read: 2, changed: 1)))
    bench.send(.markedDeleted(token: token, .failure(Bench.failure(.cancelled))))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.work == nil)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.keys?.marked.count == 2)
    #expect(bench.state.message == Message("stopped: nothing was deleted"))
  }

  @Test func whatStoppedOnTheWaySaysHowFarItCame() throws {
    var (bench, token) = try Bench.deleting()
    bench.send(.cancel)
    bench.send(.worked(WorkReport(token: token, read: 2, changed: 1)))
    bench.run(.markedDeleted(token: token, .failure(Bench.failure(.cancelled))))
    #expect(
      bench.state.message
        == Message("stopped: 1 of 2 entries was deleted; u undoes the store's last change"))
    #expect(bench.state.keys?.marked.isEmpty == true)
  }

  @Test func whatWasDoneBeforeItCouldBeStoppedIsDone() throws {
    var (bench, token) = try Bench.deleting()
    bench.send(.cancel)
    bench.run(.markedDeleted(token: token, .success(2)))
    #expect(bench.state.message == Message("deleted 2 entries; u undoes the store's last change"))
    #expect(bench.state.work == nil)
  }

  @Test func aPrefixIsStoppedLikewise() {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.command("delete-prefix")
    bench.type("u")
    guard case .matchPrefix(_, _, let counting) = bench.effects.last else {
      Issue.record("nothing is counted: \(bench.effects)")
      return
    }
    bench.send(.prefixMatched(token: counting, .success(.init(count: 3, examples: [.text("u")]))))
    bench.send(.submit)
    bench.type("3")
    bench.send(.submit)
    guard case .deletePrefix(_, _, _, let token) = bench.effects.last else {
      Issue.record("nothing is deleted: \(bench.effects)")
      return
    }
    bench.send(.cancel)
    #expect(bench.effects == [.stopWork(token: token)])
    bench.run(.prefixDeleted(token: token, .failure(Bench.failure(.cancelled))))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("stopped: nothing was deleted"))
  }

  /// A browser that changes what is marked, and the token of that.
  private func changing(_ command: String, _ argument: String) throws -> (Bench, Int) {
    var bench = Bench.ready(
      value: .text("v"), capabilities: [.writable, .creates, .ordered, .undo, .expiry])
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.command(command, argument)
    for effect in bench.effects {
      switch effect {
      case .setExpiry(_, _, _, _, let token), .renameMarked(_, _, let token): return (bench, token)
      default: break
      }
    }
    throw StoreError.failed("nothing is changed: \(bench.effects)")
  }

  /// The reply to a change that ended early.
  private func stopped(_ command: String, _ token: Int) -> BrowserAction {
    let failure = OperationFailure(StoreError.cancelled)
    return command == "expiry"
      ? .expirySet(token: token, .failure(failure))
      : .markedRenamed(token: token, .failure(failure))
  }

  @Test(arguments: [("expiry", "+10m"), ("expiry", "never"), ("rename", "x")])
  func `Expiries and keys of marked entries are changed as work that can be stopped`(
    command: String, argument: String
  ) throws {
    var (bench, token) = try changing(command, argument)
    #expect(bench.state.work?.total == 2)
    bench.send(.worked(WorkReport(token: token, read: 2, changed: 1)))
    bench.send(.cancel)
    #expect(bench.effects == [.stopWork(token: token)])
    var last = WorkReport(token: token, read: 2, changed: 0)
    last.isLast = true
    bench.send(.worked(last))
    bench.send(stopped(command, token))
    #expect(bench.state.work == nil && bench.state.overlay == nil)
    #expect(bench.state.keys?.marked.count == 2)
    #expect(bench.pages.isEmpty, "nothing was changed")
  }

  @Test(arguments: [("expiry", "+10m"), ("rename", "x")])
  func `What was changed before a stop stays, and is read again`(
    command: String, argument: String
  ) throws {
    var (bench, token) = try changing(command, argument)
    bench.send(.cancel)
    bench.send(.worked(WorkReport(token: token, read: 2, changed: 1)))
    bench.send(stopped(command, token))
    #expect(bench.state.work == nil && bench.state.overlay == nil)
    #expect(bench.pages.count == 1)
  }

  @Test(arguments: [("expiry", "+10m"), ("rename", "x")])
  func `A stop that comes before a change of marked entries keeps it from beginning`(
    command: String, argument: String
  ) async throws {
    let (state, token) = try changing(command, argument)
    let effect = try #require(state.effects.first { $0.writtenStore != nil })
    let bench = await RunnerBench(ScriptedSource())
    await bench.run(.stopWork(token: token))
    var reason: StoreError?
    for reply in await bench.replies(to: effect) {
      switch reply {
      case .expirySet(_, let result): reason = result.failure?.reason
      case .markedRenamed(_, let result): reason = result.failure?.reason
      default: break
      }
    }
    #expect(reason == .cancelled)
  }

  @Test func aStopThatComesBeforeTheDeletionKeepsItFromBeginning() async {
    let bench = await RunnerBench(ScriptedSource())
    await bench.run(.stopWork(token: 7))
    let replies = await bench.replies(
      to: .deleteMarked(Bench.reference, Bench.deletions([.integer(0)]), token: 7))
    var last = WorkReport(token: 7, read: 0, changed: 0)
    last.isLast = true
    #expect(
      replies == [.worked(last), .markedDeleted(token: 7, .failure(Bench.failure(.cancelled)))])
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
