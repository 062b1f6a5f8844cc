import Harmony
import HarmonyTesting
import Testing

/// The example in the documentation of ``ObjectMother``.
@Suite struct MotherExamples {
  private struct Person: Sendable, Equatable {
    let name: String
    let age: Int
  }

  @Test func `Sample objects are in a source`() async throws {
    let people = ObjectMother { Person(name: "Person \($0)", age: 20 + $0) }
    let source = people.source(5)
    #expect(try await source.get(3).get() == people.one(3))
  }
}
