import Foundation
import Harmony
import Testing

// The examples of the page "DeviceStorageDataSource", unchanged. They use the defaults of the
// process, so they run serially and remove the values they store.
@Suite(.serialized) struct DeviceStoragePageTests {
  // swift-format-ignore
  @Test func `Usage`() async throws {
    let statements = Example.run {
      let dataSource = DeviceStorageDataSource<Double>()

      dataSource.put(3.14159265359, forId: "pi")
      dataSource.get("pi").then { pi in print("pi: \(pi)") }.fail { error in }
      dataSource.delete("pi")
    }
    let pi = statements[1] as? Future<Double>
    #expect(try await pi?.get() == 3.14159265359)
    await #expect(throws: CoreError.NotFound.self) {
      try await DeviceStorageDataSource<Double>().get("pi").get()
    }
  }

  // swift-format-ignore
  @Test func `Implementation notes`() async throws {
    // Swift
    let doubleDataSource = DeviceStorageDataSource<Double>(UserDefaults.standard, prefix: "Double")
    let intDataSource = DeviceStorageDataSource<Int>(UserDefaults.standard, prefix: "Int")
    doubleDataSource.put(3.14159265359, forId: "pi")
    intDataSource.put(3, forId: "pi")

    #expect(UserDefaults.standard.double(forKey: "Double.pi") == 3.14159265359)
    #expect(UserDefaults.standard.integer(forKey: "Int.pi") == 3)

    let statements = Example.run {
      // Swift
      let dataSource = DeviceStorageDataSource<String>(UserDefaults.standard, prefix: "Double")
      dataSource.get("pi").then { pi in
          print("Pi: \(pi)")
      }.fail { error in
          print("Error: \(error)")
      }
    }
    let pi = statements.first as? Future<String>
    #expect(try await pi?.get() == "3.14159265359")
    try await doubleDataSource.delete("pi").get()
    try await intDataSource.delete("pi").get()
  }
}
