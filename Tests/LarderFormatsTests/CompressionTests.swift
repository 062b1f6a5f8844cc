import Foundation
import HarmonyTesting
@testable import LarderFormats
import LarderModel
import Testing

/// Compressed bytes without and with their libraries.
@Suite struct CompressionTests {
  /// Samples of the libraries: `{"name":"Ada","tags":["math","engine"]}`, “likes tea ” twenty times,
  /// and a binary property list.
  private enum Sample {
    // gzip and zlib of Python 3.11 (zlib 1.2.13).
    static let gzipJSON =
      "H4sIAAAAAAACA6tWykvMTVWyUnJMSVTSUSpJTC9WsopWyk0syQByU/PSM/NSlWJrAUVXP1YnAAAA"
    static let zlibText = "eJzLycxOLVYoSU1UyBnSLAAqUEdp"
    // zstandard 0.25.0 for Python (libzstd 1.5.7): with a checksum, without, and two frames.
    static let zstdJSON = """
      KLUv/SQnOQEAeyJuYW1lIjoiQWRhIiwidGFncyI6WyJtYXRoIiwiZW5naW5lIl19v3zXAw==
      """
    static let zstdText = "KLUv/SDIjQAAUGxpa2VzIHRlYSABALtSBQk="
    static let zstdTwo = "KLUv/SAEIQAAb25lICi1L/0gAxkAAHR3bw=="
    // lz4 4.4.5 for Python (liblz4 1.10.0): with a checksum of the content, and without.
    static let lz4JSON = """
      BCJNGGxAJwAAAAAAAABnJwAAgHsibmFtZSI6IkFkYSIsInRhZ3MiOlsibWF0aCIsImVuZ2luZSJdfQAAAADYYDDa
      """
    static let lz4Text = "BCJNGGhAyAAAAAAAAADUFAAAAK9saWtlcyB0ZWEgCgCmUCB0ZWEgAAAAAA=="
    // brotli 1.2.1 for Python, in quality 11, 11, 0, 5 and 11.
    static let brotliJSON = """
      CxOAeyJuYW1lIjoiQWRhIiwidGFncyI6WyJtYXRoIiwiZW5naW5lIl19Aw==
      """
    static let brotliText = "G8cA+MVjbF37GoZ4hIChAHgdDRcB"
    static let brotliFast = """
      i2MAAICqqqrq/3Tl85UPfGBgvjH/31X/nnure0Z1eRvDXfFiYWFhY2NVLzOqgw8ffgwGg3GcyaoaDAaDwWAwhzoj\
      UlEahcNCO8neE9ypo+Eizn6y3Q==
      """
    static let brotliLines = """
      G98FAMSsC/2FDjC7u8klQAWvP3SmVKCCd7xiBXmy6n8nAt0r9dfOeD9YldmFtoBPMHQvVIdBbSpHkA4hY7HRV/vn\
      /Xw8zxXr//6s2+v6Xd9zxfGmY6BzuGtM9wdlPU9mryWPvpe/33tVMH1WRx6QphCPM9ILsGygqnEpf6dw520BJuYC\
      m32PSV1iZOZIVTOzDwOWDVhuwEoCVm7AowC38jJs+x7DtiMzsHMJ4hggjl5BCCFxUuEZVUnaRCGDBNhQeyCB7RIk\
      gaAOu1HTTXmjYfZxcuezZAAWalqSN/d4JcOex2Q4AxzMxQCeBIAnGcCTCuBJB8iLCfLB8jOI+66QiB1fSB6cX57h\
      RSAlaBcSiXqHRFKNQvKTGwc=
      """
    static let brotliList = """
      GzwA+Aee3PHv+i1pn7WWaKQHWEBhpqGWikgiViHQRvvcmPOLsU6X7iLP640p19YBQAQACDAA
      """
    // Google's libsnappy 1.1.9 (Debian 1.1.9-3), raw blocks.
    static let snappyJSON = "J5h7Im5hbWUiOiJBZGEiLCJ0YWdzIjpbIm1hdGgiLCJlbmdpbmUiXX0="
    static let snappyText = "yAEkbGlrZXMgdGVhIP4KAP4KAPYKAA=="
    static let snappyLines = """
      4AtUWmVpbGUgMCDigJMgR3LDtsOfZSAwCgkWADEyFgAAMQ0WADIyFgAANA0WADMyFgAAOQ0WADQyFgAEMTYNFwA1\
      MhcABDI1DRcANjIXAAAzES4ANzIXAAA0EVwAODIXAAA2EYkAOTIXAAA4EbYAMTbjAAQxMBXlOuYAADIVMjbpAAQx\
      NBFiADE27AAEMTYRkgAxOu8AADkRwgAxOvEAFfIAMTbzAAQyNRUyNvUABDI4FWQ29wAEMzIVljb5AAQzNhHIADI2\
      +gAANBX6ADI2+gAENDQVMjb6AAQ0OBFkADI2+gAENTIRlgAyNvoABDU3EcgAMjb6AAA2FfoAMjb6AAA2GTI2+gAA\
      NxlkNvoAADcZljb6AAA4FcgAMzb6AAA5FfoAMzb6AAA5NSwAMzb6AAQxMDVfADM2+wAEMTA1kgAzNvwABDExNcUA\
      Mzb9AAAxOfgAMzb+AAQxMlUrADM2/wAEMTNVXgAzNgABBDE0VZEAMzYBAQQxNVXEADQ2AgEEMTY1AwA0NgMBBDE2\
      dSoANDoEAQA3dVsANDoEAQA4dYwANDoEAQA5db0ANDYEAQQyMFUCADQ2BAEIMjExUTUANDYEAQgyMjBRaAA0NgQB\
      CDIzMFGbADQ2BAEIMjQwUc4ANTYEAQQyNTUEADU2BAEEMjYZNDYEAQQyNxVoADU2BAEEMjgVnAA1NgQBBDI5FdAA\
      NTYEAQAzOQQANTYEAQQzMTU4ADU2BAEEMzI1bAA1NgQBBDMzNaAANTYEARAzNDgxCg==
      """
    static let snappyList = """
      PXRicGxpc3QwMNIBAgMEUWFRYhABoQVReAgNDxETFQAFAQQBAQUHCAAABg0IIAAAAAAAAAAAFw==
      """
    // cramjam 2.14.0 for Python (the Rust library snap), the framing format.
    static let framedJSON = """
      /wYAAHNOYVBwWQErAAANRFyueyJuYW1lIjoiQWRhIiwidGFncyI6WyJtYXRoIiwiZW5naW5lIl19
      """
    static let framedText = "/wYAAHNOYVBwWQAaAAC22lkSyAEkbGlrZXMgdGVhIP4KAP4KAPYKAA=="
  }

