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
      self = .cannotOpen("\(place): no process is listening at \(path); start the program")
    case .noSocket(let path):
      self = .cannotOpen("\(place): \(path) is not a socket; name the one that the program created")
    case .pathTooLong, .inUse, .system: self = .cannotOpen(error.description)
    case .stranger(let user):
      self = .cannotOpen(
        "\(place): the process listening there belongs to another user (ID \(user)); larder "
          + "connects only to your own processes")
    case .otherVersion:
      self = .cannotOpen(
        "\(place): the program uses another version of the protocol; update the older program")
    case .malformed(let what):
      self = .failed("\(place): the program violates the protocol: \(what)")
    case .timedOut: self = .busy("\(place): no answer came in time; the program may be stopped")
    case .crowded: self = .busy("\(place): \(error.description)")
    case .disconnected: self = .failed("\(place): \(error.description)")
    case .busy: self = .busy("\(place): \(error.description)")
    case .tooLarge(let limit):
      self = .failed("\(place): the response is larger than \(limit) bytes; request less")
    case .readOnly: self = .readOnly("\(error.description); nothing was written")
    case .unknownSource(let name):
      self = .cannotOpen("\(place): the program exposes no source named “\(name)”")
    case .conflict: self = .conflict(current: nil)
    }
  }
}

// MARK: Opening

extension StoreError {
  static let missingSocket = StoreError.cannotOpen(
    "unix: needs the path of a socket, as in unix:/run/user/1000/app.sock")

  static func unlistable(_ source: String) -> Self {
    .notSupported("the program cannot list the keys of \(source); larder get can still read one")
  }
}

extension Messages {
  static let unwritableSource = "the program does not allow writing"
  static let noNotices = "the program does not report changes, so larder polls its entries"

  static func form(_ type: String, isCache: Bool) -> String {
    (isCache ? "timed cache of " : "source of ") + type
  }

  static func ended(_ path: String) -> String { "\(path): the program has ended" }
}

// MARK: Values

extension StoreError {
  static func sentInvalidJSON(_ reason: any Error) -> Self {
    .failed("the program sent a value that is not JSON: \(reason)")
  }

  static func sentSize(_ size: Int) -> Self {
    .corrupt("the program sent an impossible size for a value: \(size) bytes")
  }

  /// Returns the error for a value of another type than the source holds.
  static func sourceHolds(_ wanted: String, _ type: StoredType) -> Self {
    .notSupported(
      "the source stores \(wanted), not \(type.rawValue); nothing was written")
  }

  static func noJSON(_ type: StoredType) -> Self {
    .notSupported(
      "the source stores JSON, which cannot represent \(type.rawValue); nothing was written")
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
  static let unansweredWrite = StoreError.unknownOutcome(
    "no answer came in time; the entry may or may not have been written, so check it")
  static let disconnectedWrite = StoreError.unknownOutcome(
    "the process ended or closed the connection; the entry may or may not have been written, so "
      + "check it once the process is back")

  static func invalidAnswerToWrite(_ reason: String) -> Self {
    .unknownOutcome(
      "the answer is invalid (\(reason)); the entry may or may not have been written, so check it")
  }

  static func unreadableBackingStore(_ key: EntryKey, _ error: any CodedError) -> Self {
    .failed(
      "the backing store of \(key.spoken) cannot be read, so larder did not overwrite it: "
        + error.description)
  }

  static func notWritten(_ error: InspectionError) -> Self {
    .failed("\(error.description); it was not written")
  }

  static func notImplemented(_ error: CoreError.NotImplemented, _ outcome: String) -> Self {
    .notSupported("\(error.description); \(outcome)")
  }

  static func notTimedCache(_ source: String) -> Self {
    .notSupported("\(source) is not a timed cache, so it has no expiry; nothing was written")
  }

  static func oldInspection(_ outcome: String?) -> Self {
    .notSupported(
      "the program uses an older HarmonyInspection, which cannot restore entries"
        + (outcome.map { "; \($0)" } ?? ""))
  }

  static func halfRenamed(_ rename: RenameQuery, _ error: InspectionError) -> Self {
    .failed(
      "\(rename.newKey.spoken) was written, but \(rename.entryKey.spoken) may still exist: "
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
      default: "\(Thousands.text(count)) entries were changed before it"
      }
    return "\(text); \(before)"
  }

  static func unknownOutcome(_ error: InspectionError) -> String {
    "\(error.description); this one may or may not have been changed"
  }
}
