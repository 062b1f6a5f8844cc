import Foundation
import Harmony
import LarderModel
import LarderStoreBase

// The sentences about opening stores, and about kinds with few of their own. Each starts in lower
// case and has no final full stop.

// MARK: Opening

extension StoreError {
  static func severalStores(
    in path: String, _ names: [String], unreadable: [String]
  ) -> Self {
    .cannotOpen(
      "\(path) has several stores; add #NAME for one of \(names.listed()), or #. for its files"
        + Messages.unreadable(unreadable))
  }

  /// Returns the error for a location of no known kind, with what its bytes look like.
  static func unknownKind(_ path: String, _ look: String? = nil, of kinds: [String] = []) -> Self {
    .cannotOpen(
      "larder does not recognize \(path)"
        + (look.map { ": \($0); it knows \(kinds.joined(separator: ", "))" } ?? ""))
  }
}

enum Messages {
  static let tableOrView = "table or view"
  static let tablesOrViews = "tables or views"
  static let propertyList = "a property list"
  static let textOfNoKind =
    "it is text, but neither JSON nor a property list nor Android preferences"

  static func bytesOfNoKind(_ bytes: some Sequence<UInt8>) -> String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "it starts with the bytes \(digits.joined(separator: " ")), as encrypted databases and "
      + "other binary files do"
  }

  static func notOpenNow(_ kind: StoreKind) -> String { "\(kind.name), cannot be opened now" }

  static func unreadable(_ names: [String]) -> String {
    let spoken = names.map { EntryKey.text($0).spoken }
    return names.isEmpty ? "" : "; no permission to read \(spoken.listed(first: 5))"
  }
}

// MARK: Locations and exports

extension StoreError {
  static let unreadableValue = StoreError.failed("its value cannot be read")

  static func otherHost(_ url: String, _ host: String) -> Self {
    .cannotOpen(
      "\(url) is on “\(host)”, but larder opens only files on this computer; use file:///PATH or "
        + "the path itself")
  }

  static func notFileURL(_ url: String) -> Self {
    .cannotOpen(
      "\(url) is not a valid file URL: each % needs two hexadecimal digits, and the decoded path must "
        + "be UTF-8; use the path itself")
  }

  static func noFileName(_ url: String) -> Self { .cannotOpen("\(url) names no file") }

  static func exists(_ path: String) -> Self {
    .failed("\(path) already exists; :export --replace FILE replaces it")
  }

  static func notExported(_ path: String, _ reason: String) -> Self {
    .failed("\(path) cannot be written: \(reason)")
  }

  static func doubtfulExport(_ path: String, _ reason: String) -> Self {
    .failed("\(path) was written, but may not survive a power failure: \(reason)")
  }

  static func exportOver(_ what: String, _ path: String) -> Self {
    .failed("an export cannot replace \(what): \(path); nothing was written")
  }
}

extension Messages {
  static let otherFile = "anything but a regular file"
  static let openStore = "an open store"

  static func file(of store: String) -> String { "a file of the open store \(store)" }
}

// MARK: Evidence

extension Messages {
  static let directory = "the location is a directory"
  static let storeInside = "the location is a directory, and a store inside is requested"
  static let jsonObject = "the file starts with a JSON object"
  static let jsonArray = "the file starts with a JSON array"
  static let dataStore = "the file holds named values in the protobuf format of Android's DataStore"
  static let preferences = "the file is XML with the root <map>, as Android's preferences are"
  static let binaryList = "the file starts like a binary property list"
  static let xmlList = "the file starts like an XML property list"
  static let openStepList = "the file starts like an OpenStep property list"
  static let realm = "the file has a Realm header"
  static let encryptedRealm = "the file is named like a Realm and looks encrypted"
  static let sqlite = "the file starts with SQLite's header"
  static let ownSources = "the program exposes its own sources"

  static func dataStoreName(_ suffix: String) -> String {
    "the name of the file ends with \(suffix), as those of Android's DataStore do"
  }

  static func preferencesBackup(_ path: String) -> String {
    "\(path) is XML with the root <map>, a backup that Android restores first"
  }

  static func mmkv(_ suffix: String) -> String {
    "the \(suffix) file beside it has MMKV's size and checksum"
  }

  static func cache(_ database: String, of program: String) -> String {
    "the directory contains \(database) and files with values, like a cache of \(program)"
  }

  static func app(_ layout: String, stores: Int, unreadable: [String]) -> String {
    "the directory contains \(layout), as an app's does, and "
      + "\(stores) \(stores == 1 ? "store" : "stores")" + Messages.unreadable(unreadable)
  }

  static func container(_ certain: Int, stores: Int, unreadable: [String]) -> String {
    "the directory contains \(certain) databases or preferences, and \(stores) stores in all"
      + Messages.unreadable(unreadable)
  }
}

// MARK: Obstacles to writing

extension WriteObstacle {
  /// Returns the reason that the files of a database format are not written, as a clause.
  static func ofFiles(of database: String) -> String {
    "it belongs to a \(database) database, which a change to one of its files would destroy; use a "
      + "\(database) tool"
  }
}

