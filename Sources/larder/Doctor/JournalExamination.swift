import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores

/// Examines the journal.
struct JournalExamination {
  private let journal: Journal?

  init(_ arguments: Arguments) {
    journal = arguments.journal
  }

  /// Returns the reason why a missing journal cannot be created; nil if it can.
  private func obstacle(to journal: Journal, _ number: Int32) -> String? {
    guard number == ENOENT else { return String(cString: strerror(number)) }
    var status = stat()
    if lstat(journal.path, &status) == 0 { return "it is a link to a file that does not exist" }
    var folder = URL(filePath: journal.path).deletingLastPathComponent()
    while stat(folder.path, &status) != 0, folder.path != "/" {
      guard errno == ENOENT else { break }
      folder.deleteLastPathComponent()
    }
    guard access(folder.path, W_OK | X_OK) != 0 else { return nil }
    return "\(folder.path): \(String(cString: strerror(errno)))"
  }

  func run(_ report: inout DoctorReport) async {
    let subject = "journal"
    guard let journal else {
      report.add(
        .fine, subject, "no changes are recorded, because of --no-journal or the settings")
      return
    }
    do {
      try TrustedPath.check(file: journal.path)
    } catch {
      report.add(
        .finding, subject, "the journal is not used, and no change is recorded: \(error)",
        advice: "until this is fixed, larder writes only with --no-journal")
      return
    }
    var status = stat()
    guard stat(journal.path, &status) == 0 else {
      if let obstacle = obstacle(to: journal, errno) {
        report.add(
          .finding, subject, "no change can be recorded in \(journal.path): \(obstacle)",
          advice: "fix that, or set XDG_STATE_HOME to a folder of yours; until then, larder "
            + "writes only with --no-journal")
      } else {
        report.add(.fine, subject, "no changes are recorded yet")
      }
      return
    }
    if status.st_mode & 0o077 != 0 {
      report.add(
        .finding, subject, "others may read \(journal.path), which holds old values",
        advice: "chmod 600 '\(journal.path)'")
    }
    do {
      let database = SQLiteDatabase(path: journal.path)
      let faults = try await database.perform(.scan) { session in
        try session.rows("PRAGMA quick_check(5)").compactMap { row in
          if case .text(let text)? = row.first, text != "ok" { text } else { nil }
        }
      }
      for fault in faults {
        report.add(
          .finding, subject, "SQLite: \(fault)",
          advice: Self.advice(journal))
      }
      let records = try await journal.steps()
      for record in records where record.state == .interrupted {
        report.add(
          .finding, subject, "change \(ChangeText.line(record)) was interrupted",
          advice: "larder undo \(record.step.number) undoes what was done of it")
      }
      for record in records where !record.isReadable {
        report.add(
          .finding, subject, "the key of change \(record.step.number) cannot be read",
          advice: "the change cannot be undone; the others can")
      }
      let count = records.count
      report.add(
        .fine, subject,
        "\(count) \(count == 1 ? "change is" : "changes are") recorded in \(journal.path)")
    } catch  where Self.isBusy(error) {
      report.add(
        .finding, subject, "another larder is writing to \(journal.path)",
        advice: "run larder doctor again when it has ended")
    } catch {
      report.add(
        .failed, subject, StoreError(error).message,
        advice: error.provesDamage ? Self.advice(journal) : nil)
    }
  }

  private static func isBusy(_ error: any Error) -> Bool {
    if case .busy = StoreError(error) { return true }
    let code = (error as? SQLiteError)?.code.primary
    return code == .busy || code == .locked
  }

  /// Returns advice for a damaged journal.
  private static func advice(_ journal: Journal) -> String {
    "move \(journal.path) away: what it could undo is lost, and a new one is created"
  }
}
