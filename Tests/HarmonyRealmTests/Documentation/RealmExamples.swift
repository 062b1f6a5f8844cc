import Foundation
import Harmony
import HarmonyRealm
import Testing

struct Owner: RealmObjectDescription {
  static let className = "Owner"
  let id: Int
  let name: String

  init(_ object: RealmObject) throws {
    id = try object.value("id")
    name = try object.value("name")
  }
}

struct FirstQuery: RealmQuery {
  let realmPredicate = RealmPredicate.compare("id", .less, .int(5))
}

/// The examples in the documentation, run on a file written by Realm.
@Suite struct RealmExamples {
  /// Opens the same fixture for all examples.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private func RealmFile(path: String) -> HarmonyRealm.RealmFile {
    HarmonyRealm.RealmFile(path: Fixture("r3").path)
  }

  private func owners(_ path: String) async throws -> (Owner, [Owner]) {
    let source = RealmDataSource<Owner, Owner>(
      realmHandler: RealmHandler(RealmFile(path: path)), toEntityMapper: IdentityMapper())
    let owner = try await source.get(IdQuery(1)).get()
    let some = try await source.getAll(FirstQuery()).get()
    return (owner, some)
  }

  private func names() throws -> [RealmValue?] {
    let file = RealmFile(path: "default.realm")
    let names = try file.read { try $0.objects(of: "Owner").map { $0["name"] } }
    return names
  }

  private func walk(_ reading: RealmReading) throws -> Int {
    var count = 0
    let owner = try reading.requireClass("Owner")
    try reading.forEach(of: owner, after: nil) { object in
      if object["name"] != nil { count += 1 }
      return true
    }
    return count
  }

  @Test func `Reading objects`() async throws {
    let (owner, some) = try await owners("default.realm")
    #expect(owner.name == "Owner 1")
    #expect(some.map(\.id) == [0, 1, 2, 3, 4])
    #expect(try names().count == 10)
    #expect(try names().first == .string("Owner 0"))
    #expect(try RealmFile(path: "").read(walk) == 10)
  }
}
