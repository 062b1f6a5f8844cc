import Foundation

/// The unit of an expiry timestamp.
public enum ExpiryUnit: String, Sendable, Hashable, CaseIterable {
  /// Seconds since 1970.
  case seconds = "s"
  /// Milliseconds since 1970.
  case milliseconds = "ms"
  /// Microseconds since 1970.
  case microseconds = "us"
  /// Nanoseconds since 1970.
  case nanoseconds = "ns"
  /// Seconds since 2001, the reference date of Apple's systems.
  case apple
  /// Microseconds since 1601, as in Chromium browsers.
  case webkit
  /// Units of 100 nanoseconds since 1601, as in a Windows FILETIME.
  case filetime
  /// Units of 100 nanoseconds since the year 1, as in the ticks of a .NET DateTime.
  case ticks
  /// ISO 8601 text, with a time zone or in UTC.
  case iso
  /// Days since noon on the first day of the year -4713.
  case julian
}

/// The user's choice of where expiries are stored, which overrides detection.
public struct ExpiryChoice: Sendable, Hashable {
  /// The expiry column; nil to detect it.
  public var column: String?
  /// The unit of the timestamps; nil to infer it from the values.
  public var unit: ExpiryUnit?
  /// The unit of a column that contains TTLs, if it is not one of timestamps.
  public var lifetime: LifetimeUnit?
  /// The time zone of timestamps whose text has none; nil to assume UTC.
  public var zone: ExpiryZone?

  /// Whether to ignore any expiry column that is detected.
  public var isNone = false
  /// The location of the configured rule that made this choice; nil for a choice of the current
  /// call.
  public var rule: String?
  /// The TTL of files, counted from their last write.
  public var timeToLive: Duration?

  /// Creates a choice.
  public init(
    column: String? = nil, unit: ExpiryUnit? = nil, lifetime: LifetimeUnit? = nil,
    zone: ExpiryZone? = nil
  ) {
    self.column = column
    self.unit = unit
    self.lifetime = lifetime
    self.zone = zone
  }

  /// Whether any choice was made.
  public var isMade: Bool {
    column != nil || unit != nil || lifetime != nil || zone != nil || isNone || timeToLive != nil
  }
}

extension ExpiryChoice {
  /// The names of all units that the user can choose, followed by those for TTLs only.
  package static let unitWords = ExpiryUnit.allCases.map(\.rawValue) + lifetimeWords
  /// The names of units for TTLs only.
  package static let lifetimeWords = LifetimeUnit.allCases.map(\.rawValue)
    .filter { ExpiryUnit(rawValue: $0) == nil }

  /// Sets the unit by its name.
  ///
  /// - Parameter word: One of ``unitWords``; any other word clears the choice.
  package mutating func setUnit(_ word: String) {
    unit = ExpiryUnit(rawValue: word)
    lifetime = unit == nil ? LifetimeUnit(rawValue: word) : nil
  }
}

/// A configured rule for the location of expiries in some stores.
public struct ExpiryRule: Sendable, Hashable {
  /// Patterns for the paths of the stores, with the wildcards `*` and `?`.
  public var paths: [String]
  /// A pattern for the collection with the same wildcards; nil for any collection.
  public var collection: String?
  /// The choice for matching stores.
  public var choice: ExpiryChoice
  /// The location of the rule in the configuration, such as `config.json, line 3`.
  public var place: String

  /// Creates a rule.
  public init(paths: [String], collection: String?, choice: ExpiryChoice, place: String) {
    self.paths = paths
    self.collection = collection
    self.choice = choice
    self.place = place
  }

  /// Whether the rule applies to a collection of a store.
  ///
  /// - Parameters:
  ///   - candidates: The paths of the store.
  ///   - name: The collection; nil for the whole store.
  /// - Returns: Whether both match.
  func isAbout(_ candidates: [String], _ name: String?) -> Bool {
    func fits(_ text: String, _ pattern: String) -> Bool {
      let literal = pattern.replacing("\\", with: "\\\\").replacing("[", with: "\\[")
      return fnmatch(literal, text, 0) == 0
    }
    guard candidates.contains(where: { path in paths.contains { fits(path, $0) } }) else {
      return false
    }
    guard let collection else { return true }
    return name.map { fits($0, collection) } ?? false
  }
}

/// The location of a collection's expiries, and how it was determined.
public struct CollectionExpiry: Sendable, Hashable {
  /// The column with the expiry timestamps or TTLs.
  public let column: String
  /// The column with the timestamps to which the TTLs are added; nil if `column` has timestamps.
  public let since: String?
  /// The unit of the timestamps.
  public let unit: ExpiryUnit
  /// The unit of the TTLs in `column`, if `since` is set.
  public let lifetime: LifetimeUnit?
  /// The confidence in the detection.
  public let confidence: Confidence
  /// The evidence for the detection, as a clause.
  public let evidence: String
  /// The assumptions that may be wrong, each as a clause; they matter before deleting by expiry.
  public let doubts: [String]
  /// The options that resolve the first doubt, such as `--expires-unit s`; nil if none are needed.
  ///
  /// No entries are listed, changed or deleted by their expiry until it is resolved.
  public let remedy: String?
  /// The assumption about the time zone, as a clause; nil if the zone is stored or was chosen.
  ///
  /// No entries are deleted by their expiry until it is resolved.
  public let zoneDoubt: String?
  /// The columns with other metadata about the entries, such as `access_time` for the last use.
  public let bookkeeping: [String]

  /// Whether bulk operations by expiry are disabled until the user resolves the first doubt.
  ///
  /// The column may be a date that the entries are about, or its unit may be ambiguous.
  public var isDubious: Bool { remedy != nil }

  /// The reason why bulk operations by expiry are disabled, as a clause; nil if they are not.
  package var doubt: String? { isDubious ? doubts.first : nil }

  /// The reason why entries are not deleted by their expiry, as a clause; nil if they can be.
  package var deletionDoubt: String? { doubt ?? zoneDoubt }

  /// The confidence that a column contains expiries.
  public enum Confidence: String, Sendable, Hashable {
    /// All evidence agrees.
    case certain
    /// The evidence in favor outweighs the evidence against.
    case likely
    /// The user chose the column.
    case told
  }

  /// Creates a description of a collection's expiries.
  public init(
    column: String, since: String? = nil, unit: ExpiryUnit, lifetime: LifetimeUnit? = nil,
    confidence: Confidence, evidence: String, doubts: [String] = [], remedy: String? = nil,
    zoneDoubt: String? = nil, bookkeeping: [String] = []
  ) {
    self.column = column
    self.since = since
    self.unit = unit
    self.lifetime = lifetime
    self.confidence = confidence
    self.evidence = evidence
    self.doubts = doubts
    self.remedy = remedy
    self.zoneDoubt = zoneDoubt
    self.bookkeeping = bookkeeping
  }
}
