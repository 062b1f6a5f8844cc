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
      "\(path) is not a kind of store that larder knows"
        + (look.map { ": \($0); the kinds are \(kinds.joined(separator: ", "))" } ?? ""))
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
      "\(url) is on “\(host)”, but larder opens only files of this computer; use file:///PATH or the "
        + "path itself")
  }

  static func notFileURL(_ url: String) -> Self {
    .cannotOpen(
      "\(url) is not a valid file URL: after decoding each % and two hexadecimal digits, it must be "
        + "UTF-8; use the path itself")
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
  static let preferences = "the file is XML with <map> at the top, as Android's preferences are"
  static let binaryList = "the file starts as binary property lists do"
  static let xmlList = "the file starts as property lists in XML do"
  static let openStepList = "the file starts as property lists of OpenStep do"
  static let realm = "the file has Realm's mark in its header"
  static let encryptedRealm = "the file has the name of a Realm, and the pages of an encrypted one"
  static let sqlite = "the file starts with SQLite's header"
  static let ownSources = "the program shows its own sources"

  static func dataStoreName(_ suffix: String) -> String {
    "the name of the file ends with \(suffix), as those of Android's DataStore do"
  }

  static func preferencesBackup(_ path: String) -> String {
    "\(path) is XML with <map> at the top, which Android's programs restore first"
  }

  static func mmkv(_ suffix: String) -> String {
    "the \(suffix) file beside it has MMKV's size and checksum"
  }

  static func cache(_ database: String, of program: String) -> String {
    "the directory has \(database) and nothing but files of values beside it, as caches of "
      + "\(program) have"
  }

  static func app(_ layout: String, stores: Int, unreadable: [String]) -> String {
    "the directory has \(layout), as apps have, and \(stores) \(stores == 1 ? "store" : "stores") in "
      + "it" + Messages.unreadable(unreadable)
  }

  static func container(_ certain: Int, stores: Int, unreadable: [String]) -> String {
    "the directory holds \(certain) databases or preferences, and \(stores) stores in all"
      + Messages.unreadable(unreadable)
  }
}

// MARK: Obstacles to writing

extension WriteObstacle {
  /// Returns the reason that the files of a database format are not written, as a clause.
  static func ofFiles(of database: String) -> String {
    "it is a \(database) database, which a change of one of its files would destroy; change it with a "
      + "program that knows \(database)"
  }
}

extension Messages {
  static let hardLinks =
    "it has several names (hard links), from which a new file would be separated"
  static let otherOwner = "it belongs to another user, and a new file would not"
  static let closedFolder = "its folder cannot be written, where larder has to put the new file"
  static let closedDatabaseFolder =
    "its folder cannot be written, where SQLite has to create a journal"

  static func closedNeighbor(_ name: String) -> String {
    "the permissions of \(name) beside it do not allow writing"
  }

  static func mode(_ digits: String) -> String {
    "its mode \(digits) does not let its owner write to it, which chmod u+w changes"
  }
}

// MARK: SQLite

extension StoreError {
  static func noColumn(_ name: String, in path: String) -> Self {
    .cannotOpen(
      "\(path) has no table with a column \"\(name)\" outside its key, which --expires-column names"
    )
  }

  static func unreadableTable(_ name: String, of path: String, _ reason: String) -> Self {
    .cannotOpen("\"\(name)\" of \(path) cannot be read: \(reason)")
  }

  static func notExpiry(_ column: String, of table: String, _ reason: String?) -> Self {
    .cannotOpen(
      "\(column) of \(table) holds no expiry" + (reason.map { ": \($0)" } ?? ""))
  }

  static func noHeader(_ path: String, size: Int64) -> Self {
    .corrupt("\(path) is cut short: it has \(size) bytes, less than a database's header")
  }

  static func cutShort(_ path: String, size: Int64, of whole: Int64) -> Self {
    .corrupt("\(path) is cut short: it has \(size) of \(whole) bytes")
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
      "\(location) names no defaults: a domain is the name of a file, such as com.example.app, and "
        + "not empty, . or .. and without /")
  }

  static func noFolder(_ path: String) -> Self {
    .readOnly("the folder \(path) cannot be created; nothing was written")
  }

  static func lockedDefaults(_ path: String) -> Self {
    .busy(
      "another program is writing to the defaults \(path), or its lock cannot be had; nothing was "
        + "written. Try again")
  }

  static func insideValue(_ key: EntryKey) -> Self {
    .notSupported(
      "\(key.spoken) lies inside a value, and no cache stores when that expires; nothing was written"
    )
  }

  static func readOnlyFile(_ path: String) -> Self {
    .readOnly("\(path) is read-only; nothing was written")
  }
}

extension Messages {
  static let archive = "of NSKeyedArchiver: objects are shown decoded, list as it is"
  static let archiveFormat = "an archive of NSKeyedArchiver"

  static func notThere(_ path: String) -> String { "\(path), not there yet" }

  static func cacheExpiry(_ path: String) -> String {
    "expiry from \(path), written by a Harmony cache"
  }

  static func scalar(_ type: StoredType, _ text: String) -> String {
    "one, of type \(type.rawValue), under the key (): \(text)"
  }
}

// MARK: MMKV, Realm and memory

extension StoreError {
  static func damaged(_ path: String, checkedBy other: String) -> Self {
    .corrupt("\(path) is damaged: it does not have the size and checksum that \(other) has")
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
    .cannotOpen("the seed \(path) is not a JSON object with the keys as names")
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
    "larder does not write Realm files, as that could damage an app's Realm"
  static let exportedRealm = "exported in one go, as a copy"
  static let memory = "the store"
}

// MARK: Watching

extension Messages {
  static func noNotices(_ path: String) -> String {
    "the system does not report changes to \(path), perhaps because its limit "
      + "fs.inotify.max_user_watches is reached; larder polls it every second instead, which takes "
      + "processor time"
  }

  static func manyFolders(_ path: String, maximum: Int, interval: Int) -> String {
    "\(path) has more than \(maximum) folders; only that number is watched; changes in the others are "
      + "found every \(interval) seconds"
  }
}
