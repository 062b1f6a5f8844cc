import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// MMKV files, written by MMKV 2.2.2 or as its versions write them.
struct MMKVTests {
  private static let plain = (
    log: """
    NAEAALqE8VMEbmFtZQQDQWRhBGxvbmeEAYIBeHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eAVlbXB0eQEAA3llcwEBAm5vAQAEem/DqwcG5pel5pysA2ludAEqBW1p\
    bnVzCv///////////wEIbG9uZyBpbnQGgICAgIAgBHdoZW4GgNCV/7wxBmRvdWJsZQgAAAAAAADgPwVieXRlcwQD\
    AP8QBWFnYWluBANvbGQFYWdhaW4EA25ldwdyZW1vdmVkBQRnb25lB3JlbW92ZWQA
    """, header: "+TOZLgQAAAABAAAAAAAAAAAAAAAAAAAAAAAAADQBAAAEAAAADBJySg=="
  )
  /// Encrypted with a key.
  private static let secret = (
    log: """
    NAEAAILWgkbO85IY9ojYyGYmNRe0W69+Ehyzhw7tvTFG/5HX8Hn1UY0jqpDnlwJWJKRfbQL3e8GAxuaqKrYHI9PK\
    e6CwX/2zkoi1n8Sz9EiCtlIdCWOwMhgw/24LKWFsPHPF/yfbXIXP/Nq6eXXaApfG1OctK79WrKQxdUXwy8Kfbpx8\
    z2SjxONhzNhMhpp1IUKRhGpUIkPhp8WoEe8YdkAhOT42bWcFrsH0x7hpJZA9kyikleZ+eiHGUjHMUtGqE8T8vmnt\
    qHySvh7tWAj2iI8imXlA+7+/9to4yxGTvaDNwv9nw3bxqRXjB+qtLxYJrbSOjcFv0vktIdtxqgr13HRcMGv6GLvE\
    n78C8TTPd6SvLTBvSHjx2qZRerwA36tURo6OCvOEJwn0mdVIGs8i3CeFFZ2AZbQw
    """, header: "Ub45NAQAAAABAAAAOkKcaXD55lDnuFk4IgbKRzQBAAAEAAAAQvYaeQ=="
  )
  /// With expiries.
  private static let timed = (
    log: "KwAAALqE8VMEbmFtZQgDQWRhAAAAAARzb29uCQRzb29ueOwKawNpbnQFBwAAAAA=",
    header: """
    QTe5yAQAAAACAAAAAAAAAAAAAAAAAAAAAAAAACsAAAAEAAAADBJySgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB
    """
  )
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// Creates both files, as large as a memory page, and returns the path of the first.
  private func write(_ file: (log: String, header: String)) throws -> String {
    try write(
      log: [UInt8](#require(Data(base64Encoded: file.log))),
      header: [UInt8](#require(Data(base64Encoded: file.header))))
  }

  private func write(log: [UInt8], header: [UInt8]) throws -> String {
    func page(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: max(0, 4_096 - bytes.count))
    }
    _ = try folder.write(page(header), to: "app.crc")
    return try folder.write(page(log), to: "app")
  }

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// Returns a header of version 3 or before, which ends with the size.
  private static func header(_ log: [UInt8], version: Int, size: Int? = nil) -> [UInt8] {
    little(Int(checksum(log))) + little(version) + little(1) + [UInt8](repeating: 0, count: 16)
      + little(size ?? log.count)
  }

  /// The CRC-32 of zlib, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
    [UInt8(key.utf8.count)] + Array(key.utf8) + [UInt8(value.count)] + value
  }

  @Test func `Strings and certain integers are shown, and other values as bytes`() async throws {
    let open = try await Stores.open(try write(Self.plain))
    #expect(open.kind.name == "mmkv" && open.readOnlyReason != nil)
    let store = try await open.store(nil)
    let entries = try await store.source.getAll(EntryPageQuery(limit: 20, detail: .values)).get()
    let expected: [(String, StoredValue)] = [
      ("again", .text("new")), ("bytes", .data([3, 0, 0xFF, 0x10])),
      ("double", .data([0, 0, 0, 0, 0, 0, 0xE0, 0x3F])), ("empty", .data([0])),
      ("int", .integer(42)), ("long", .text(String(repeating: "x", count: 130))),
      ("long int", .integer(1 << 40)), ("minus", .integer(-1)), ("name", .text("Ada")),
      ("no", .data([0])), ("when", .integer(1_700_000_000_000)), ("yes", .data([1])),
      ("zoë", .text("日本")),
    ]
    #expect(entries.map(\.key) == expected.map { .text($0.0) })
    #expect(entries.map(\.value) == expected.map(\.1))
    let count = try await store.source.getAll(EntryPageQuery(prefix: "lo", limit: 9)).get().count
    #expect(count == 2)
    await #expect(throws: CoreError.NotFound.self) { try await store.value(.text("removed")) }
  }

  @Test func `All writes are refused`() async throws {
    let store = try await Stores.store(try write(Self.plain))
    let before = (try folder.bytes("app"), try folder.bytes("app.crc"))
    let print = try #require(
      try await store.source.get(EntryQuery(.text("name"))).get().fingerprint)
    let writes: [() async throws -> Void] = [
      { _ = try await store.set(.text("x"), .text("name")) },
      { try await store.source.delete(EntryQuery(.text("name"))).get() },
      {
        let change = EntryChange(.text("name"), value: .text("x"), expecting: print)
        _ = try await store.source.putAll([], in: ChangesQuery([change])).get()
      },
      {
        let rename = RenameQuery(.text("name"), to: .text("x"), expecting: print)
        _ = try await store.source.put(nil, in: rename).get()
      },
    ]
    for write in writes {
      let error = await #expect(throws: StoreError.self) { try await write() }
      #expect(error?.code == "readOnly")
    }
    #expect(try before == (folder.bytes("app"), folder.bytes("app.crc")))
  }

