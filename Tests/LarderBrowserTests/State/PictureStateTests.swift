import Testing

@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser

/// Decoding of image values.
struct PictureStateTests {
  /// A bitmap with one pixel of 24 bits.
  private static let image: [UInt8] =
    Array("BM".utf8) + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    + [1, 0, 24, 0, 0, 0, 0, 0, 4, 0, 0, 0] + Array(repeating: 0, count: 16) + [1, 2, 3, 0]

  /// Returns the number of decoding effects of the last action.
  private func decoded(_ bench: Bench) -> Int {
    bench.effects.count { ($0 as? DecodePicture)?.bytes == Self.image }
  }

  private func answer(_ bench: inout Bench) throws {
    let model = try #require(bench.state.value)
    try bench.answer(
      ReadEntry.self, .success(Entry(key: model.key, value: .data(Self.image))))
  }

  @Test func `An image is decoded once when it is shown`() throws {
    var bench = Bench.ready()
    bench.send(.command("down"))
    try answer(&bench)
    #expect(bench.state.value?.format == "image")
    #expect(decoded(bench) == 1)
    bench.command("next-pane")
    #expect(decoded(bench) == 0)
    try bench.answer(DecodePicture.self, PictureDecoder.decode(Self.image))
    #expect(decoded(bench) == 0)
    #expect(bench.state.value?.picture?.picture != nil)
  }

  @Test func `An image shown in another format is not decoded`() throws {
    var bench = Bench.ready(value: .data(Self.image))
    while bench.state.value?.format != "hex" { bench.command("format") }
    bench.send(.command("down"))
    try answer(&bench)
    #expect(bench.state.value?.format == "hex")
    #expect(decoded(bench) == 0)
    bench.command("format")
    while bench.state.value?.format != "image" {
      #expect(decoded(bench) == 0)
      bench.command("format")
    }
    #expect(decoded(bench) == 1)
  }

  @Test func `An image in a hidden pane is not decoded`() throws {
    var bench = Bench.ready()
    var viewport = bench.state.viewport
    viewport.valueWidth = 0
    bench.send(.viewportChanged(viewport))
    bench.send(.command("down"))
    try answer(&bench)
    #expect(decoded(bench) == 0)
    viewport.valueWidth = 40
    bench.send(.viewportChanged(viewport))
    #expect(decoded(bench) == 1)
  }

  @Test func `Selecting another entry cancels the decoding`() throws {
    var bench = Bench.ready()
    bench.send(.command("down"))
    try answer(&bench)
    bench.send(.command("down"))
    #expect(bench.ends(.inside))
  }
}
