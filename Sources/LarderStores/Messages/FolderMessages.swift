import Foundation
import Harmony
import LarderFiles
import LarderFormats
import LarderModel

// The sentences about the files of a folder. Each starts in lower case and has no final full stop.

// MARK: Paths

extension CoreError.NotFound {
  static func file(_ key: EntryKey) -> Self { Self("no file has the path \(key.spoken)") }
}

extension StoreError {
  static let unreadableFolder = StoreError.cannotOpen("you have no permission to read this folder")

  static func gone(_ path: String) -> Self { .cannotOpen("\(path) no longer exists") }

  static func notFile(_ key: EntryKey) -> Self { .failed("\(key.spoken) is a folder, not a file") }

  static func notPath(_ key: EntryKey) -> Self {
    .notSupported("the key \(key.spoken) is not a path")
  }

  static func outsideFolder(_ key: EntryKey) -> Self {
    .failed("the key \(key.spoken) is not the path of a file in this folder")
  }

  static func longName(_ key: EntryKey, maximum: Int) -> Self {
    .failed(
      "the key \(key.spoken) contains a file name of more than \(maximum) bytes; nothing was "
        + "written. Choose a shorter one")
  }

  /// Returns the error for a name that larder would hide and remove as a temporary file.
  static func reservedName(_ key: EntryKey) -> Self {
    .failed(
      "larder reserves the name \(key.spoken) for its temporary files; nothing was written. Choose "
        + "another")
  }

  /// Returns the error for a path that would lead through a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - noun: Its type; nil if it is still to be written.
  /// - Returns: The error.
  static func blocked(by path: FolderPath, _ noun: String? = nil) -> Self {
    let part = EntryKey(textBytes: Array(path.names.joined(separator: [UInt8(ascii: "/")])))
    return .failed(
      "\(part.spoken) \(noun.map { "is \($0)" } ?? "would be a file"), so no path can lead through it; "
        + "nothing was written")
  }
}

// MARK: Reading

extension StoreError {
  static func largeFile(_ key: EntryKey, size: Int, maximum: Int) -> Self {
    .failed(
      "\(key.spoken) is too large to read: \(Thousands.text(size)) bytes; the maximum is "
        + "\(maximum >> 20) MiB")
  }

  static func busyFile(_ key: EntryKey) -> Self {
    .busy("\(key.spoken) is being written by another process; try again")
  }

  static func notRegular(_ key: EntryKey, _ status: FileStatus) -> Self {
    let reason =
      status.isDirectory
      ? "" : ", which larder does not \(status.isLink ? "follow" : "touch")"
    return .notSupported("\(key.spoken) is \(status.noun)\(reason)")
  }
}

extension FileStatus {
  /// A description of the file type for messages.
  var noun: String {
    isRegular
      ? "a file" : isDirectory ? "a folder" : isLink ? "a symbolic link" : "a special file"
  }
}

// MARK: Writing

extension StoreError {
  static func busyFolder(of path: String) -> Self {
    .busy("another larder is writing to the folder of \(path); try again")
  }

  /// Returns the error for a file that larder must not replace.
  static func notReplaced(_ key: EntryKey, _ reason: String) -> Self {
    .readOnly("\(key.spoken) cannot be replaced: \(reason); nothing was written")
  }

  static func linked(_ key: EntryKey) -> Self {
    .failed("\(key.spoken) cannot be replaced: \(Messages.hardLinks); nothing was written")
  }

  static func otherOwner(_ key: EntryKey) -> Self {
    notReplaced(key, "it belongs to another user or group; only root can replace it")
  }

  static func databaseFolder(of key: EntryKey, _ reason: String) -> Self {
    .readOnly("the folder of \(key.spoken) cannot be changed: \(reason); nothing was written")
  }

  static func wrongFileType(_ key: EntryKey, _ type: StoredType) -> Self {
    .failed("\(key.spoken) is a file, which can hold text or data, but not \(type.rawValue)")
  }

  static func textReadAsData(_ key: EntryKey) -> Self {
    .failed(
      "\(key.spoken) is text with a NUL or invalid UTF-8, which a file cannot hold as text; store "
        + "it as data")
  }

  static func lostAttribute(_ name: EntryKey, of key: EntryKey, _ failure: FileFailure) -> Self {
    .failed(
      "the extended attribute \(name.spoken) of \(key.spoken) would be lost: \(failure.message); "
        + "nothing was written")
  }

  static func deniedFile(_ key: EntryKey, _ done: String, _ failure: FileFailure) -> Self {
    .readOnly(
      "\(key.spoken) cannot be \(done): the permissions of its folder or its file system do not "
        + "allow it (\(failure.message))")
  }

  /// Returns the error for a file that was written, but whose earlier content was removed before
  /// larder could compare it.
  static func uncheckedWrite(_ key: EntryKey) -> Self {
    .failed(
      "\(key.spoken) was written, but another program removed its earlier content before larder "
        + "could compare it with what it had read")
  }

  static func uncheckedDeletion(_ key: EntryKey) -> Self {
    .failed(
      "another program removed \(key.spoken) while larder was deleting it; larder could not check "
        + "whether it had changed before")
  }

  static func renumbered(_ key: EntryKey) -> Self {
    .notSupported(
      "\(key.spoken) cannot be renamed safely: its file system gives renamed files another inode "
        + "number, so larder cannot tell whether another program wrote to it; nothing was renamed. "
        + "Use mv while no program writes to it")
  }