extension Messages {
  static let hardLinks =
    "it has several names (hard links), which a new file would lose"
  static let otherOwner = "it belongs to another user, and a new file would belong to you"
  static let closedFolder = "larder cannot create the new file in its folder"
  static let closedDatabaseFolder = "SQLite cannot create a journal in its folder"

  static func closedNeighbor(_ name: String) -> String {
    "the permissions of \(name) beside it do not allow writing"
  }

  static func mode(_ digits: String) -> String {
    "its owner may not write to it (mode \(digits)); chmod u+w allows it"
  }
}

// MARK: SQLite

extension StoreError {
  static func noColumn(_ name: String, in path: String) -> Self {
    .cannotOpen(
      "--expires-column: no table in \(path) has a column “\(name)” outside its key")
  }

  static func unreadableTable(_ name: String, of path: String, _ reason: String) -> Self {
    .cannotOpen("“\(name)” of \(path) cannot be read: \(reason)")
  }

  static func notExpiry(_ column: String, of table: String, _ reason: String?) -> Self {
    .cannotOpen(
      "\(column) of \(table) holds no expiry" + (reason.map { ": \($0)" } ?? ""))
  }

  static func noHeader(_ path: String, size: Int64) -> Self {
    .corrupt("\(path) is truncated: \(size) bytes are too few for a database header")
  }

  static func cutShort(_ path: String, size: Int64, of whole: Int64) -> Self {
    .corrupt("\(path) is truncated: it has \(size) of \(whole) bytes")
  }
}

extension Messages {
  static let room = "Android's Room, by room_master_table"

  static func unusableRule(_ name: String, _ place: String, table: String, _ reason: String)
    -> String
  {
    "\(name) (\(place)) does not describe \(table): \(reason)"
  }
}

// MARK: Defaults and property lists

extension StoreError {
  static func notDomain(_ location: String) -> Self {
    .cannotOpen(
      "\(location) does not name a defaults domain, such as com.example.app; a domain is not "
        + "empty, . or .., and contains no /")
  }

  static func noFolder(_ path: String) -> Self {
    .readOnly("the folder \(path) cannot be created; nothing was written")
  }

  static func lockedDefaults(_ path: String) -> Self {
    .busy(
      "another program is writing to the defaults \(path), or they cannot be locked; nothing was "
        + "written. Try again")
  }

  static func insideValue(_ key: EntryKey) -> Self {
    .notSupported(
      "\(key.spoken) is part of a value, and only whole entries can expire; nothing was written")
  }

  static func readOnlyFile(_ path: String) -> Self {
    .readOnly("\(path) is read-only; nothing was written")
  }
}

extension Messages {
  static let archive = "NSKeyedArchiver; “objects” is decoded, “list” is the raw property list"
  static let archiveFormat = "an NSKeyedArchiver archive"

  static func notThere(_ path: String) -> String { "\(path), which does not exist yet" }

  static func cacheExpiry(_ path: String) -> String {
    "expiry from \(path), written by a Harmony cache"
  }

  static func scalar(_ type: StoredType, _ text: String) -> String {
    "a single \(type.rawValue), under the key (): \(text)"
  }
}

// MARK: MMKV, Realm and memory

extension StoreError {
  static func damaged(_ path: String, checkedBy other: String) -> Self {
    .corrupt("\(path) is damaged: its size and checksum differ from those in \(other)")
  }

  static func encryptedMMKV(_ path: String) -> Self {
    .cannotOpen(
      "\(path) is an encrypted MMKV file, which larder does not read: its checksum is right, but its "
        + "keys and values are not")
  }

  static func onlyRead(_ path: String, _ kind: String) -> Self {
    .readOnly("\(path) is \(kind), which larder only reads; nothing was written")
  }

  static func unreadableProperty(
    _ name: String, of key: EntryKey, in path: String, _ reason: String
  ) -> Self {
    .corrupt("\(name) of \(key.spoken) in \(path) cannot be read: \(reason)")
  }

  static func noSeed(_ path: String) -> Self { .cannotOpen("the seed \(path) does not exist") }

  static func unreadableSeed(_ path: String) -> Self { unreadable("the seed \(path)") }

  static func seedNotJSON(_ path: String, _ reason: any Error) -> Self {
    .cannotOpen("the seed \(path) is not JSON: \(reason)")
  }

  static func seedNotObject(_ path: String) -> Self {
    .cannotOpen("the seed \(path) is not a JSON object of keys and values")
  }
}

extension FormatError {
  static let wrongSize = Self("the size is wrong")
  static let keyNotText = Self("a key is not text")
}

extension Messages {
  static let readOnlyMMKV =
    "larder does not write MMKV files, because an app that has one open would not see the change"
  static let readOnlyRealm =
    "larder does not write Realm files, because that could damage an app's Realm"
  static let exportedRealm = "exported in one go, as a copy"
  static let memory = "the store"
}

// MARK: Watching

extension Messages {
  static func noNotices(_ path: String) -> String {
    "the system does not report changes to \(path), perhaps because its limit "
      + "fs.inotify.max_user_watches is reached; larder polls it every second instead, which uses "
      + "CPU time"
  }

  static func manyFolders(_ path: String, maximum: Int, interval: Int) -> String {
    "\(path) has more than \(Thousands.text(maximum)) folders; larder watches that number and "
      + "checks the others every \(interval) seconds"
  }
}
