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
    if lstat(journal.path, &status) == 0 { return Messages.danglingLink }
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
      report.add(subject, .journalOff)
      return
    }
    do {
      try TrustedPath.check(file: journal.path)
    } catch {
      report.add(subject, .untrustedJournal(error))
      return
    }
    var status = stat()
    guard stat(journal.path, &status) == 0 else {
      if let obstacle = obstacle(to: journal, errno) {
        report.add(subject, .noJournal(journal.path, obstacle))
      } else {
        report.add(subject, .emptyJournal)
      }
      return
    }
    if status.st_mode & 0o077 != 0 { report.add(subject, .readableJournal(journal.path)) }
    do {
      let database = SQLiteDatabase(path: journal.path)
      let faults = try await database.perform(.scan) { session in
        try session.rows("PRAGMA quick_check(5)").compactMap { row in
          if case .text(let text)? = row.first, text != "ok" { text } else { nil }
        }
      }
      for fault in faults { report.add(subject, .journalFault(fault, journal.path)) }
      let records = try await journal.steps()
      for record in records where record.state == .interrupted {
        report.add(subject, .interrupted(ChangeText.line(record), record.step.number))
      }
      for record in records where !record.isReadable {
        report.add(subject, .unreadableChange(record.step.number))
      }
      report.add(subject, .changes(records.count, in: journal.path))
    } catch  where Self.isBusy(error) {
      report.add(subject, .busyJournal(journal.path))
    } catch {
      report.add(
        subject,
        .journalNotRead(StoreError(error), journal.path, isDamaged: error.provesDamage))
    }
  }

  private static func isBusy(_ error: any Error) -> Bool {
    if case .busy = StoreError(error) { return true }
    let code = (error as? SQLiteError)?.code.primary
    return code == .busy || code == .locked
  }
}
