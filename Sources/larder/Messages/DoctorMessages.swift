import Foundation
import Harmony
import LarderDocuments
import LarderModel
import LarderOperations
import LarderStores
import TerminalUI

// The findings of `larder doctor`, each with advice. Text and advice start in lower case and have no
// final full stop.

// MARK: Stores

extension Finding {
  static func recognized(_ open: OpenStore) -> Self {
    Self(.fine, "it is \(open.kind.name): \(open.evidence)")
  }

  static func notOpened(_ reason: StoreError) -> Self {
    if case .corrupt = reason {
      return Self(
        .failed, reason.message,
        advice: "restore a backup, or repair the file: text in a text editor, a database with "
          + "sqlite3 FILE .recover > saved.sql")
    }
    return Self(.failed, reason.message)
  }

  static func notExamined(_ reason: StoreError) -> Self { Self(.failed, reason.message) }

  static let view = Self(.fine, "it is a view, whose rows were not read")

  static func sidecar(_ kind: SidecarFile.Kind) -> Self {
    switch kind {
    case .orphan(let database):
      Self(
        .finding, "it belongs to the database \(database), which does not exist",
        advice: "put it beside its database, because it may hold the latest changes, or delete it")
    case .journal(let database):
      Self(
        .finding, "a program was killed while writing to \(database), or is writing now",
        advice: "keep it: the next program that opens the database rolls back the unfinished change"
      )
    case .backup(let name):
      Self(
        .finding, "Android was killed while writing \(name); this is the previous content",
        advice: "keep it: Android and larder read it instead of \(name)")
    case .temporary:
      Self(
        .finding, "a killed larder left it behind, or one is writing now",
        advice: "the next write to this folder removes it")
    case .lock(let name):
      Self(
        .finding, "it is the lock of \(name), which does not exist",
        advice: "it is empty; you can delete it while no program of that name runs")
    }
  }
}

// MARK: Databases

extension Finding {
  static func fault(_ text: String) -> Self {
    let advice =
      if ["CHECK constraint failed in", "NULL value in", "non-unique entry in"].contains(
        where: text.contains)
      {
        "the file is not damaged; correct the rows with the program that made it"
      } else if text.contains("missing from index") || text.contains("entries in index") {
        "run REINDEX in sqlite3 to rebuild the index from the rows"
      } else {
        recovery
      }
    return Self(.finding, "SQLite: \(text)", advice: advice)
  }

  /// Returns the finding for a table with foreign keys to rows that the other table lacks.
  static func missingRows(_ table: String, _ other: String, _ count: Int) -> Self {
    Self(
      .finding,
      "\(table) refers to \(Thousands.text(count)) \(count == 1 ? "row" : "rows") missing in \(other)",
      advice: "run PRAGMA foreign_key_check in sqlite3 to list the rows")
  }

  static func unchecked(_ tables: [String]) -> Self {
    Self(
      .fine,
      "SQLite cannot check \(tables.map { "“\($0)”" }.joined(separator: ", ")): only the program "
        + "that made the database knows the order of an index")
  }

  /// Returns the finding for a database, or for the part of it that can be checked.
  static func intact(isRest: Bool) -> Self {
    Self(
      .fine,
      "no damage found\(isRest ? " in the rest" : ""), and all foreign keys are valid")
  }

  static func notChecked(_ reason: String, isDamaged: Bool) -> Self {
    let text = "SQLite cannot check it: \(reason)"
    return isDamaged
      ? Self(.failed, text, advice: recovery)
      : Self(
        .finding, text,
        advice: "the file may be intact; check it with the program that made it")
  }

  private static let recovery =
    "restore a backup, or save what can be read to a new file: sqlite3 FILE .recover > saved.sql"
}

// MARK: Entries

extension Finding {
  /// Returns the finding for the entries of a location, which is quoted for a shell.
  static func listed(
    _ count: Int, expired: Int, by expiry: CollectionExpiry?, in location: String
  ) -> Self {
    var delete = "larder rm \(location) --expired"
    var outcome = expired == 0 ? "" : ", \(Thousands.text(expired)) of them expired"
    if let expiry, let doubt = expiry.deletionDoubt {
      delete += expiry.remedy.map { " \($0)" } ?? ""
      if expiry.zoneDoubt != nil { delete += " --expires-zone ZONE" }
      if expired > 0 { outcome += " by \(expiry.column); but \(doubt)" }
    }
    return Self(
      .fine, "\(OperationFailure.entries(count)) can be listed\(outcome)",
      advice: expired == 0 ? nil : "\(delete) deletes the expired entries")
  }

  static func unreadable(_ names: NameList) -> Self {
    Self(
      .finding, "\(OperationFailure.entries(names.count)) cannot be read: \(names)",
      advice: "restore what is damaged from a backup, or ask the owner for permission to read it")
  }

