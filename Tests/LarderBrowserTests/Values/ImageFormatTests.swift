import Foundation
import HarmonyTesting
import LarderModel
import LarderFormats
import LarderBrowser
import Testing

/// The facts in headers of images.
@Suite struct ImageFormatTests {
  private static let samples: [(base64: String, facts: [String])] = [
    (
      "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAAHqc1aMAAAAC0lEQVR4nGNgwAUAABoAAbw84EEAAAAA"
        + "SUVORK5CYII=",
      ["PNG, 3 × 2 pixels", "8 bits per sample, RGB and alpha", "interlaced"]
    ),
    (
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wAEq83/wgARCAAgAEADAREAAhEAAxEA/9k=",
      ["JPEG, 64 × 32 pixels", "8 bits per sample, color", "progressive"]
    ),
    (
      "R0lGODlhCgAUAIIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADs=",
      ["GIF of 1989, 10 × 20 pixels", "palette of 8 colors"]
    ),
    (
      "UklGRh4AAABXRUJQVlA4IAoAAAAwAQCdASpAQDAA",
      ["WebP, 64 × 48 pixels", "lossy"]
    ),
    (
      "UklGRh4AAABXRUJQVlA4TAUAAAAvY0AMEA==",
      ["WebP, 100 × 50 pixels", "lossless", "with alpha"]
    ),
    (
      "UklGRh4AAABXRUJQVlA4WAoAAAASAAAAKwEAxwAA",
      ["WebP, 300 × 200 pixels", "with alpha", "animated"]
    ),
    (
      "Qk1GAAAAAAAAADYAAAAoAAAABwAAAPv///8BABgAAAAAABAAAAATCwAAEwsAAAAAAAAAAAAA",
      ["BMP, 7 × 5 pixels", "24 bits per pixel"]
    ),
    (
      "Qk0eAAAAAAAAABoAAAAMAAAABAADAAEAAQA=",
      ["BMP, 4 × 3 pixels", "1 bit per pixel"]
    ),
  ]

  private func bytes(_ sample: Int) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: Self.samples[sample].base64)))
  }

  /// Returns the facts shown above the bytes, without their number.
  private func facts(_ bytes: [UInt8]) -> [String] {
    var model = ValueModel(key: .text("a"), token: 1)
    model.receive(.success(Entry(key: .text("a"), value: .data(bytes))))
    guard model.format == "image" else { return [] }
    let head = (0..<model.rowCount).map { model.line(at: $0).text }.prefix { !$0.isEmpty }
    #expect(
      head.last?.replacing(",", with: "")
        == "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")")
    return head.dropLast()
  }

  @Test(arguments: samples.indices)
  func `The header is read`(_ sample: Int) throws {
    #expect(facts(try bytes(sample)) == Self.samples[sample].facts)
  }

  @Test(arguments: samples.indices)
  func `A header may be truncated anywhere`(_ sample: Int) throws {
    let whole = try bytes(sample)
    for count in 0..<whole.count {
      let shown = facts(Array(whole.prefix(count)))
      if let first = shown.first {
        #expect(
          first == Self.samples[sample].facts.first || first.hasSuffix("the header is truncated"))
      }
    }
  }

  @Test(arguments: samples.indices)
  func `Damaged headers never trap`(_ sample: Int) throws {
    let whole = try bytes(sample)
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = facts(damaged)
    }
  }

  @Test func `Words are not images`() {
    for text in ["BMW", "BM is short for something else", "RIFF raff WEBP"] {
      #expect(!ValueFormat.suitable(for: .data(Array(text.utf8))).map(\.name).contains("image"))
    }
  }
}
