import Foundation
import LarderModel

/// Until when a file counts, as it says itself.
struct FileLife: Sendable, Equatable {
  /// The moment; nil for ever.
  var expires: Date?
}

/// A form of files of which each states at its start when it expires.
///
/// A new form is a type in a file of its own and its name in ``FileLifeFormats``.
protocol FileLifeFormat: Sendable {
  /// What writes such files, in a few words.
  static var name: String { get }

  /// Where the form is described, or the program that defines it, in a clause.
  static var evidence: String { get }

  /// Whether the time of a file is that of its end, and tells nothing of its age.
  static var setsTimeToEnd: Bool { get }

  /// The time that a file gets which never ends, where the time of a file is that of its end.
  static func timeOfEndless(writtenAt now: Date) -> Date

  /// Until when a file counts.
  ///
  /// - Parameters:
  ///   - start: The first bytes of the file, ``FileLifeFormats/startSize`` of them unless it is
  ///     smaller.
  ///   - size: The size of the file.
  /// - Returns: nil where it has not this form.
  static func life(_ start: some RandomAccessCollection<UInt8>, size: Int) -> FileLife?

  /// The bytes of a file with another end.
  ///
  /// - Throws: ``StoreError`` where the form has no way to say it.
  static func bytes(_ bytes: [UInt8], expiring: Date?) throws(StoreError) -> [UInt8]
}

extension FileLifeFormat {
  static var setsTimeToEnd: Bool { false }

  static func timeOfEndless(writtenAt now: Date) -> Date { now }
}

/// The forms of files that state when they expire.
enum FileLifeFormats {
  /// How much of a file tells.
  static let startSize = 512

  /// Every form there is.
  static let all: [any FileLifeFormat.Type] = [
    DjangoFileLife.self, LaravelFileLife.self, SymfonyFileLife.self, NginxFileLife.self,
    CachelibFileLife.self,
  ]

  /// Refuses an end that a form cannot say.
  static func refusal(_ name: String, _ reason: String) -> StoreError {
    .notSupported("\(name) \(reason); nothing was written")
  }
}

extension RandomAccessCollection<UInt8> {
  /// The digits that these bytes begin with, as a number; nil where there are none, or too many.
  func leadingNumber(digits: ClosedRange<Int>) -> (number: Int64, count: Int)? {
    var number: Int64 = 0
    var count = 0
    for byte in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      count += 1
      guard count <= digits.upperBound else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return digits.contains(count) ? (number, count) : nil
  }

  /// The unsigned number of the first bytes, the least significant first.
  func littleEndian(_ count: Int) -> UInt64? {
    guard self.count >= count else { return nil }
    return prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether these bytes begin as a value does that PHP has serialised.
  var beginsAsPHP: Bool {
    let head = Array(prefix(24))
    guard head.count >= 2 else { return false }
    switch head[0] {
    case UInt8(ascii: "N"): return head[1] == UInt8(ascii: ";")
    case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "d"):
      guard head[1] == UInt8(ascii: ":") else { return false }
      return head.dropFirst(2).first.map { "-0123456789.INinf".utf8.contains($0) } ?? false
    case UInt8(ascii: "s"), UInt8(ascii: "a"), UInt8(ascii: "O"), UInt8(ascii: "C"),
      UInt8(ascii: "E"):
      guard head[1] == UInt8(ascii: ":"),
        let length = head.dropFirst(2).leadingNumber(digits: 1...10)
      else { return false }
      return head.dropFirst(2 + length.count).first == UInt8(ascii: ":")
    default: return false
    }
  }
}

extension Date {
  /// Whole seconds since 1970, where a form can hold the moment and what is written is read as one again:
  /// from the year 2000 to 2286.
  func wholeSeconds(for name: String) throws(StoreError) -> Int64 {
    let seconds = (timeIntervalSince1970 + MomentForm.exactness).rounded(.down)
    guard (946_684_800...9_999_999_998).contains(seconds) else {
      throw FileLifeFormats.refusal(name, "holds times from 2000 to 2286")
    }
    return Int64(seconds)
  }
}
