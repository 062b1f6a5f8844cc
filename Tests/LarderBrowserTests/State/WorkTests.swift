import LarderOperations
import LarderModel
@testable import LarderBrowser
import Testing

/// Long-running changes to many entries, which report progress and can be stopped.
@Suite struct WorkTests {
  /// Returns a progress report of an effect.
  private func report(
    on effect: any BrowserEffect, changed: Int, isLast: Bool = false
  ) throws -> BrowserAction {
    var report = BulkChangeProgress(
      token: try #require(effect.ticket).token, read: 2, changed: changed)
    report.isLast = isLast
    return .worked(report)
  }

  /// Whether the last action stopped an effect and did nothing else.
  private func onlyStops(_ effect: any BrowserEffect, _ bench: Bench) throws -> Bool {
    try bench.only(CancelBulkChange.self).token == #require(effect.ticket).token
  }

  @Test func `A stop stops what has not begun, and is forgotten after the end`() {
    let works = BulkChanges()
    works.stop(1)
    let first = Scan()
    works.begin(1, first)
    #expect(first.isStopped)
    works.end(1)
    works.stop(1)
    works.stop(3)
    works.begin(2, Scan())
    let again = Scan()
    works.begin(1, again)
    #expect(!again.isStopped)
    let third = Scan()
    works.begin(3, third)
    #expect(third.isStopped)
  }

  @Test func escapeStopsTheDeletionOnce() throws {
    var (bench, delete) = try Bench.deleting()
    #expect(bench.state.work?.total == 2)
    bench.send(try report(on: delete, changed: 1))
    #expect(bench.state.work?.report.changed == 1)
    bench.send(.cancel)
    #expect(try onlyStops(delete, bench))
    bench.send(.cancel)
    #expect(bench.effects.isEmpty)
    #expect(bench.state.isWriting, "it is not over before the store says so")
  }

  @Test func `Quitting during a deletion asks once, and nothing is undone meanwhile`() throws {
    var (bench, _) = try Bench.deleting()
    bench.command("undo")
    #expect(bench.effects.isEmpty && bench.state.undo.replaying == nil)
    bench.command("quit")
    #expect(!bench.state.isFinished)
    bench.command("quit")
    #expect(bench.state.isFinished)
  }

  @Test func `A deletion stopped before it deleted anything keeps the marks`() throws {
    var (bench, delete) = try Bench.deleting()
    bench.send(try report(on: delete, changed: 1))
    bench.send(.cancel)
    bench.send(try report(on: delete, changed: 0, isLast: true))
    // A late report.
    bench.send(try report(on: delete, changed: 1))
    bench.answer(delete, .failure(Bench.failure(.cancelled)))
    #expect(bench.effects.isEmpty)
    #expect(bench.state.work == nil)
    #expect(bench.state.overlay == nil)
    #expect(bench.state.keys?.marked.count == 2)
    #expect(bench.state.message == Message("stopped: nothing was deleted"))
  }

  @Test func `A stopped deletion reports its progress`() throws {
    var (bench, delete) = try Bench.deleting()
    bench.send(.cancel)
    bench.send(try report(on: delete, changed: 1))
    bench.run(delete, .failure(Bench.failure(.cancelled)))
    #expect(
      bench.state.message
        == Message("stopped: 1 of 2 entries was deleted; u undoes the store's last change"))
    #expect(bench.state.keys?.marked.isEmpty == true)
  }

  @Test func `A deletion that completes before it can be stopped is reported as done`() throws {
    var (bench, delete) = try Bench.deleting()
    bench.send(.cancel)
    bench.run(delete, .success(2))
    #expect(bench.state.message == Message("deleted 2 entries; u undoes the store's last change"))
    #expect(bench.state.work == nil)
  }

