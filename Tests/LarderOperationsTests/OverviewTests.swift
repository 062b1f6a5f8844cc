import Foundation
import Harmony
import LarderModel
import LarderOperations
import Testing

/// Totals of entries by prefix, type and expiry.
struct OverviewTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func overview(
    _ entries: some Sequence<Entry>, prefix: String = "", delimiter: String? = ":",
    largestCount: Int = 10
  ) -> Overview {
    var overview = Overview(
      prefix: prefix, delimiter: delimiter, largestCount: largestCount, at: now)
    for entry in entries { overview.add(entry) }
    return overview
  }

  private func entry(
    _ key: String, _ size: Int? = 1, _ type: StoredType? = .text, expires seconds: Double? = nil
  ) -> Entry {
    Entry(
      key: .text(key), type: type, size: size, expires: seconds.map { now.addingTimeInterval($0) })
  }

  private func names(_ groups: [Overview.Group]) -> [String] {
    groups.map { group in
      switch group.name {
      case .prefix(let text): text
      case .withoutPrefix: "-"
      case .others(let count): "+\(count)"
      }
    }
  }

  private func sum(_ groups: [Overview.Group]) -> OverviewSum {
    groups.reduce(into: OverviewSum()) { $0.add($1.sum) }
  }

  // MARK: Prefixes

  @Test func `Entries are grouped up to the next delimiter`() {
    let sums = overview([
      entry("a:1", 5), entry("a:2:x", 6), entry("b:1", 20), entry("c"), entry(":d", 2),
    ])
    #expect(names(sums.groups(by: .size)) == ["b:", "a:", ":", "-"])
    #expect(names(sums.groups(by: .count)) == ["a:", "b:", ":", "-"])
    #expect(names(sums.groups(by: .name)) == [":", "a:", "b:", "-"])
    #expect(sums.groups(by: .size).map(\.sum.bytes) == [20, 11, 2, 1])
    #expect(sums.total.count == 5 && sums.total.bytes == 34)
    #expect(sums.share(of: sums.groups(by: .size)[0].sum) == 20.0 / 34)
  }

  @Test func `The delimiter of the selected prefix is ignored`() {
    let sums = overview([entry("a:1:x"), entry("a:1:y"), entry("a:2")], prefix: "a:")
    #expect(names(sums.groups(by: .count)) == ["a:1:", "-"])
  }

  @Test(arguments: [("::", ["a::"]), ("", ["-"]), ("é", ["-"])])
  func `A delimiter can be any string`(delimiter: String, expected: [String]) {
    #expect(
      names(overview([entry("a::1"), entry("a::2")], delimiter: delimiter).groups(by: .size))
        == expected)
  }

  @Test func `Keys that are not text have no prefix`() {
    let keys: [EntryKey] = [
      .null, .integer(1), .real(1.5), .bytes(Array("a:1".utf8)), .composite([.text("a:1")]),
      .malformedText([0xFF, UInt8(ascii: ":")]),
    ]
    let sums = overview(keys.map { Entry(key: $0, size: 1) })
    #expect(names(sums.groups(by: .size)) == ["-"])
    #expect(sums.total.count == keys.count)
    let malformed = EntryKey.malformedText(Array("a:".utf8) + [0xFF])
    #expect(names(overview([Entry(key: malformed)]).groups(by: .size)) == ["a:"])
  }

  @Test func `Prefixes are distinguished by bytes, even if Swift considers them equal`() {
    let sums = overview([entry("e\u{301}:1"), entry("é:1")])
    #expect(sums.groups(by: .size).count == 2)
  }

  @Test func `Omitted groups are combined in one total, and nothing is lost`() {
    let sums = overview((0..<100).map { entry("p\($0 + 100):x", $0, expires: Double($0) - 50) })
    let groups = sums.groups(by: .size, limit: 3)
    #expect(names(groups) == ["p199:", "p198:", "p197:", "+97"])
    #expect(sum(groups) == sums.total)
    #expect(names(sums.groups(by: .size, limit: 0)) == ["+100"])
  }

  @Test func `A large number of prefixes needs only limited memory`() {
    var sums = Overview(delimiter: ":", at: now)
    let count = 200_000
    // The large ones are at the start, at the end and in between.
    for number in 0..<count {
      let isLarge = number % 10_000 == 0 || number == count - 1
      let text = String(number)
      let key = "p" + String(repeating: "0", count: 7 - text.utf8.count) + text + ":x"
      sums.add(Entry(key: .text(key), size: isLarge ? 1_000 + number / 200 : 1))
    }
    let groups = sums.groups(by: .size)
    #expect(groups.count <= 2 * Overview.keptCount + 2)
    #expect(sums.arePrefixesExact)
    #expect(sum(groups) == sums.total)
    #expect(sums.total.count == count)
    #expect(groups.prefix(21).allSatisfy { ($0.sum.bytes ?? 0) >= 1_000 })
    #expect(groups[0].sum.bytes == 1_999 && groups[20].sum.bytes == 1_000)
    guard case .others(let others)? = groups.last?.name else {
      Issue.record("there are no others")
      return
    }
    #expect(others == count - groups.count + 1)
  }

  @Test func `A prefix that is read in several parts is complete as long as it is retained`() {
    let sums = overview([entry("b:1"), entry("a:1"), entry("b:2")])
    #expect(names(sums.groups(by: .count)) == ["b:", "a:"])
    #expect(sums.arePrefixesExact)
  }

  @Test func `If prefixes are dropped, they are marked as inexact, and the total is correct`() {
    let numbers = Array((0..<20_000).reversed())
    let sums = overview((numbers + numbers).lazy.map { entry("p\($0 + 100_000):x") })
    #expect(!sums.arePrefixesExact)
    #expect(sum(sums.groups(by: .size, limit: 5)) == sums.total)
    #expect(sums.total.count == 40_000)
  }

  @Test func `A prefix longer than the maximum is ignored`() {
    let long = String(repeating: "x", count: Overview.maximumLength) + ":y"
    #expect(names(overview([entry(long)]).groups(by: .size)) == ["-"])
    #expect(names(overview([entry(String(long.dropFirst()))]).groups(by: .size)) != ["-"])
  }

  // MARK: Sizes and types

  @Test func `Sizes that overflow are capped at the maximum`() {
    let sums = overview([
      entry("a:1", .max), entry("a:2", .max), entry("b:1", .min), entry("c:1", -1),
    ])
    #expect(sums.total.bytes == .max)
    #expect(sums.groups(by: .size).map(\.sum.bytes) == [.max, 0, 0])
    #expect(sums.share(of: sums.total) == 1)
    var twice = sums.total
    twice.add(sums.total)
    #expect(twice.bytes == .max)
  }

  @Test func `Unknown sizes do not count as zero`() {
    let sums = overview([entry("a:1", nil), entry("a:2", nil), entry("b:1", nil)])
    #expect(sums.total.bytes == nil && sums.total.sizedCount == 0)
    #expect(sums.largest.isEmpty)
    #expect(sums.share(of: sums.groups(by: .size)[0].sum) == 2.0 / 3)
    let some = overview([entry("a:1", 3), entry("b:1", nil)])
    #expect(some.total.bytes == 3 && some.total.sizedCount == 1)
  }

  @Test func `An empty overview has no groups and no shares`() {
    let sums = overview([])
    #expect(sums.groups(by: .size).isEmpty && sums.types().isEmpty && sums.largest.isEmpty)
    #expect(sums.total.bytes == 0 && sums.share(of: sums.total) == 0)
    #expect(!sums.hasPrefixes && !sums.hasExpiry)
  }

  @Test func `Types are grouped by the names shown in lists`() {
    var link = entry("l", 2, nil)
    link.specialType = "link"
    let sums = overview([
      entry("a", 5), entry("b", 1, .data), entry("c", 1, .data), link, entry("d", 4, nil),
    ])
    #expect(sums.types().map(\.name) == ["text", "", "data", "link"])
    #expect(sums.types().map(\.sum.count) == [1, 1, 2, 1])
    #expect(sums.types(limit: 1).map(\.name) == ["text"])
  }

  @Test func `The largest entries are sorted by size`() {
    let sizes = [5, 1, 9, 9, 3, 7, 2]
    let entries = sizes.enumerated().map { entry("k\($0.offset)", $0.element) }
    let sums = overview(entries, largestCount: 3)
    #expect(sums.largest.map(\.size) == [9, 9, 7])
    #expect(sums.largest.map(\.key) == [.text("k2"), .text("k3"), .text("k5")])
    #expect(overview(entries, largestCount: 0).largest.isEmpty)
    let more = (0..<5_000).map { (size: Int) in entry("k\(size)", size) }
    let many = overview(more, largestCount: .max)
    #expect(many.largest.count == Overview.maximumLargestCount)
  }

  // MARK: Expiry

  @Test func `The histogram counts each entry once, including at span boundaries`() {
    let seconds: [Double?] = [
      nil, -1e9, 0, 0.5, 60, 60.5, 600, 3_600, 3_601, 21_600, 86_400, 86_401, 604_800, 2_592_000,
      2_592_001, 1e300,
    ]
    let sums = overview(seconds.enumerated().map { entry("a:\($0.0)", expires: $0.1) })
    let total = sums.total
    #expect(OverviewSpan.allCases.map(total.count) == [2, 2, 3, 3, 5, 1])
    #expect(total.histogram == [2, 2, 1, 2, 1, 2, 1, 2])
    #expect(total.histogram.reduce(0, +) + total.expired + total.never == total.count)
    #expect(total.next == now.addingTimeInterval(0.5))
    #expect(sums.hasExpiry && total.timedCount == seconds.count - 1)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `A time that is not a finite number is counted in some span`(seconds: Double) {
    let sums = overview([entry("a:1", expires: seconds), entry("a:2", expires: 5)])
    #expect(OverviewSpan.allCases.map(sums.total.count).reduce(0, +) == 2)
    #expect(sums.total.next == now.addingTimeInterval(5))
    #expect(!OverviewText.left(until: now.addingTimeInterval(seconds), at: now).isEmpty)
  }

  @Test func `The next expiry of several groups is the earliest`() {
    let sums = overview([
      entry("a:1", expires: -5), entry("b:1", expires: 90), entry("b:2", expires: 30), entry("c:1"),
    ])
    let next = sums.groups(by: .name).map { OverviewText.next($0.sum, at: now) }
    #expect(next == ["-", "30s", "never"])
    #expect(sums.total.next == now.addingTimeInterval(30))
  }

  // MARK: Words and bars

  @Test(
    arguments: [
      (0, ""), (1.0 / 64, "▏"), (0.5, "████"), (0.55, "████▍"), (1, "████████"), (7, "████████"),
      (-1, ""),
    ] as [(Double, String)])
  func `Bars have a resolution of an eighth of a cell`(share: Double, bar: String) {
    #expect(OverviewText.bar(share, width: 8) == bar)
  }

  @Test func `Fractions of a cell never exceed the width`() {
    for number in 0...1_000 {
      let bar = OverviewText.bar(Double(number) / 1_000, width: 5)
      #expect(bar.count <= 5)
    }
    #expect(OverviewText.percent(0.1234) == "12.3%" && OverviewText.percent(2) == "100.0%")
  }

  // MARK: Reading

  private func store(_ source: PagedSource, _ capabilities: StoreCapabilities = []) -> Store {
    Store(
      kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "test"), capabilities: capabilities, keyStyle: .text,
      source: AnyDataSource(source))
  }

  @Test func `All pages are read without values, and the delimiter is guessed once`() async throws {
    let source = PagedSource((0..<9_000).map { entry("a\($0 % 3)/\($0)", 2) })
    var sums = Overview(delimiter: nil, at: now)
    var guesses = 0
    var counts: [Int] = []
    try await sums.read(
      from: store(source),
      guessing: { keys in
        guesses += keys.isEmpty ? 0 : 1
        return "/"
      }
    ) { counts.append($0.total.count) }
    #expect(sums.isWhole && sums.total.count == 9_000 && sums.total.bytes == 18_000)
    #expect(Set(names(sums.groups(by: .size))) == ["a0/", "a1/", "a2/"])
    #expect(guesses == 1 && sums.delimiter == "/")
    #expect(counts.last == 9_000 && counts == counts.sorted() && counts.count > 1)
    #expect(source.details == [.summary])
  }

  @Test func `Entries read before a failure are retained`() async throws {
    let source = PagedSource((0..<9_000).map { entry("a:\($0)") }, failingAt: 2)
    var sums = Overview(delimiter: ":", at: now)
    await #expect(throws: StoreError.self) {
      try await sums.read(from: store(source), guessing: { _ in nil }) { _ in }
    }
    #expect(!sums.isWhole && sums.total.count == 4_000)
  }

  @Test func `Cancelling stops reading and retains the entries read so far`() async throws {
    let source = PagedSource((0..<9_000).map { entry("a:\($0)") })
    let (store, now) = (store(source), now)
    let work = Task {
      var sums = Overview(delimiter: ":", at: now)
      try? await sums.read(from: store, guessing: { _ in nil }) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return sums
    }
    let sums = await work.value
    #expect(!sums.isWhole && sums.total.count == 4_000)
  }
}

/// A source with entries in a fixed order, returned in pages.
private final class PagedSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let entries: [Entry]
  private let places: [EntryKey: Int]
  private let failing: Int?
  private let asked = Locked<[EntryPageQuery.Detail]>([])

  init(_ entries: [Entry], failingAt page: Int? = nil) {
    self.entries = entries
    places = Dictionary(
      entries.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { $1 })
    failing = page
  }

  var details: Set<EntryPageQuery.Detail> { Set(asked.withLock { $0 }) }

  func get(_ query: any Query) -> Future<Entry> { Future(CoreError.QueryNotSupported()) }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    guard let query = query as? EntryPageQuery else { return Future(CoreError.QueryNotSupported()) }
    let count = asked.withLock { details in
      details.append(query.detail)
      return details.count
    }
    if count == failing { return Future(StoreError.failed("it broke")) }
    let start = query.after.flatMap { places[$0] }.map { $0 + 1 } ?? 0
    return Future(Array(entries.dropFirst(start).prefix(query.limit)))
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    Future(CoreError.QueryNotSupported())
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    Future(CoreError.QueryNotSupported())
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { Future(CoreError.QueryNotSupported()) }
}
