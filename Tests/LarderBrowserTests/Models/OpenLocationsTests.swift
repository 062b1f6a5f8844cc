import Testing

@testable import LarderModel
@testable import LarderBrowser

/// The list of open locations, when a location is opened that may be open already.
@Suite struct OpenLocationsTests {
  private func summary(of kind: String) -> LocationSummary {
    var store = OpenStore(
      kind: StoreKind(name: kind, recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "settings"), evidence: ""
    ) { _ in throw StoreError.cannotOpen("nothing is opened here") }
    store.resolvedPath = "/settings"
    return LocationSummary(store)
  }

  @Test func `An open location is not listed twice`() {
    var stores = StoresModel()
    let first = stores.add("settings")
    stores.receive(first, .success(summary(of: "json")))
    let second = stores.addAnother("./settings")
    #expect(stores.merge(second, summary(of: "json"), height: 5) == first)
    #expect(stores.items.map(\.id) == [first])
  }

  @Test func `A file that has become another kind of store is listed again`() {
    var stores = StoresModel()
    let first = stores.add("settings")
    stores.receive(first, .success(summary(of: "json")))
    let second = stores.addAnother("settings")
    #expect(stores.merge(second, summary(of: "sqlite"), height: 5) == nil)
    stores.receive(second, .success(summary(of: "sqlite")))
    #expect(stores.rows.map(\.note) == ["json", "sqlite"])
  }
}