  private static let all = [
    Sample.gzipJSON, Sample.zlibText,
    Sample.zstdJSON, Sample.zstdText, Sample.zstdTwo, Sample.lz4JSON, Sample.lz4Text,
    Sample.brotliJSON, Sample.brotliText, Sample.brotliFast, Sample.brotliLines,
    Sample.brotliList, Sample.snappyJSON, Sample.snappyText, Sample.snappyLines,
    Sample.snappyList, Sample.framedJSON, Sample.framedText,
  ]

  private static let names = ["gzip", "zlib", "zstd", "lz4", "brotli", "snappy"]

  @Test(arguments: [
    (Sample.gzipJSON, "gzip: 39 bytes from 57, as json"),
    (Sample.zstdJSON, "zstd: 39 bytes from 52, as json"),
    (Sample.lz4JSON, "lz4: 39 bytes from 66, as json"),
    (Sample.brotliJSON, "brotli: 39 bytes from 43, as json"),
    (Sample.snappyJSON, "snappy: 39 bytes from 41, as json"),
    (Sample.framedJSON, "snappy: 39 bytes from 57, as json"),
  ])
  func `JSON is shown as JSON`(_ sample: String, _ head: String) {
    let sample = FormatSample(sample)
    #expect(
      sample.lines == [
        head, "{", #"  "name": "Ada","#, #"  "tags": ["#, #"    "math","#, #"    "engine""#, "  ]",
        "}",
      ])
    #expect(ValuePreview(sample.value).kind == sample.format)
  }

  @Test(arguments: [
    (Sample.zlibText, "zlib: 200 bytes from 21, as text"),
    (Sample.zstdText, "zstd: 200 bytes from 26, as text"),
    (Sample.lz4Text, "lz4: 200 bytes from 43, as text"),
    (Sample.brotliText, "brotli: 200 bytes from 21, as text"),
    (Sample.brotliFast, "brotli: 200 bytes from 85, as text"),
    (Sample.snappyText, "snappy: 200 bytes from 22, as text"),
    (Sample.framedText, "snappy: 200 bytes from 40, as text"),
  ])
  func `Text is shown as text`(_ sample: String, _ head: String) {
    #expect(
      FormatSample(sample).lines == [head, String(repeating: "likes tea ", count: 20)])
  }

  @Test(arguments: [Sample.brotliLines, Sample.snappyLines])
  func `All lines are complete, including letters beyond ASCII`(_ sample: String) {
    let lines = (0..<60).map { "Zeile \($0) – Größe \($0 * $0)" }
    #expect(FormatSample(sample).lines.dropFirst().dropLast() == lines[...])
  }

  @Test(arguments: [Sample.brotliList, Sample.snappyList])
  func `Property lists are recognized in formats without a header`(_ sample: String) {
    let lines = FormatSample(sample).lines
    #expect(lines[0].hasSuffix("as plist"))
    #expect(lines.contains(#"  "a": 1,"#))
  }

  @Test func `Text of more than a megabyte is recognized in formats without a header`() {
    // brotli 1.0.9: “likes tea ” 200,000 times.
    let brotli = FormatSample("m3+EHvjFY2xd+xqGeMSBoQAwfB51NFwE")
    #expect(brotli.lines.first == "brotli: 2,000,000 bytes from 24, as text")
    // Ten letters, and 64 more 20,000 times.
    let snappy =
      [0x8A, 0x90, 0x4E, 0x24] + Array("likes tea ".utf8)
      + Array(repeatElement([0xFE, 0x0A, 0x00], count: 20_000).joined())
    #expect(
      FormatSample(.data(snappy)).lines.first == "snappy: 1,280,010 bytes from 60,014, as text")
  }

  @Test(arguments: Codec.allCases)
  func `The description of a format names its compression`(_ codec: Codec) {
    #expect(ValueFormat.named(codec.rawValue)?.shows == "\(codec.rawValue)-compressed data")
  }

  @Test func `Concatenated frames are decompressed as one`() {
    #expect(FormatSample(Sample.zstdTwo).lines == ["zstd: 7 bytes from 25, as text", "one two"])
    let gzip = FormatSample(Sample.gzipJSON).bytes
    #expect(FormatSample(.data(gzip + gzip)).lines[0] == "gzip: 78 bytes from 114, as text")
    #expect(FormatSample(.data(gzip + [0, 1])).lines[0] == "gzip: 39 bytes from 59, as json")
    let two = FormatSample(
      .data(Array(repeatElement(FormatSample(Sample.lz4Text).bytes, count: 2).joined())))
    #expect(two.lines[0] == "lz4: 400 bytes from 86, as text")
  }

  @Test func `Compressed values inside base64 are shown in turn`() {
    let samples = [
      (Sample.zstdJSON, "zstd"), (Sample.lz4JSON, "lz4"), (Sample.brotliJSON, "brotli"),
      (Sample.snappyJSON, "snappy"), (Sample.framedJSON, "snappy"),
    ]
    for (base64, name) in samples {
      let sample = FormatSample(.text(base64))
      #expect(sample.format == "base64")
      #expect(sample.lines[0].hasSuffix("as \(name)"))
      #expect(sample.lines.contains(#"  "name": "Ada","#))
    }
  }

  @Test func `Damage is reported`() throws {
    for sample in [Sample.zstdJSON, Sample.lz4JSON, Sample.framedJSON].map({ FormatSample($0) }) {
      let short = FormatSample(.data(sample.bytes.dropLast(3)))
      #expect(short.lines[0].hasSuffix("; damaged: it ends too early"))
      var bytes = sample.bytes
      // A byte of the content, which the checksum covers.
      let place = try #require(bytes.firstIndex(of: UInt8(ascii: "A")))
      bytes[place] ^= 1
      let damaged = FormatSample(.data(bytes))
      #expect(damaged.lines[0].contains("; damaged: "), "\(damaged.lines[0])")
    }
  }

  @Test func `No damage and no random bytes trap or take long`() {
    for sample in Self.all { FormatSample(sample).withstandsDamage(in: Self.names) }
  }

  @Test func `Arbitrary bytes are not taken for formats without a header`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for size in [2, 3, 4, 5, 8, 16, 33, 300] {
      for _ in 0..<1_000 {
        let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        let names = ValueFormat.suitable(for: .data(bytes)).map(\.name)
        #expect(!names.contains("brotli") && !names.contains("snappy"), "\(bytes), seed \(seed)")
      }
    }
  }

  @Test func `Words that are valid base64 stay text`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let letters = (0..<Int.random(in: 8...20, using: &random)).map { _ in
        UInt8.random(in: 0x61...0x7A, using: &random)
      }
      let word = String(decoding: letters, as: UTF8.self)
      #expect(FormatSample(.text(word)).format == "text", "\(word), seed \(seed)")
    }
  }

  @Test(arguments: Self.all)
  func `Text is never taken for compressed data`(_ base64: String) {
    for value in [StoredValue.text(base64), .data(Array(base64.utf8))] {
      let names = ValueFormat.suitable(for: value).map(\.name)
      #expect(Set(names).isDisjoint(with: Self.names))
    }
  }

  @Test func `A few bytes that claim to be gigabytes take neither time nor memory`() {
    // A frame whose header says 2^60 bytes; blocks of 64 KiB of one byte, 10,000 times.
    let size: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xC0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x10]
    let run: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]
      + Array(repeatElement([0x02, 0, 0x08, 0x61], count: 10_000).joined())
    // A block of 4 GiB, a literal of 4 GiB, and a chunk longer than the rest.
    let block: [UInt8] =
      [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x00, 0x61]
      + Array(repeatElement([0xFE, 0x01, 0x00], count: 20_000).joined())
    let literal: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x61]
    let chunk = Snappy.magic + [0, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
    let time = ContinuousClock().measure {
      for (bytes, name) in [
        (size, "zstd"), (run, "zstd"), (block, "snappy"), (literal, "snappy"), (chunk, "snappy"),
      ] {
        _ = ValueFormat.suitable(for: .data(bytes))
        let head = ValueFormat.named(name)?.lines(.data(bytes), 1, 80).first?.text ?? ""
        #expect(head.contains("damaged") || head.contains("first"), "\(head)")
      }
    }
    #expect(time < .seconds(20))
    let cut = Decompression(run, as: .zstd)
    #expect(cut.isCut && cut.bytes.count == 16 << 20)
    #expect(Decompression(block, as: .snappy, limit: 100).bytes.count == 100)
  }

  @Test func `Large data is left for the background`() {
    // Two megabytes of one letter in 262 bytes.
    let run: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]
      + Array(repeatElement([0x02, 0, 0x08, 0x61], count: 64).joined())
    #expect(ValueFormat.isSlowToRead(.data(run)))
    #expect(!ValueFormat.isSlowToRead(FormatSample(Sample.zstdJSON).value))
    #expect(!ValueFormat.isSlowToRead(FormatSample(Sample.brotliJSON).value))
  }

  @Test func `Without a library, the heading names its package`() {
    #expect(throws: RuntimeLibrary.Missing.self) { try RuntimeLibrary("liblarder-has-none.so") }
    #expect(throws: RuntimeLibrary.Missing.self) {
      let function: @convention(c) () -> Int = try RuntimeLibrary("libzstd.so.1").function("none")
      _ = function()
    }
    let opened = ValueFormat.unopened(.data([0x28, 0xB5]), .zstd, "libzstd1")
    #expect(opened.head.map(\.text) == ["zstd: install libzstd1 to see what is in these 2 bytes"])
    #expect(opened.format.name == "hex")
  }
}
