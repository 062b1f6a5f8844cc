import LarderModel
import LarderFormats
import LarderBrowser
import Testing

/// Choosing the format of a value by name.
@Suite struct FormatTests {
  private func bench(_ value: StoredValue) -> Bench {
    var bench = Bench.ready(value: value)
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: 10, valueWidth: 60)))
    return bench
  }

  @Test func `A format is chosen by name, in any case`() {
    var bench = bench(.text(#"{"a": 1}"#))
    #expect(bench.state.value?.format == "json")
    bench.command("format", "hex")
    #expect(bench.state.value?.format == "hex")
    bench.command("format", "JSON")
    #expect(bench.state.value?.format == "json")
    bench.command("format", "text")
    bench.command("format")
    #expect(bench.state.value?.format == "hex", "no name is the next one")
    #expect(bench.state.message == nil)
  }

  @Test func `An unknown format gets a suggestion`() {
    var bench = bench(.text("word"))
    bench.command("format", "hexx")
    #expect(
      bench.state.message == Message("unknown format “hexx”; did you mean hex?", .error))
    bench.command("format", "sideways")
    #expect(
      bench.state.message?.text == "unknown format “sideways”; the formats are "
        + ValueFormat.all.map(\.name).joined(separator: ", "))
    #expect(bench.state.value?.format == "text")
  }

  @Test(arguments: [
    ("image", StoredValue.text("word"), "not this text"),
    ("hex", .integer(4), "not this integer"),
    ("record", .text("word"), "try text, hex"),
  ])
  func `An unsuitable format is refused with the reason and the alternatives`(
    _ name: String, _ value: StoredValue, _ reason: String
  ) {
    var bench = bench(value)
    bench.command("format", name)
    #expect(bench.state.message?.kind == .warning)
    #expect(bench.state.message?.text.contains(reason) == true, "\(bench.state.message as Any)")
    #expect(bench.state.value?.format == "text")
  }
}
