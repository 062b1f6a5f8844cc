import Foundation

/// The unit of an expiry time.
public enum ExpiryUnit: String, Sendable, Hashable, CaseIterable {
  /// Seconds since 1970.
  case seconds = "s"
  /// Thousandths of a second since 1970.
  case milliseconds = "ms"
  /// Millionths of a second since 1970.
  case microseconds = "us"
  /// Thousand-millionths of a second since 1970.
  case nanoseconds = "ns"
  /// Seconds since 2001, from where Apple's systems count.
  case apple
  /// Microseconds since 1601, as Chromium browsers store them.
  case webkit
  /// Units of 100 nanoseconds since 1601: a FILETIME of Windows.
  case filetime
  /// Units of 100 nanoseconds since the year 1: the ticks of a .NET DateTime.
  case ticks
  /// Text as ISO 8601 has it, with a zone or in UTC.
  case iso
  /// Days since noon of the first day of the year -4713.
  case julian

  /// The unit in a few words.
  public var spoken: String {
    switch self {
    case .seconds: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .microseconds: "microseconds since 1970"
    case .nanoseconds: "nanoseconds since 1970"
    case .apple: "seconds since 2001"
    case .webkit: "microseconds since 1601"
    case .filetime: "units of 100 ns since 1601"
    case .ticks: "units of 100 ns since the year 1"
    case .iso: "ISO 8601 text"
    case .julian: "Julian days"
    }
  }
}

/// Where a user says that expiry times are, where it is not recognised or recognised wrongly.
public struct ExpiryChoice: Sendable, Hashable {
  /// The column; nil for the one that is recognised.
  public var column: String?
  /// The unit; nil for the one that the values look like.
  public var unit: ExpiryUnit?
  /// What how long entries last is counted in, where no moment is counted so.
  public var lifetime: LifetimeUnit?
  /// The zone of moments whose text names none; nil for UTC, as far as anybody knows.
  public var zone: ExpiryZone?

  /// Whether nothing expires, whatever is recognised.
  public var isNone = false
  /// Where it is set for good; nil where it was said just now.
  public var rule: String?
  /// How long after they were written entries count, where they are files.
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

  /// Whether anything is chosen.
  public var isMade: Bool {
    column != nil || unit != nil || lifetime != nil || zone != nil || isNone || timeToLive != nil
  }
}

extension ExpiryChoice {
  /// What a user can say that a column counts in: of moments or lifetimes, and then of lifetimes
  /// alone.
  package static let unitWords = ExpiryUnit.allCases.map(\.rawValue) + lifetimeWords
  /// Those of lifetimes alone.
  package static let lifetimeWords = LifetimeUnit.allCases.map(\.rawValue)
    .filter { ExpiryUnit(rawValue: $0) == nil }

  /// Takes what a user said that the column counts in.
  ///
  /// - Parameter word: One of ``unitWords``; another leaves nothing chosen.
  package mutating func setUnit(_ word: String) {
    unit = ExpiryUnit(rawValue: word)
    lifetime = unit == nil ? LifetimeUnit(rawValue: word) : nil
  }
}

/// Where expiry times are in some stores, as a user has set for good.
public struct ExpiryRule: Sendable, Hashable {
  /// The paths of the stores, in each of which `*` and `?` stand for any letters and any letter.
  public var paths: [String]
  /// The collection, in the same way; nil for each.
  public var collection: String?
  /// What is set of them.
  public var choice: ExpiryChoice
  /// Where it is set, such as `config.json, line 3`.
  public var place: String

  /// Creates a rule.
  public init(paths: [String], collection: String?, choice: ExpiryChoice, place: String) {
    self.paths = paths
    self.collection = collection
    self.choice = choice
    self.place = place
  }

  /// Whether the rule is about a collection of a store.
  ///
  /// - Parameters:
  ///   - candidates: The paths that the store has.
  ///   - name: The collection; nil for the whole store.
  /// - Returns: Whether both fit.
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

/// Where a collection keeps when its entries expire, and how that is known.
public struct CollectionExpiry: Sendable, Hashable {
  /// The column of the moments, or of how long entries last.
  public let column: String
  /// The column of the moments from which that is counted; nil where `column` holds moments.
  public let since: String?
  /// What the moments are counted in.
  public let unit: ExpiryUnit
  /// What `column` counts in, where it is counted from `since`.
  public let lifetime: LifetimeUnit?
  /// How sure it is.
  public let confidence: Confidence
  /// What it was recognised from, as a clause.
  public let evidence: String
  /// What was assumed and may be otherwise, each as a clause; who deletes by it has to know.
  public let doubts: [String]
  /// The options that settle the first doubts, such as `--expires-unit s`; nil where nothing has to be.
  ///
  /// Until then no entries are listed, changed or deleted by their expiry.
  public let remedy: String?
  /// That the zone of the times was assumed, as a clause; nil where they name it or it was told.
  ///
  /// Until then no entries are deleted by their expiry.
  public let zoneDoubt: String?
  /// What other columns keep about the entries, such as `access_time` for the last use.
  public let bookkeeping: [String]

  /// Whether nothing is done to many entries by their expiry until you settle the first doubts: the
  /// column may be a date of what the entries are about, or its unit is one of several.
  public var isDubious: Bool { remedy != nil }

  /// Why nothing is done to many entries by their expiry, as a clause; nil where nothing is against it.
  package var doubt: String? { isDubious ? doubts.first : nil }

  /// Why entries are not deleted by their expiry, as a clause; nil where nothing is against it.
  package var deletionDoubt: String? { doubt ?? zoneDoubt }

  /// How sure it is that a column holds expiry times.
  public enum Confidence: String, Sendable, Hashable {
    /// Everything says so.
    case certain
    /// More says so than against it.
    case likely
    /// The user said so.
    case told
  }

  /// Describes where expiry times are.
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

  /// Where the expiry is and why, in a sentence without its end.
  public var spoken: String {
    let place =
      since.map {
        "column \(column), in \(lifetime?.spoken ?? "units") from \($0), \(unit.spoken)"
      }
      ?? "column \(column), \(unit.spoken)"
    let rest = doubt.map { "; but \($0)" } ?? ""
    return "expiry from \(place), because \(evidence) (\(confidence.rawValue))\(rest)"
  }
}