  @Test func `Expiries are not part of the values`() async throws {
    let store = try await Stores.store(try write(Self.timed))
    #expect(store.capabilities.contains(.expiry))
    let entries = try await store.source.getAll(EntryPageQuery(limit: 9, detail: .values)).get()
    #expect(entries.map(\.key) == [.text("int"), .text("name"), .text("soon")])
    #expect(entries.map(\.value) == [.integer(7), .text("Ada"), .text("soon")])
    #expect(
      entries.map(\.expires) == [nil, nil, Date(timeIntervalSince1970: 0x6B0A_EC78)])
  }

  @Test func `An encrypted file is refused`() async throws {
    let path = try write(Self.secret)
    let error = await #expect(throws: StoreError.self) { try await Stores.open(path) }
    #expect(error?.code == "cannotOpen")
  }

  @Test func `A damaged file is refused instead of showing wrong values`() async throws {
    let path = try write(Self.plain)
    var bytes = try folder.bytes("app")
    bytes[20] ^= 1
    _ = try folder.write(bytes, to: "app")
    let damaged = await #expect(throws: StoreError.self) { try await Stores.open(path) }
    #expect(damaged?.code == "corrupt")
    _ = try folder.write(Array(bytes.prefix(100)), to: "app")
    let truncated = await #expect(throws: StoreError.self) { try await Stores.open(path) }
    #expect(truncated?.code == "corrupt")
  }

  @Test func `A change by the app is seen`() async throws {
    let path = try write(Self.plain)
    let store = try await Stores.store(path)
    #expect(try await store.value(.text("name")) == .text("Ada"))
    let log = [0] + Self.record("name", [3, 0x42, 0x6F, 0x62])
    _ = try write(log: Self.little(log.count) + log, header: Self.header(log, version: 3))
    #expect(try await store.value(.text("name")) == .text("Bob"))
    await #expect(throws: CoreError.NotFound.self) { try await store.value(.text("int")) }
  }

  /// Version 2 and earlier have the size in the first file alone; version 3 may not update it.
  @Test(arguments: [(0, true), (1, true), (2, true), (3, true), (3, false)])
  func `Each version has its size where it is`(version: Int, isFirst: Bool) async throws {
    let log = [0xFF, 0xFF, 0xFF, 7] + Self.record("k", [1, 0x76])
    let path = try write(
      log: Self.little(isFirst ? log.count : 0) + log,
      header: Self.header(log, version: version, size: isFirst ? 0 : log.count))
    #expect(try await Stores.store(path).value(.text("k")) == .text("v"))
  }

  @Test(
    arguments: [
      [0x05], [0x80], [0, 1], [0, 0, 1, 1], [0, 1, 0xFF, 1, 1], [0, 0x7F, 0x6B],
      [0, 1, 0x6B, 5, 1],
      [0, 1, 0x6B] + [UInt8](repeating: 0xFF, count: 9) + [1],
      [0] + [UInt8](repeating: 0xFF, count: 30),
    ] as [[UInt8]])
  func `Invalid records are refused, although the checksum is right`(
    log: [UInt8]
  ) async throws {
    let path = try write(
      log: Self.little(log.count) + log, header: Self.header(log, version: 3))
    let error = await #expect(throws: StoreError.self) { try await Stores.open(path) }
    #expect(error?.code == "cannotOpen")
  }

  @Test func `Other files with a checksum beside them are not taken for MMKV`() async throws {
    let json = Array("{\"a\": 1}".utf8)
    _ = try folder.write(json, to: "app")
    for header in [
      [], Array("0123456789abcdef0123456789abcdef".utf8), Self.header(json, version: 7),
      Self.header(json, version: 3), [UInt8](repeating: 0, count: 20),
    ] {
      _ = try folder.write(header, to: "app.crc")
      #expect(try await Stores.open(folder.file("app")).kind.name == "json")
    }
  }
}
