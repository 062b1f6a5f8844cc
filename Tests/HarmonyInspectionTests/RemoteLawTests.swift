import Foundation
import Harmony
import HarmonyInspection
import HarmonyTesting
import Testing

/// A live source of another process, checked against the laws of the original source.
@Suite struct RemoteLawTests {
  private struct Session: Codable, Sendable {
    var user: String
    var number: Double
  }

  private func check(
    _ name: String, _ samples: [InspectedValue], listsKeys: Bool = true,
    _ expose: @escaping @Sendable (Inspector) -> Void
  ) async {
    let violations = await DataSourceLaws.check(
      DataSourceFixture(name, samples: samples, listsKeys: listsKeys) {
        AnyDataSource(try RemoteFixture(expose))
      }, seed: 11, sequences: 4, length: 60, writers: 200)
    #expect(violations.isEmpty)
  }

  @Test func `texts`() async {
    await check("texts", [.text("a"), .text(""), .text("e\u{301}\0\u{1F600}\n"), .text("\"\\")]) {
      $0.expose(InMemoryDataSource<String>(), as: "it", isWritable: true)
    }
  }

  @Test func `data`() async {
    await check("data", [.data(Data([0, 255, 10])), .data(Data()), .data(Data("x".utf8))]) {
      $0.expose(InMemoryDataSource<Data>(), as: "it", isWritable: true)
    }
  }

  @Test func `values of any type`() async {
    let samples = [
      #"{"number":1.5,"user":"ann"}"#, #"{"number":0,"user":""}"#,
      #"{"number":-2e+200,"user":"é"}"#,
    ]
    await check("sessions", samples.map { .json($0) }) {
      $0.expose(InMemoryDataSource<Session>(), as: "it", isWritable: true)
    }
  }

  @Test func `numbers through a cache`() async {
    await check("cache", [.json("1"), .json("2"), .json("-3")], listsKeys: false) {
      $0.expose(TimedCacheDataSource(InMemoryDataSource<Int>()), as: "it", isWritable: true)
    }
  }
}
