import Foundation

@testable import Harmony

/// The files of a suite of defaults, for tests that damage them.
struct DefaultsFiles {
  let suite = StorePlaces.suite()

  var defaults: UserDefaults { StorePlaces.defaults(suite) }
  var list: String { StorePlaces.list(suite) }
  var copy: String { StorePlaces.copy(suite) }
  var journal: String { StorePlaces.journal(suite) }
  var damagedList: String { StorePlaces.damagedList(suite) }

  /// Makes the directory that all suites share.
  init() throws {
    try Files.createDirectory((StorePlaces.list(suite) as NSString).deletingLastPathComponent)
  }

  /// The state of the suite as a process has it that has just begun.
  func state(pause: @escaping () -> Void = {}) throws -> DefaultsState {
    let defaults = defaults
    return DefaultsState(
      try DefaultsSuite(defaults), DefaultsHandle(defaults: defaults), pause: pause)
  }

  func propertyList(pause: @escaping () -> Void = {}) throws -> DefaultsList {
    DefaultsList(try DefaultsSuite(defaults), pause: pause)
  }

  /// A property list with one text.
  static func xml(_ key: String, _ value: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>"
      + "<key>\(key)</key><string>\(value)</string></dict></plist>\n"
  }

  func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// What the property list holds; nil if it is none.
  var values: [String: Any]? {
    let bytes = FileManager.default.contents(atPath: list)
    let list = bytes.flatMap {
      try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil)
    }
    return list as? [String: Any]
  }

  /// The names of all files of the suite.
  var names: Set<String> {
    let directory = (list as NSString).deletingLastPathComponent
    let names = (try? Files.names(in: directory)) ?? []
    return Set(names.filter { $0.hasPrefix(suite) }.map { String($0.dropFirst(suite.count)) })
  }

  /// Removes a damaged list: `UserDefaults` reads those of all suites, and tries for half a second.
  func clear() {
    try? FileManager.default.removeItem(atPath: list)
  }

  /// Makes the journal say that a process has begun to save and not come to the end.
  func interrupt() throws {
    if FileStamp(path: journal) == nil { try write("harmony1", to: journal) }
    let file = try OpenFile(journal, O_WRONLY | O_APPEND)
    try file.write(DefaultsRecord.saving.bytes)
  }

  /// Says that a file was changed at another time.
  func setTime(_ date: Date, of path: String) throws {
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }
}

extension DefaultsState {
  /// What a key holds.
  func text(_ key: String) throws -> String? {
    try entry(at: DefaultsAddress(key: key))?.single()
  }

  func put(_ text: String?, _ key: String, root: String? = nil) throws {
    let value = text.map { DefaultsValue.string($0) }
    try write([(DefaultsAddress(root: root, key: key), DefaultsEntry(value: value, isList: false))])
  }
}