  @Test func `A prefix deletion can be stopped too`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.command("delete-prefix")
    bench.type("u")
    bench.answer(
      try bench.last(MatchPrefix.self), .success(.init(count: 3, examples: [.text("u")])))
    bench.send(.submit)
    bench.type("3")
    bench.send(.submit)
    let delete = try bench.last(DeletePrefix.self)
    bench.send(.cancel)
    #expect(try onlyStops(delete, bench))
    bench.run(delete, .failure(Bench.failure(.cancelled)))
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Message("stopped: nothing was deleted"))
  }

  /// Returns a browser that is changing the marked entries, and the effect that changes them.
  private func changing(
    _ command: String, _ argument: String
  ) throws -> (Bench, any BrowserEffect) {
    var bench = Bench.ready(
      value: .text("v"), capabilities: [.writable, .creates, .ordered, .undo, .expiry])
    bench.run(.command("mark"))
    bench.run(.command("mark"))
    bench.command(command, argument)
    let effect: any BrowserEffect =
      command == "expiry"
      ? try bench.effect(SetExpiry.self) : try bench.effect(RenameMarked.self)
    return (bench, effect)
  }

  /// Replies that a change was cancelled.
  private func end(_ effect: any BrowserEffect, _ bench: inout Bench) {
    let failure = OperationFailure(StoreError.cancelled)
    switch effect {
    case let set as SetExpiry: bench.answer(set, .failure(failure))
    case let rename as RenameMarked: bench.answer(rename, .failure(failure))
    default: Issue.record("\(effect) does not change the marked entries")
    }
  }

  @Test(arguments: [("expiry", "+10m"), ("expiry", "never"), ("rename", "x")])
  func `Changes to expiries and keys of marked entries can be stopped`(
    command: String, argument: String
  ) throws {
    var (bench, effect) = try changing(command, argument)
    #expect(bench.state.work?.total == 2)
    bench.send(try report(on: effect, changed: 1))
    bench.send(.cancel)
    #expect(try onlyStops(effect, bench))
    bench.send(try report(on: effect, changed: 0, isLast: true))
    end(effect, &bench)
    #expect(bench.state.work == nil && bench.state.overlay == nil)
    #expect(bench.state.keys?.marked.count == 2)
    #expect(bench.pages.isEmpty, "nothing was changed")
  }

  @Test(arguments: [("expiry", "+10m"), ("rename", "x")])
  func `Changes made before a stop stay and the list is reloaded`(
    command: String, argument: String
  ) throws {
    var (bench, effect) = try changing(command, argument)
    bench.send(.cancel)
    bench.send(try report(on: effect, changed: 1))
    end(effect, &bench)
    #expect(bench.state.work == nil && bench.state.overlay == nil)
    #expect(bench.pages.count == 1)
  }

  /// Returns the actions of an effect that is stopped before it starts.
  private func actionsAfterStop(of effect: some BrowserEffect) async throws -> [BrowserAction] {
    let bench = await RunnerBench(ScriptedSource())
    await bench.run(CancelBulkChange(token: try #require(effect.ticket).token))
    return await bench.actions(of: effect)
  }

  @Test(arguments: [("expiry", "+10m"), ("rename", "x")])
  func `A stop before a change of marked entries prevents it`(
    command: String, argument: String
  ) async throws {
    let (_, effect) = try changing(command, argument)
    var reason: StoreError?
    for case .reply(let reply) in try await actionsAfterStop(of: effect) {
      switch reply.content {
      case let result as SetExpiry.Reply: reason = result.failure?.reason
      case let result as RenameMarked.Reply: reason = result.failure?.reason
      default: break
      }
    }
    #expect(reason == .cancelled)
  }

  @Test func `A stop before a deletion prevents it`() async throws {
    let (_, delete) = try Bench.deleting()
    let actions = try await actionsAfterStop(of: delete)
    guard actions.count == 2, case .worked(let last) = actions[0],
      case .reply(let reply) = actions[1]
    else {
      Issue.record("\(actions)")
      return
    }
    #expect(last.token == delete.ticket?.token && last.isLast)
    #expect(last.read == 0 && last.changed == 0)
    #expect(reply.content as? DeleteMarked.Reply == .failure(Bench.failure(.cancelled)))
  }
}
