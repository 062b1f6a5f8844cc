import Foundation
import Harmony
import Testing

/// Values that defaults cannot hold, and values that a source must not destroy.
@Suite struct DeviceStorageRefusalTests {
  private let suite = StorePlaces.suite()
  private var defaults: UserDefaults { StorePlaces.defaults(suite) }

  /// Checks that a value is refused with a helpful error and that nothing else is lost.
  private func refuse<T: Sendable>(_ value: T, _ words: String...) async throws {
    defaults.set("x", forKey: "other")
    let source = DeviceStorageDataSource<T>(defaults)
    let error = await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.put(value, forId: "the key").get()
    }
    for word in words + ["\"the key\""] {
      #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.putAll([value], forId: "the key").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.putAll([value], in: IdsQuery(["the key"])).get()
    }
    defaults.synchronize()
    #expect(defaults.object(forKey: "the key") == nil)
    #expect(defaults.string(forKey: "other") == "x")
    let text = try String(contentsOfFile: StorePlaces.list(suite), encoding: .utf8)
    #expect(text.contains("<key>other</key>"))
  }

  // MARK: Dates

  @Test(
    arguments: [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -63_145_526_401, 252_423_993_600,
    ] as [Double])
  func `A date that property lists cannot represent is refused`(seconds: Double) async throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    try await refuse(date, "date", "years 0 to 9999")
    try await refuse([Date(), date], "date")
    try await refuse(["a": [date]], "date")
    try await refuse(["a": ["b": date] as [String: any Sendable]] as [String: any Sendable], "date")
  }

  @Test func `The first and the last date that property lists can represent survive a round trip`()
    async throws
  {
    for seconds in [-63_145_526_400, 252_423_993_599.5] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let source = DeviceStorageDataSource<Date>(defaults)
      try await source.put(date, forId: "d").get()
      try await DeviceStorageDataSource<Int>(defaults).put(1, forId: "a").get()
      defaults.synchronize()
      #expect(try await source.get("d").get() == date)
      #expect(defaults.object(forKey: "d") as? Date != nil)
    }
  }

  // MARK: Types

  @Test func `A type that could not be read again is refused, with a list of supported types`()
    async throws
  {
    let types = "String, URL, Date, Data"
    try await refuse(Decimal(1.5), "Decimal", types)
    try await refuse([Decimal(1)], "Decimal", types)
    try await refuse(["a": [Decimal(1)]] as [String: any Sendable], "Decimal", types)
    try await refuse(["a": UUID()] as [String: any Sendable], "UUID", types)
    try await refuse([1, Character("c")] as [any Sendable], "Character", types)
    try await refuse([UInt8(1)] as [UInt8?], types)
    try await refuse(Int?.none, "Optional<Int>", types)
  }

  @Test func `A dictionary whose keys are not strings is refused`() async throws {
    try await refuse([1: "a"], "Int", "String")
    try await refuse([UUID(): 1], "UUID", "String")
    try await refuse([Substring("a"): 1], "Substring", "String")
    try await refuse(["a": [true: 1]] as [String: any Sendable], "Bool", "String")
  }

  // MARK: Root keys

  @Test func `Values of other programs under a root key are not destroyed`() async throws {
    for (kind, value) in [("a string", "x"), ("a list", [1]), ("a number", 5)] as [(String, Any)] {
      defaults.set(value, forKey: "r<Int>")
      defaults.synchronize()
      let source = DeviceStorageDataSource<Int>(defaults, storageType: .rootKey("r"))
      let error = await #expect(throws: CoreError.Failed.self) {
        try await source.put(1, forId: "a").get()
      }
      #expect(error?.description.contains("\(kind) under the key \"r<Int>\"") == true)
      await #expect(throws: CoreError.Failed.self) {
        try await source.putAll([1], in: IdsQuery(["a"])).get()
      }
      await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
      #expect(try await source.getKeys(AllObjectsQuery()).get() == [])
      try await source.delete("a").get()
      try await source.delete(AllObjectsQuery()).get()
      defaults.synchronize()
      #expect(defaults.object(forKey: "r<Int>") != nil)
    }
    defaults.removeObject(forKey: "r<Int>")
    let source = DeviceStorageDataSource<Int>(defaults, storageType: .rootKey("r"))
    try await source.put(1, forId: "a").get()
    #expect(defaults.dictionary(forKey: "r<Int>")?["a"] as? Int == 1)
  }

  // MARK: Conversions

  @Test(arguments: [true, false])
  func `A Boolean can be read as a string and vice versa`(value: Bool) async throws {
    let truths = DeviceStorageDataSource<Bool>(defaults)
    let texts = DeviceStorageDataSource<String>(defaults)
    try await truths.put(value, forId: "own").get()
    defaults.set(value, forKey: "foreign")
    for _ in 0..<2 {
      for key in ["own", "foreign"] {
        #expect(try await truths.get(key).get() == value)
        // Like `UserDefaults` and Harmony 1.0.
        #expect(try await texts.get(key).get() == (value ? "1" : "0"))
        #expect(try await texts.get(key).get() == defaults.string(forKey: key))
      }
      defaults.synchronize()
    }
    for text in value ? ["1", "true", "YES"] : ["0", "false", "NO"] {
      try await texts.put(text, forId: "text").get()
      #expect(try await truths.get("text").get() == value)
      #expect(try await texts.get("text").get() == text)
    }
    for text in ["", "2", "yes please", " 1"] {
      try await texts.put(text, forId: "text").get()
      await #expect(throws: CoreError.NotFound.self) { try await truths.get("text").get() }
    }
  }
}