  static func notUTF8(_ names: NameList) -> Self {
    let verb = names.count == 1 ? "holds" : "hold"
    return Self(
      .finding,
      "\(OperationFailure.entries(names.count)) \(verb) text that is not UTF-8: \(names)",
      advice: "larder get --as hex shows the bytes; other programs may fail or misread them")
  }

  static func notTime(_ names: NameList, column: String) -> Self {
    let verb = names.count == 1 ? "has" : "have"
    return Self(
      .finding,
      "\(OperationFailure.entries(names.count)) \(verb) an expiry in \(column) that is not a time: "
        + "\(names)", advice: "set one with larder touch")
  }

  static func strangeExpiry(_ count: Int) -> Self {
    Self(
      .finding,
      "\(Thousands.text(count)) \(count == 1 ? "entry expires" : "entries expire") before 1990 or "
        + "after 2200",
      advice: "larder info shows the column and its unit; --expires-column and --expires-unit "
        + "override them")
  }
}

// MARK: Documents

extension Finding {
  static func deviation(_ found: JSONDeviations.Found) -> Self {
    func count(_ one: String, _ many: String) -> String {
      found.count == 1 ? one : "\(found.count) \(many)"
    }
    return switch found.kind {
    case .byteOrderMark:
      Self(
        .finding, "the file starts with a byte order mark, which JSON does not allow",
        advice: "if a program rejects the file, remove its first three bytes")
    case .comment:
      Self(
        .finding,
        "\(count("a comment", "comments")), which JSON does not allow, \(places(found))",
        advice: "keep them if the file's own program accepts them; other programs reject the file")
    case .comma:
      Self(
        .finding,
        "\(count("a trailing comma", "trailing commas")), which JSON does not allow, "
          + places(found),
        advice: "remove them in a text editor; most programs reject the file")
    case .nonFinite:
      Self(
        .finding,
        "\(count("a number", "numbers")) that JSON does not allow (NaN or Infinity) \(places(found))",
        advice: "replace the values with larder put; most programs reject the file")
    case .repeatedName:
      Self(.finding, names(found), advice: repeatedAdvice)
    }
  }

  /// Returns the places of a deviation, as a phrase.
  private static func places(_ found: JSONDeviations.Found) -> String {
    let places = found.places.map { "line \($0.line), column \($0.column)" }
    let others = found.count - places.count
    return "at " + places.joined(separator: "; ") + (others > 0 ? "; and \(others) more" : "")
  }

  private static func names(_ found: JSONDeviations.Found) -> String {
    let names = found.places.map { place in
      let name = Sanitizer.display(String(decoding: place.name, as: UTF8.self))
      return "the name “\(name)” occurs \(place.count) times, the last time at line "
        + "\(place.line), column \(place.column)"
    }
    let others = found.count - names.count
    return names.joined(separator: "; ") + (others > 0 ? "; and \(others) more names" : "")
      + "; programs see the last"
  }

  static func notOfAndroid(_ names: [String]) -> Self {
    let (what, verb) = names.count == 1 ? ("the element", "is") : ("the elements", "are")
    return Self(
      .finding,
      "\(what) of \(list(names)) \(verb) not valid in Android's preferences: Android would read "
        + "nothing from the file and then overwrite it",
      advice: "correct or remove \(what) in a text editor before you start the app")
  }

  static func repeated(_ names: [String]) -> Self {
    Self(
      .finding,
      "\(list(names)) \(names.count == 1 ? "occurs" : "occur") more than once; Android sees the last",
      advice: repeatedAdvice)
  }

  private static let repeatedAdvice =
    "larder ls lists each, the later ones as (name,null,1) and so on: delete the unwanted ones"

  private static func list(_ names: [String]) -> String {
    NameList(names.map { "“\(Sanitizer.display($0))”" }).description
  }
}

// MARK: The journal

extension Finding {
  static let journalOff = Self(
    .fine, "no changes are recorded, because of --no-journal or the settings")
  static let emptyJournal = Self(.fine, "no changes are recorded yet")

  static func untrustedJournal(_ refusal: TrustedPath.Refusal) -> Self {
    Self(
      .finding, "the journal is not used and no change is recorded: \(refusal)",
      advice: "until this is fixed, larder writes only with --no-journal")
  }

  static func noJournal(_ path: String, _ obstacle: String) -> Self {
    Self(
      .finding, "no change can be recorded in \(path): \(obstacle)",
      advice:
        "fix that, or set XDG_STATE_HOME to a folder of your own; until then, larder writes only "
        + "with --no-journal")
  }

  static func readableJournal(_ path: String) -> Self {
    Self(
      .finding, "other users can read \(path), which holds old values",
      advice: "run chmod 600 '\(path)'")
  }