  static func notRenamedBack(_ key: EntryKey, from newKey: EntryKey, _ reason: String) -> Self {
    .failed(
      "\(key.spoken) is now \(newKey.spoken), with any changes that another program made, and could "
        + "not be renamed back: \(reason)")
  }
}

extension Messages {
  static let nameTaken = "another file has its name now"
  static let writtenAgain = "another program has written to it"

  static func filesBefore(_ count: Int, _ done: String) -> String {
    "\(count == 1 ? "one file was" : "\(Thousands.text(count)) files were") \(done) before it"
  }

  /// Returns the message about a file under a temporary name, which the user has to rename.
  ///
  /// - Parameters:
  ///   - name: The temporary name.
  ///   - key: The key of the original name.
  ///   - isForeign: Whether the file is known to be from another program.
  ///   - reason: The reason that it could not be renamed back, as a clause.
  /// - Returns: The sentence.
  static func orphaned(
    _ name: EntryKey, of key: EntryKey, isForeign: Bool, _ reason: String
  ) -> String {
    (isForeign
      ? "what another program wrote to \(key.spoken)" : "the earlier content of \(key.spoken)")
      + " is now in \(name.notation(.typed)) in the same folder and could not be renamed back, "
      + "because \(reason); rename it yourself"
  }
}

// MARK: Warnings

extension Messages {
  static func unreadableMode(_ mode: mode_t) -> String {
    "its mode \(String(mode, radix: 8)), which would not let larder read it"
  }

  static func attribute(_ name: String, _ failure: FileFailure) -> String {
    "its extended attribute \(name): \(failure.message)"
  }

  static func without(_ losses: [String]) -> String {
    "without \(losses.joined(separator: "; "))"
  }

  static func done(_ name: String, _ done: String, but problem: String) -> String {
    "\(name) was \(done), but \(problem)"
  }

  static func moreLosses(_ count: Int) -> String {
    "\(Thousands.text(count)) more \(count == 1 ? "entry" : "entries") lost some properties"
  }

  static func moreDoubts(_ count: Int) -> String {
    count == 0
      ? "" : " (and \(Thousands.text(count)) more such \(count == 1 ? "warning" : "warnings"))"
  }

  static func emptied(_ folder: EntryKey, count: Int) -> String {
    (count == 1
      ? "the folder \(folder.spoken) is empty now and was"
      : "\(Thousands.text(count)) folders, such as \(folder.spoken), are empty now and were")
      + " not removed, because larder changes only files"
  }
}

// MARK: Undo

extension Messages {
  static let severalNames = "it has several names (hard links)"
  static let setuid = "it is setuid or setgid, which larder does not restore"
  static let largeAttributes = "its extended attributes are too large"
  static let otherUser = "it belongs to another user"
  static let otherGroup = "it belongs to a group that you are not in"

  static func protectedAttribute(_ name: String) -> String {
    "it has the extended attribute \(name), which larder does not restore"
  }
}

// MARK: Expiry

extension StoreError {
  static let noFileExpiry = StoreError.notSupported(
    "the files of this folder have no expiry that larder recognizes; nothing was written. To give "
      + "them a TTL, add an expiry rule to the settings")

  static func alwaysExpires(_ key: EntryKey, after time: Duration) -> Self {
    .notSupported(
      "\(key.spoken) expires \(time.clockText) after its last modification, so it cannot be set to "
        + "never expire; nothing was written")
  }

  static func notDated(_ key: EntryKey, _ date: Date) -> Self {
    .notSupported(
      "\(key.spoken) would need the modification time \(Timestamp.text(of: date)), which its file "
        + "system cannot store; nothing was written")
  }

  static func otherFormat(_ format: String, _ file: String = "the file") -> Self {
    .notSupported("\(file) is not in the format of \(format); nothing was written")
  }

  static func outOfRange(_ format: String, _ years: ClosedRange<Int>) -> Self {
    .notSupported(
      "\(format) stores only times from \(years.lowerBound) to \(years.upperBound); nothing was "
        + "written")
  }

  static func noNever(_ format: String) -> Self {
    .notSupported(
      "\(format) cannot store that an entry never expires; nothing was written. Use a date in the "
        + "far future")
  }
}

extension Messages {
  static let cachelib = "cachelib's file cache"
  static let cachelibEvidence =
    "its files start with 4 bytes of seconds since 1970 and a pickled value, as FileSystemCache "
    + "writes them"
  static let django = "Django's file cache"
  static let djangoEvidence =
    "its files start with a pickled time and compressed data, as FileBasedCache writes them"
  static let laravel = "Laravel's file cache"
  static let laravelEvidence =
    "its files start with ten digits and a value serialized by PHP, as Illuminate\\Cache\\FileStore "
    + "writes them"
  static let nginx = "nginx's response cache"
  static let nginxEvidence =
    "its files start with the header of ngx_http_file_cache, version 5, and a line KEY:"
  static let symfony = "Symfony's filesystem cache"
  static let symfonyEvidence =
    "its files start with a line of seconds since 1970 and a line with an encoded key, as "
    + "FilesystemAdapter writes them"

  static func modifiedExpiry(after time: Duration) -> String {
    "files expire \(time.clockText) after their last modification (from --ttl or the settings)"
  }

  static func formatExpiry(_ format: String, because evidence: String) -> String {
    "expiry in the format of \(format), because \(evidence)"
  }
}
