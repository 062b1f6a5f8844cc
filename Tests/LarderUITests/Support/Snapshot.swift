import Foundation
import LarderUI
import TerminalUI
import Testing

/// Screens stored as text files beside the tests.
enum Snapshot {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Snapshots")

  /// Compares a screen with its snapshot.
  ///
  /// A missing snapshot is written and the test fails; `RECORD_SNAPSHOTS=1` does so for all of
  /// them.
  static func expect(
    _ screen: Screen, in theme: Theme, is name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      screen.snapshot { label(of: $0, in: theme) }, is: name, sourceLocation: sourceLocation)
  }

  /// Compares a description of screens with its snapshot.
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appendingPathComponent(name + ".txt")
    let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
    guard !isRecording, let data = try? Data(contentsOf: file) else {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("\(name) was written; look at it", sourceLocation: sourceLocation)
      return
    }
    let kept = String(decoding: data, as: UTF8.self)
    let isSame = text.utf8.elementsEqual(kept.utf8)
    #expect(
      isSame, "\(name) was\n\(kept)\nand is\n\(text)", sourceLocation: sourceLocation)
  }

  /// Returns the role of a style in a theme, or `nil` for plain text.
  private static func label(of style: Style, in theme: Theme) -> String? {
    if style == theme[.text] { return nil }
    if let role = theme.roles(of: style).first { return role.rawValue }
    let role = ThemeRole.allCases.first {
      theme[$0].foreground == style.foreground && theme[$0].attributes == style.attributes
    }
    let ground = ThemeRole.allCases.first { theme[$0].background == style.background }
    guard let role else { return style.description }
    return "\(role.rawValue) on \(ground?.rawValue ?? "?")"
  }
}

extension Robot {
  /// Expects the screen to match a snapshot.
  @discardableResult
  func expect(
    snapshot name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Robot {
    try Snapshot.expect(screen, in: program.theme, is: name, sourceLocation: sourceLocation)
    return self
  }
}
