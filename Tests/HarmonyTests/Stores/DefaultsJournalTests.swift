import Foundation
import Testing

@testable import Harmony

/// Journals of defaults that others have written, removed or begun anew.
@Suite struct DefaultsJournalTests {
  private let files: DefaultsFiles

  init() throws {
    files = try DefaultsFiles()
  }

  private func write(_ records: [DefaultsRecord]) throws {
    try Data(Array("harmony1".utf8) + records.flatMap(\.bytes))
      .write(to: URL(fileURLWithPath: files.journal))
  }

  private func change(_ key: String, _ text: String, _ sequence: UInt64) -> DefaultsRecord {
    let entry = DefaultsEntry(value: .string(text), isList: false, sequence: sequence)
    return .changes([(DefaultsAddress(key: key), entry)])
  }

  @Test(arguments: [.max, .max - 1, .max / 2 + 1] as [UInt64])
  func `A change whose number is too great never happened, and others can follow`(
    sequence: UInt64
  ) throws {
    try write([change("x", "1", sequence)])
    let state = try files.state()
    #expect(try state.text("x") == nil)
    for key in ["y", "z"] {
      try state.put(key, key)
      #expect(try files.state().text(key) == key)
    }
  }

  @Test func `After the greatest number small ones begin anew`() throws {
    let greatest = DefaultsRecord.greatestSequence
    try write([change("x", "1", greatest - 1), .saved(greatest - 1), change("y", "2", greatest)])
    let state = try files.state()
    let other = try files.state()
    #expect(try other.text("y") == "2")
    for key in ["a", "b", "c"] { try state.put(key, key) }
    #expect(state.table.last < 10)
    for key in ["a", "b", "c"] {
      #expect(try files.state().text(key) == key)
      #expect(try other.text(key) == key)
    }
    #expect(try other.text("y") == "2")
    #expect(files.values?["y"] as? String == "2")
  }

  @Test func `A journal that was begun anew is believed`() throws {
    let state = try files.state()
    for index in 0..<30 { try state.put("\(index)", "a") }
    #expect(try state.text("a") == "29")
    // Of another process, which was killed before it saved.
    unlink(files.journal)
    let entries = [("k", "42"), ("a", "99")].map { key, text in
      (DefaultsAddress(key: key), DefaultsEntry(value: .string(text), isList: false, sequence: 1))
    }
    try write([.changes(entries)])
    #expect(try state.text("k") == "42")
    #expect(try state.text("a") == "99")
    try state.put("1", "b")
    #expect(files.values as? [String: String] == ["a": "99", "b": "1", "k": "42"])
  }

  @Test func `The second damage of a journal takes nothing from the first`() throws {
    var kept: [Data] = []
    for round in 0..<2 {
      for key in ["a", "b", "c"] { try files.state().put("\(key)\(round)", key) }
      var bytes = try #require(FileManager.default.contents(atPath: files.journal))
      // The highest byte of the length of the first record.
      bytes[11] = 127
      try bytes.write(to: URL(fileURLWithPath: files.journal))
      kept.append(bytes)
      try files.state().put("\(round)", "d")
    }
    let damaged = files.journal + "-damaged"
    #expect(FileManager.default.contents(atPath: damaged) == kept[0])
    #expect(FileManager.default.contents(atPath: damaged + "-2") == kept[1])
  }

  @Test func `A date of a journal that no property list can tell never happened`() throws {
    let entry = DefaultsEntry(value: .date(.infinity), isList: false, sequence: 1)
    try write([.changes([(DefaultsAddress(key: "d"), entry)]), change("x", "1", 2)])
    files.defaults.set("x", forKey: "other")
    let state = try files.state()
    try state.put("y", "y")
    #expect(try state.entry(at: DefaultsAddress(key: "d")) == nil)
    #expect(files.values as? [String: String] == ["other": "x", "x": "1", "y": "y"])
  }
}
