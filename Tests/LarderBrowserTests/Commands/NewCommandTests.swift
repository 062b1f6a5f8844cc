import Harmony
import LarderModel
@testable import LarderBrowser
import Testing

/// A complete command with a prompt and an effect, as a feature would add it: this file, and one
/// entry in `Command.groups`.
extension Command {
  fileprivate static let countWords = Command(
    "count-words", "count words", help: "Counts the words of a value from a length on.", keys: []
  ) { state, argument in
    guard let store = state.keys?.store.reference, let key = state.keys?.selected?.key else {
      return []
    }
    let purpose = CountWordsPrompt(store: store, key: key)
    state.overlay = .prompt(PromptModel(purpose, text: argument))
    return []
  }
}

private struct CountWordsPrompt: PromptPurpose {
  let store: StoreReference
  let key: EntryKey

  var label: String { "words from length: " }

  func notice(for line: PromptModel) -> PromptModel.Notice? {
    Int(line.buffer.text) == nil ? .init(text: "type a number", isProblem: true) : nil
  }

  func take(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    guard let length = Int(line.buffer.text) else { return [] }
    return [CountWords(store: store, key: key, length: length)]
  }
}

private struct CountWords: BrowserEffect {
  let store: StoreReference
  let key: EntryKey
  let length: Int

  func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result {
        guard case .text(let text)? = try await runner.read(key, in: store, through: .usual).value
        else { return 0 }
        return text.split(separator: " ").count { $0.count >= length }
      })
  }

  func receive(_ reply: Answer<Int>, in state: inout BrowserState) -> Effects {
    if case .success(let count) = reply { state.say("\(count)") }
    return []
  }
}

@Suite struct NewCommandTests {
  @Test func `A command with a prompt and an effect fits in one file`() async throws {
    var bench = Bench.ready()
    _ = Command.countWords.run(&bench.state, "")
    #expect(bench.state.typedLine?.label == "words from length: ")
    bench.type("f")
    #expect(bench.state.typedLine?.notice?.isProblem == true)
    bench.send(.edit(.deleteBackward))
    bench.type("4")
    bench.send(.submit)
    #expect(bench.state.overlay == nil)
    let effect = try bench.only(CountWords.self)
    let source = ScriptedSource(onGet: { query in
      guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
      return Future(Entry(key: query.entryKey, value: .text("one three four")))
    })
    let runner = await RunnerBench(source)
    let replies = await runner.replies(to: effect)
    bench.answer(effect, try #require(replies.first))
    #expect(bench.state.message == Message("2"))
  }

  @Test func `Earlier input is recalled for the same kind of prompt`() {
    var bench = Bench.ready()
    for _ in 0..<2 {
      _ = Command.countWords.run(&bench.state, "")
      bench.send(.recall(by: -1))
      if bench.state.typedLine?.buffer.text.isEmpty == true { bench.type("7") }
      bench.send(.submit)
    }
    _ = Command.countWords.run(&bench.state, "")
    bench.send(.recall(by: -1))
    #expect(bench.state.typedLine?.buffer.text == "7")
  }
}
