import Testing

@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser

/// When the image that a value is gets decoded.
struct PictureStateTests {
  /// One pixel, as a bitmap of 24 bits.
  private static let image: [UInt8] =
    Array("BM".utf8) + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    + [1, 0, 24, 0, 0, 0, 0, 0, 4, 0, 0, 0] + Array(repeating: 0, count: 16) + [1, 2, 3, 0]

  private static func decoded(_ effects: [BrowserEffect]) -> Int {
    effects.count { if case .decodePicture(image, _) = $0 { true } else { false } }
  }

  private func answer(_ bench: inout Bench) throws {
    let model = try #require(bench.state.value)
    bench.send(
      .entryRead(
        token: model.token, .success(Entry(key: model.key, value: .data(Self.image)))))
  }

  @Test func `An image is decoded once, when it is shown`() throws {
    var bench = Bench.ready()
    bench.send(.command("down"))
    try answer(&bench)
    #expect(bench.state.value?.format == "image")
    #expect(Self.decoded(bench.effects) == 1)
    bench.command("next-pane")
    #expect(Self.decoded(bench.effects) == 0)
    let token = try #require(bench.state.value?.token)
    bench.send(.pictureDecoded(token: token, PictureDecoder.decode(Self.image)))
    #expect(Self.decoded(bench.effects) == 0)
    #expect(bench.state.value?.picture?.picture != nil)
  }

  @Test func `An image in another format is not decoded before it is looked at`() throws {
    var bench = Bench.ready(value: .data(Self.image))
    while bench.state.value?.format != "hex" { bench.command("format") }
    bench.send(.command("down"))
    try answer(&bench)
    #expect(bench.state.value?.format == "hex")
    #expect(Self.decoded(bench.effects) == 0)
    bench.command("format")
    while bench.state.value?.format != "image" {
      #expect(Self.decoded(bench.effects) == 0)
      bench.command("format")
    }
    #expect(Self.decoded(bench.effects) == 1)
  }

  @Test func `An image whose pane is hidden is not decoded before it is shown`() throws {
    var bench = Bench.ready()
    var viewport = bench.state.viewport
    viewport.valueWidth = 0
    bench.send(.viewportChanged(viewport))
    bench.send(.command("down"))
    try answer(&bench)
    #expect(Self.decoded(bench.effects) == 0)
    viewport.valueWidth = 40
    bench.send(.viewportChanged(viewport))
    #expect(Self.decoded(bench.effects) == 1)
  }

  @Test func `Who goes on to another entry ends the decoding`() throws {
    var bench = Bench.ready()
    bench.send(.command("down"))
    try answer(&bench)
    bench.send(.command("down"))
    #expect(bench.effects.contains(.cancel(.inside)))
  }
}