  static func journalFault(_ text: String, _ path: String) -> Self {
    Self(.finding, "SQLite: \(text)", advice: newJournal(path))
  }

  /// Returns the finding for an interrupted change, which is given with its number and time.
  static func interrupted(_ change: String, _ number: Int64) -> Self {
    Self(
      .finding, "change \(change) was interrupted",
      advice: "larder undo \(number) reverts its completed part")
  }

  static func unreadableChange(_ number: Int64) -> Self {
    Self(
      .finding, "the key of change \(number) cannot be read",
      advice: "the change cannot be undone; the others can")
  }

  static func changes(_ count: Int, in path: String) -> Self {
    Self(
      .fine,
      "\(Thousands.text(count)) \(count == 1 ? "change is" : "changes are") recorded in \(path)")
  }

  static func busyJournal(_ path: String) -> Self {
    Self(
      .finding, "another larder is writing to \(path)",
      advice: "run larder doctor again when it has finished")
  }

  static func journalNotRead(_ reason: StoreError, _ path: String, isDamaged: Bool) -> Self {
    Self(.failed, reason.message, advice: isDamaged ? newJournal(path) : nil)
  }

  private static func newJournal(_ path: String) -> String {
    "move \(path) away: larder creates a new journal, and can no longer undo the old changes"
  }
}

extension Messages {
  static let danglingLink = "it is a link to a file that does not exist"
}

// MARK: The terminal

extension Finding {
  static func locale(_ name: String?, isUTF8: Bool) -> Self {
    isUTF8
      ? Self(.fine, "text is UTF-8")
      : Self(
        .finding, "the locale is \(name ?? "not set"), so text may not be UTF-8",
        advice: "set LC_ALL or LANG, for example to C.UTF-8")
  }

  static func terminal(
    _ name: String, _ size: Size?, _ depth: ColorDepth, isWithoutColor: Bool
  ) -> Self {
    let size = size.map { "of \($0.width) columns and \($0.height) rows " } ?? ""
    let colors =
      switch depth {
      case .monochrome: isWithoutColor ? "no colors, as NO_COLOR is set" : "no colors"
      case .ansi8: "8 colors"
      case .ansi16: "16 colors"
      case .indexed256: "256 colors"
      case .trueColor: "true color"
      }
    return Self(
      .fine, "\(name) \(size)with \(colors)",
      advice: depth == .indexed256
        ? "if the terminal supports true color, set COLORTERM=truecolor" : nil)
  }

  static func tooSmall(_ size: Size) -> Self {
    Self(
      .finding, "\(size.width) columns and \(size.height) rows are too few",
      advice: "the browser needs 40 columns and 10 rows")
  }

  static func mouse(isSupported: Bool) -> Self {
    Self(.fine, "mouse \(isSupported ? "" : "not ")supported")
  }

  /// Returns the finding for the clipboard, which a program or an escape sequence copies to.
  static func clipboard(_ program: String?, hasSequence: Bool) -> Self {
    let sequence = hasSequence ? "by OSC 52, where the terminal allows it" : nil
    let ways = [program.map { "by \($0)" }, sequence].compactMap(\.self)
    return ways.isEmpty
      ? Self(
        .finding, "copying to the clipboard is not possible",
        advice: "install wl-copy, xclip or xsel, or use a terminal that supports OSC 52")
      : Self(.fine, "copying to the clipboard works \(ways.joined(separator: ", and "))")
  }

  /// Returns the finding for synchronized output; nil stands for a terminal that does not answer.
  static func frames(isSupported: Bool?) -> Self {
    switch isSupported {
    case true?: Self(.fine, "synchronized output (mode 2026)")
    case false?: Self(.fine, "no synchronized output (mode 2026)")
    case nil: Self(.fine, "the terminal does not answer queries")
    }
  }

  static func noTerminal(_ reason: any Error) -> Self { Self(.finding, "\(reason)") }
}

// MARK: The editor and the settings

extension Finding {
  static func scratchInUse(_ folder: String) -> Self {
    Self(
      .fine,
      "\(folder) holds a value that a running larder or its editor is using")
  }

  static func leftScratch(_ folder: String) -> Self {
    Self(
      .finding, "\(folder) holds a value that a killed larder left behind",
      advice: "open the store again and press Ctrl-E to restore the text, or run rm -r "
        + Messages.shellQuoted(folder))
  }

  static func setting(_ problem: String) -> Self { Self(.finding, problem) }

  static let validSettings = Self(.fine, "no problems")
}

extension Messages {
  /// Returns a word in quotes for a shell.
  static func shellQuoted(_ word: String) -> String {
    "'\(word.replacing("'", with: #"'\''"#))'"
  }
}
