import Foundation
import HarmonySQLite

/// A new folder, removed with the test.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/larder-ui-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Creates a database with a script, or changes it as another process would.
  @discardableResult
  func database(_ script: String, name: String = "app.db") async throws -> String {
    let connection = SQLiteConnection(path: path + "/" + name, access: .creating)
    try await connection.perform { try $0.execute(script) }
    connection.close()
    return path + "/" + name
  }

  /// Returns the first column of the first row of a query, read as another process would.
  func text(_ sql: String, name: String = "app.db") async throws -> String? {
    let connection = SQLiteConnection(path: path + "/" + name, access: .reading)
    defer { connection.close() }
    let rows = try await connection.perform { try $0.rows(sql) }
    return rows.first?.first.map { value in
      if case .text(let text) = value { text } else { "\(value)" }
    }
  }
}
