import Harmony
import HarmonyInspection
import LarderModel

extension StoreError {
  /// Creates the error for a failure with a live source.
  ///
  /// - Parameters:
  ///   - error: The error that the client threw.
  ///   - location: The location of the store.
  init(live error: any Error, at location: StoreLocation) {
    guard let error = error as? InspectionError else {
      self.init(error)
      return
    }
    let place = location.path
    switch error {
    case .notListening(let path):
      self = .cannotOpen("\(place): no process listens at \(path); start the program")
    case .noSocket(let path):
      self = .cannotOpen("\(place): \(path) is not a socket; name the one that the program created")
    case .pathTooLong, .inUse, .system: self = .cannotOpen(error.description)
    case .stranger(let user):
      self = .cannotOpen(
        "\(place): the process that listens there belongs to another user (number \(user)); "
          + "larder talks only to your own")
    case .otherVersion:
      self = .cannotOpen(
        "\(place): the program speaks another version of the protocol; update the older one")
    case .malformed(let what):
      self = .failed("\(place): the program violates the protocol: \(what)")
    case .timedOut: self = .busy("\(place): no answer came in time; the program may be stopped")
    case .crowded: self = .busy("\(place): \(error.description)")
    case .disconnected: self = .failed("\(place): \(error.description)")
    case .busy: self = .busy("\(place): \(error.description)")
    case .tooLarge(let limit):
      self = .failed("\(place): the answer is longer than \(limit) bytes; ask for less")
    case .readOnly: self = .readOnly("\(error.description); nothing was written")
    case .unknownSource(let name):
      self = .cannotOpen("\(place): the program shows no source named \(name)")
    case .conflict: self = .conflict(current: nil)
    }
  }
}

// MARK: Opening

extension StoreError {
  static let missingSocket = StoreError.cannotOpen(
    "unix: needs the path of a socket, as in unix:/run/user/1000/app.sock")

  static func unlistable(_ source: String) -> Self {
    .notSupported("the program cannot list the keys of \(source); get with a key still reads one")
  }
}

extension Messages {
  static let unwritableSource = "the program does not allow writing"
  static let noNotices = "a program does not report changes: its entries are read now and then"

  static func form(_ type: String, isCache: Bool) -> String {
    (isCache ? "timed cache of " : "source of ") + type
  }

  static func ended(_ path: String) -> String { "\(path): the program has ended" }
}

// MARK: Values

extension StoreError {
  static func sentInvalidJSON(_ reason: any Error) -> Self {
    .failed("the program has sent a value that is not JSON: \(reason)")
  }

  static func sentSize(_ size: Int) -> Self {
    .corrupt("the program says that a value has \(size) bytes")
  }

  /// Returns the error for a value of another type than the source holds.
  static func sourceHolds(_ wanted: String, _ type: StoredType) -> Self {
    .notSupported(
      "the source holds \(wanted), and no value of the type \(type.rawValue); nothing was written")
  }

  static func noJSON(_ type: StoredType) -> Self {
    .notSupported(
      "the source holds JSON, which has no form for the type \(type.rawValue); nothing was written")
  }
}

extension InspectionError {
  static let otherEntry = malformed("the answer is about another entry")
  static let unsortedKeys = malformed("keys are out of order or were not requested")
  static let surplusKeys = malformed("there are more keys than were requested")
}

// MARK: Writing

extension StoreError {
  static let liveKeysAreText = StoreError.notSupported(
    "the keys of a live source are strings; nothing was written")
  static let unansweredWrite = StoreError.failed(
    "no answer came in time, so it may or may not be written; check the entry")
  static let disconnectedWrite = StoreError.failed(
    "the process has ended or closed the connection, and whether it was written is not known; check "
      + "the entry once it is back")

  static func invalidAnswerToWrite(_ reason: String) -> Self {
    .failed("the answer is not valid (\(reason)), so it may or may not be written; check the entry")
  }

  static func unreadableBackingStore(_ key: EntryKey, _ error: any CodedError) -> Self {
    .failed(
      "the backing store of the cache at \(key.spoken) cannot be read, and would be overwritten "
        + "unseen: \(error.description); it was not written")
  }

  static func notWritten(_ error: InspectionError) -> Self {
    .failed("\(error.description); it was not written")
  }

  static func notImplemented(_ error: CoreError.NotImplemented, _ outcome: String) -> Self {
    .notSupported("\(error.description); \(outcome)")
  }

  static func notTimedCache(_ source: String) -> Self {
    .notSupported("\(source) is not a timed cache, so nothing in it expires; nothing was written")
  }

  static func oldInspection(_ outcome: String?) -> Self {
    .notSupported(
      "the program uses an older HarmonyInspection, which cannot restore entries"
        + (outcome.map { "; \($0)" } ?? ""))
  }

  static func halfRenamed(_ rename: RenameQuery, _ error: InspectionError) -> Self {
    .failed(
      "\(rename.newKey.spoken) was written, and \(rename.entryKey.spoken) may still be there: "
        + error.description)
  }

  static func changedDuring(_ rename: RenameQuery) -> Self {
    .changedSince(
      "\(rename.entryKey.spoken) has changed since it was read and keeps its key, but was also "
        + "written under \(rename.newKey.spoken): delete that one")
  }
}

extension Messages {
  static let nothingWritten = "nothing was written"
  static let nothingChanged = "nothing was changed"

  /// Returns the message of one of several changes, with the number of those before it.
  static func message(_ text: String, after count: Int) -> String {
    let before =
      switch count {
      case 0: nothingChanged
      case 1: "one entry was changed before it"
      default: "\(count) entries were changed before it"
      }
    return "\(text); \(before)"
  }

  static func unknownOutcome(_ error: InspectionError) -> String {
    "\(error.description); whether this one was changed is not known"
  }
}
