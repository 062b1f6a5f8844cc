import Foundation
import Harmony
import LarderModel
import LarderOperations
import LarderJournal
import LarderStores
import TerminalUI

/// Formats the changes in the journal.
enum ChangeText {
  /// Returns the line of a change in `larder log`.
  static func line(_ record: JournalRecord) -> String {
    let time = Timestamp.text(
      of: Date(timeIntervalSince1970: record.time.timeIntervalSince1970.rounded(.down)))
    let state =
      switch record.state {
      case .settled:
        record.isPartlyUndone ? "  (partly undone)" : record.step.isUndone ? "  (undone)" : ""
      case .running: "  (running)"
      case .interrupted: "  (interrupted)"
      }
    return "\(record.step.number)  \(time)  \(what(record))\(state)"
  }

  /// Returns the number of a change with its action, entries and store, as a clause.
  static func numbered(_ record: JournalRecord) -> String {
    Messages.change(record.step.number, what(record))
  }

  /// Returns the action, entries and store of a change, as a clause.
  static func what(_ record: JournalRecord) -> String {
    let step = record.step
    let others = NameList.others(step.count - 1)
    // The style of the store is not known here; the typed one is never ambiguous.
    let key = record.isReadable ? step.key.notation(.typed) : Messages.unreadableKey
    let newKey = step.newKey.map { " to \($0.notation(.typed))" } ?? ""
    // The creator of the table has chosen the column names, so they are sanitized.
    let columns = Sanitizer.display(step.columnText())
    return
      "\(step.action.rawValue) \(columns)\(key)\(newKey)\(others) in \(PathName(record.location.description))"
  }

  /// Returns the JSON line of a change in `larder log`, or of a replay with its warnings or
  /// conflicts.
  static func json(
    _ record: JournalRecord, warnings: [String] = [], conflicts: [UndoConflict] = []
  ) -> String {
    let step = record.step
    var fields = [
      "\"step\":\(step.number)", "\"time\":\"\(Timestamp.text(of: record.time))\"",
      "\"action\":\"\(step.action.rawValue)\"",
      "\"location\":\(JSONText.quote(record.location.path))",
    ]
    if let collection = record.location.collection {
      fields.append("\"collection\":\(JSONText.quote(collection))")
    }
    fields.append("\"key\":\(EntryJSON.key(step.key, .typed))")
    if !record.isReadable { fields.append("\"unreadable\":true") }
    if let newKey = step.newKey { fields.append("\"newKey\":\(EntryJSON.key(newKey, .typed))") }
    if !step.columns.isEmpty {
      fields.append("\"columns\":[\(step.columns.map(JSONText.quote).joined(separator: ","))]")
    }
    if let member = step.member { fields.append("\"member\":\(JSONText.quote(member))") }
    fields += [
      "\"count\":\(step.count)",
      "\"undone\":\(step.isUndone)",
    ]
    if record.isPartlyUndone { fields.append("\"partlyUndone\":true") }
    if !conflicts.isEmpty {
      fields.append("\"conflicts\":[\(conflicts.map(\.json).joined(separator: ","))]")
    }
    return "{" + (fields + EntryJSON.warnings(warnings)).joined(separator: ",") + "}"
  }
}
