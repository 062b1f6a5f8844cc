import HarmonyTesting
import LarderModel
import Testing

@testable import LarderFormats

/// Damaged and hostile bytes in the formats of serializers: never a trap, never slow.
@Suite struct HostileFormatTests {
  private static let formats: [ValueFormat] = [.pickle, .marshal, .php, .msgpack, .cbor, .protobuf]

  /// Reads bytes in every format, suitable or not, and lays them out where they are suitable.
  private func read(_ bytes: [UInt8]) {
    let values = [StoredValue.data(bytes), StoredValue(textBytes: bytes)]
    for value in values.prefix(bytes.count > 10_000 ? 1 : 2) {
      for format in Self.formats {
        let isSuitable = format.suits(value) > 0
        guard case .headed(let head, .structure(let structure)) = format.compared(value) else {
          Issue.record("\(format.name) has no heading")
          continue
        }
        #expect(head.first?.text.hasPrefix(format.name + ": ") == true)
        if isSuitable {
          #expect(format.lines(value, 50, 80).count <= 52)
          #expect(!structure.isLarger(than: 64 << 20))
        }
      }
    }
  }

  @Test(arguments: SerializedSamples.all)
  func `Truncated samples are read without a trap`(_ name: String, _ bytes: [UInt8]) {
    for count in bytes.indices { read(Array(bytes.prefix(count))) }
  }

  @Test(arguments: SerializedSamples.all)
  func `Changed samples are read without a trap`(_ name: String, _ bytes: [UInt8]) {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of changed samples, \(name): \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard let place = changed.indices.randomElement(using: &random) else { break }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[place] = .random(in: 0...255, using: &random)
        case 1: changed.remove(at: place)
        default: changed.insert(.random(in: 0...255, using: &random), at: place)
        }
      }
      read(changed)
    }
  }

  @Test func `Random bytes are read without a trap`() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of random bytes: \(seed)")
    var random = SeededGenerator(seed: seed)
    let starts: [[UInt8]] = [
      [], [0x80, 4], [4, 8], [0xD9, 0xD9, 0xF7], [0x0A], Array("a:".utf8),
    ]
    for _ in 0..<2_000 {
      let start = starts.randomElement(using: &random) ?? []
      let count = Int.random(in: 0..<200, using: &random)
      read(start + (0..<count).map { _ in .random(in: 0...255, using: &random) })
      // Opcodes only, and a stop, which goes further into pickles.
      let codes = Array("(0129NKMIJUXCabcdeghilopqrstu]})R\u{7F}".utf8) + Array(0x80...0x98)
      read(
        [0x80, 4] + (0..<count).compactMap { _ in codes.randomElement(using: &random) } + [0x2E])
    }
  }

  /// Hostile bytes, which are not printed when they fail a test.
  struct Bomb: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(
      _ name: String, _ start: [UInt8] = [], of part: [UInt8], _ end: [UInt8] = [],
      size: Int = 1 << 17
    ) {
      testDescription = name
      bytes = start + repeatElement(part, count: size / part.count).joined() + end
    }
  }

  private static let text = [UInt8](repeating: 0x61, count: 1 << 17)
  /// The length of the text in marshalled data.
  private static let length: [UInt8] = [3, 0, 0, 2]
  /// A long name and a class that has it, in the memo of a pickle.
  private static let long: [UInt8] =
    [0x58, 0, 0, 2, 0] + text + [0x94, 0x68, 0, 0x68, 0, 0x93, 0x94]

  private static let nones = [UInt8](repeating: 0x4E, count: 1 << 18)

  /// A pickle with a small dictionary in its memo, and an object with 100,000 members.
  private static let large = pickle(of: "a\nb\n")

  /// The same, whose object is a UUID.
  private static let uuid = pickle(of: "uuid\nUUID\n")

  private static func pickle(of name: String) -> [UInt8] {
    [0x80, 4] + Array("}".utf8) + [0x94] + Array("KaNsc\(name))".utf8) + [0x81]
      + Array("}(".utf8) + nones.prefix(200_000) + Array("ub".utf8)
  }

  @Test(arguments: [
    Bomb("pickled lists", [0x80, 4], of: [0x5D], [0x2E]),
    Bomb("nested lists", [0x80, 4], of: [0x5D], [UInt8](repeating: 0x61, count: 131_071) + [0x2E]),
    Bomb("pickled tuples", [0x80, 4, 0x4E], of: [0x85], [0x2E]),
    Bomb("pickled marks", [0x80, 4], of: [0x28], [0x2E]),
    Bomb("pickled calls", [0x80, 4] + Array("ca\nb\n".utf8), of: [0x29, 0x52], [0x2E]),
    Bomb(
      "small tuples on a large stack", [0x80, 4] + nones, of: [0x28, 0x4E, 0x74, 0x30], [0x2E]),
    Bomb("states of a large object", large, of: [0x68, 0, 0x62], [0x2E]),
    // Nearly the maximum size of a pickle.
    Bomb(
      "an object that is its own state", [0x80, 4] + Array("ca\nb\n)".utf8) + [0x81],
      of: [0x32, 0x62], [0x2E], size: (1 << 20) - 16),
    Bomb("long names of classes", [0x80, 4] + long, of: [0x68, 0, 0x68, 0, 0x93, 0x30], [0x2E]),
    Bomb("instances of a class with a long name", [0x80, 4] + long, of: [0x68, 1, 0x29, 0x81]),
    Bomb("integers of a UUID", uuid, of: [0x68, 0, 0x62], [0x2E]),
    Bomb("links to a long symbol", [4, 8, 0x5B, 3, 0, 0, 1, 0x3A] + length + text, of: [0x3B, 0]),
    Bomb("MessagePack arrays", of: [0x91]), Bomb("MessagePack maps", of: [0x81]),
    Bomb("empty MessagePack arrays", [0xDD, 0, 2, 0, 0], of: [0x90]),
    Bomb("CBOR arrays", of: [0x81]), Bomb("CBOR arrays without end", of: [0x9F]),
    Bomb("CBOR tags", CBORReader.magic, of: [0xC1]), Bomb("CBOR maps", of: [0xBF]),
    Bomb("groups", of: [0x0B]), Bomb("messages", of: [0x0A, 0x7F]),
    Bomb("fields", of: [0x08, 0x01]),
    Bomb("PHP arrays", of: Array("a:1:{i:0;".utf8)),
    Bomb("PHP numbers", Array("a:1:{i:".utf8), of: [0x39]),
    Bomb("marshalled arrays", [4, 8], of: [0x5B, 0x06]),
    Bomb("marshalled variables", [4, 8], of: [0x49]),
    Bomb("marshalled classes", [4, 8], of: [0x43, 0x3A, 0x06, 0x41]),
    Bomb("marshalled symbols", [4, 8, 0x49], of: [0x3A, 0x06, 0x41, 0x06]),
  ])
  func `Deep nesting ends early`(_ bomb: Bomb) {
    let duration = ContinuousClock().measure { read(bomb.bytes) }
    #expect(duration < .seconds(10), "\(duration)")
  }

  @Test(
    arguments: [
      ("pickled bytes", [0x80, 4, 0x8E, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x2E]),
      ("pickled text", [0x80, 4, 0x8D, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x2E]),
      ("pickled string", [0x80, 4, 0x54, 0xFF, 0xFF, 0xFF, 0xFF, 0x2E]),
      ("pickled integer", [0x80, 4, 0x8B, 0xFF, 0xFF, 0xFF, 0xFF, 0x2E]),
      ("pickled frame", [0x80, 4, 0x95] + [UInt8](repeating: 0xFF, count: 8) + [0x4E, 0x2E]),
      ("MessagePack array", [0xDD, 0xFF, 0xFF, 0xFF, 0xFF, 0xA1, 0x61]),
      ("MessagePack map", [0xDF, 0xFF, 0xFF, 0xFF, 0xFF, 0xA1, 0x61]),
      ("MessagePack data", [0x92, 0xC6, 0xFF, 0xFF, 0xFF, 0xFF, 0xA1, 0x61]),
      ("CBOR array", CBORReader.magic + [0x9B] + [UInt8](repeating: 0xFF, count: 8)),
      ("CBOR map", CBORReader.magic + [0xBB] + [UInt8](repeating: 0xFF, count: 8)),
      ("CBOR bytes", CBORReader.magic + [0x5B] + [UInt8](repeating: 0xFF, count: 8)),
      ("CBOR number", CBORReader.magic + [0x3B] + [UInt8](repeating: 0xFF, count: 8)),
      ("field", [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [0x01]),
      ("PHP array", Array("a:9223372036854775807:{i:0;i:0;}".utf8)),
      ("PHP string", Array(#"s:9223372036854775807:"a";"#.utf8)),
      ("PHP escapes", Array(#"S:9223372036854775807:"a";"#.utf8)),
      ("PHP reference", Array("a:1:{i:0;R:9223372036854775807;}".utf8)),
      ("PHP negative reference", Array("a:1:{i:0;R:-9223372036854775808;}".utf8)),
      ("marshalled array", [4, 8, 0x5B, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
      ("marshalled integer", [4, 8, 0x6C, 0x2B, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
      ("marshalled negative length", [4, 8, 0x22, 0x80]),
      ("marshalled link", [4, 8, 0x40, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func `Lengths beyond the end allocate nothing`(_ name: String, _ bytes: [UInt8]) {
    let duration = ContinuousClock().measure { read(bytes) }
    #expect(duration < .seconds(5), "\(name): \(duration)")
  }

  /// A pickle of lists that each contain the previous one ten times.
  private static var laughs: [UInt8] {
    var bytes: [UInt8] = [0x80, 4, 0x5D, 0x94]
    for level in UInt8(0)..<60 {
      bytes +=
        [0x5D, 0x94, 0x28] + [[UInt8]](repeating: [0x68, level], count: 10).joined() + [0x65]
    }
    return bytes + [UInt8](repeating: 0x86, count: 60) + [0x2E]
  }

  @Test func `Structures that share their members are cut`() throws {
    let laughs = StoredValue.data(Self.laughs)
    #expect(ValueFormat.pickle.suits(laughs) == 6)
    let duration = ContinuousClock().measure {
      let head = ValueFormat.pickle.lines(laughs, 10, 80)[0].text
      #expect(head.hasSuffix("; not all members are shown"))
      #expect(ValuePreview(laughs).text.hasPrefix("80 04"))
    }
    #expect(duration < .seconds(10), "\(duration)")
    var php = "a:41:{i:0;a:1:{i:0;i:1;}"
    // The slots: 1 is the array, 2 and 3 its first member, and two more for each level.
    var slot = 2
    for level in 1...40 {
      php += "i:\(level);a:2:{i:0;R:\(slot);i:1;R:\(slot);}"
      slot = level + 3
    }
    let doubled = StoredValue.text(php + "}")
    #expect(ValueFormat.php.suits(doubled) == 6)
    #expect(ValueFormat.php.lines(doubled, 10, 80)[0].text.hasSuffix("; not all members are shown"))
  }

  @Test func `Objects that are copied again and again are refused`() {
    // A dictionary with 2,000 members that is the state of an object 100,000 times.
    var bytes: [UInt8] = [0x80, 4, 0x7D, 0x94, 0x28]
    for number in 0..<2_000 { bytes += [0x4D, UInt8(number & 0xFF), UInt8(number >> 8), 0x4E] }
    bytes += [0x75] + Array("ca\nb\n)".utf8) + [0x81]
    for _ in 0..<100_000 { bytes += [0x68, 0, 0x62] }
    let duration = ContinuousClock().measure {
      #expect(ValueFormat.pickle.suits(.data(bytes + [0x86, 0x2E])) == 0)
    }
    #expect(duration < .seconds(10), "\(duration)")
  }

  @Test func `Names that contain names stay short`() {
    // Hashes whose only key is another hash, whose quotes would be quoted again and again.
    let bytes: [UInt8] =
      [4, 8] + [[UInt8]](repeating: [0x7B, 0x06], count: 100).joined()
      + [0x22, 0x06, 0x22] + [UInt8](repeating: 0x30, count: 100)
    let value = StoredValue.data(bytes)
    #expect(ValueFormat.marshal.suits(value) == 6)
    #expect(ValueFormat.marshal.lines(value, 10, 80).map(\.text.utf8.count).max() ?? 0 < 1_000)
  }

  @Test func `Integers of a megabyte are shown in hex`() {
    let bytes = [0x80, 4, 0x8B, 0, 0, 0x08, 0] + [UInt8](repeating: 0x7F, count: 1 << 19) + [0x2E]
    let duration = ContinuousClock().measure {
      #expect(ValueFormat.pickle.lines(.data(bytes), 10, 80)[1].text.hasPrefix(#""0x7f7f"#))
    }
    #expect(duration < .seconds(10), "\(duration)")
  }

  @Test func `Text in any encoding is not taken for a binary format`() {
    let texts = [
      "£123,45", "“abc", "„1,2“", "’90", "Übersicht", "¡Hola!", "€ 5", "‘a’", "plain", "a\tb\n",
      "naïve café", "HP", "hpx",
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let pairs = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      for bytes in [bytes, wide, pairs] {
        let first = ValueFormat.suitable(for: .data(bytes)).first
        #expect(["text", "hex"].contains(first?.name), "\(text)")
      }
    }
    // Printable characters of Windows-1252 by chance.
    var random = SeededGenerator(seed: 1)
    let printable = Array(UInt8(0x20)...0x7E) + Array(0x80...0xFF)
    for _ in 0..<5_000 {
      let count = Int.random(in: 1...12, using: &random)
      let bytes =
        [UInt8.random(in: 0x80...0xFF, using: &random)]
        + (0..<count).compactMap { _ in printable.randomElement(using: &random) }
      let name = ValueFormat.suitable(for: .data(bytes)).first?.name
      #expect(name == "hex" || name == "text", "\(bytes)")
    }
  }

  @Test(arguments: [8, 16, 20, 32])
  func `Random keys and digests are shown as a hex dump`(_ count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var others = 0
    for _ in 0..<5_000 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let value = StoredValue.data(bytes)
      if Self.formats.contains(where: { $0.suits(value) > 3 }) { others += 1 }
    }
    #expect(others <= 1)
  }
}
