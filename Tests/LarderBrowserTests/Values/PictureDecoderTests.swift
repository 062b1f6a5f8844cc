import TestSamples
import Foundation
@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// Decoding of images, compared with other programs, and error messages for damaged ones.
@Suite struct PictureDecoderTests {
  private static func bytes(_ text: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: text)))
  }

  private static func sample(_ name: String) throws -> [UInt8] {
    try bytes(try #require(ImageSamples.all.first { $0.description == name }).base64)
  }

  @Test(arguments: ImageSamples.all)
  func `Pixels agree with those of other programs`(_ sample: ImageSamples.Sample) throws {
    let decoded = PictureDecoder.decode(try Self.bytes(sample.base64))
    #expect(decoded.problem == nil)
    let picture = try #require(decoded.picture)
    #expect(picture.width == ImageSamples.width)
    #expect(picture.height == ImageSamples.height)
    let expected = try Self.bytes(sample.pixels)
    for (place, pixel) in picture.pixels.enumerated() {
      let amounts = [pixel.red, pixel.green, pixel.blue, pixel.alpha].map { Int($0) }
      let others = expected[(place * 4)..<(place * 4 + 4)].map { Int($0) }
      // Transparent pixels have no color; 16-bit components may be rounded.
      let isSame =
        others[3] == 0 ? amounts[3] == 0 : zip(amounts, others).allSatisfy { abs($0 - $1) <= 1 }
      #expect(isSame, "\(sample) pixel \(place): \(amounts), not \(others)")
    }
  }

  /// Returns a 24-bit BMP image, red on the left and blue on the right.
  private static func wideImage(_ width: Int, _ height: Int) -> [UInt8] {
    func little(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var bytes: [UInt8] = Array("BM".utf8) + little(0, 8) + little(54, 4) + little(40, 4)
    bytes += little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2) + little(0, 24)
    var row: [UInt8] = []
    for x in 0..<width { row += x < width / 2 ? [0, 0, 255] : [255, 0, 0] }
    row += Array(repeating: 0, count: (4 - row.count % 4) % 4)
    for _ in 0..<height { bytes += row }
    return bytes
  }

  @Test func `A large image is downscaled by averaging`() throws {
    let picture = try #require(PictureDecoder.decode(Self.wideImage(1_000, 500)).picture)
    #expect(picture.width == 320)
    #expect(picture.height == 160)
    #expect(picture.pixel(0, 80) == .init(red: 255, green: 0, blue: 0, alpha: 255))
    #expect(picture.pixel(319, 80) == .init(red: 0, green: 0, blue: 255, alpha: 255))
    let small = picture.fitting(width: 3, height: 100)
    #expect(small.width == 3)
    #expect(small.height == 2)
    let middle = small.pixel(1, 0)
    #expect((100...160).contains(middle.red) && (100...160).contains(middle.blue))
    #expect(picture.fitting(width: 200, height: 10).height == 10)
    #expect(picture.fitting(width: 200, height: 10).width == 20)
  }

  @Test func `Damage is reported and the readable part is shown`() throws {
    let whole = try Self.sample("rgba8")
    let cut = PictureDecoder.decode(Array(whole.prefix(whole.count / 2)))
    #expect(cut.problem == FormatError.endsEarly.reason)
    #expect(
      cut.picture?.pixel(0, 0).alpha == PictureDecoder.decode(whole).picture?.pixel(0, 0).alpha)
    var damaged = whole
    // The last chunk has 12 bytes and is preceded by the checksum of the pixels.
    damaged[whole.count - 13] ^= 1
    let checked = PictureDecoder.decode(damaged)
    #expect(checked.problem == FormatError.wrongChecksum(ofChunk: "IDAT").reason)
    #expect(checked.picture == PictureDecoder.decode(whole).picture)
    damaged = whole
    damaged[whole.count - 17] ^= 1
    #expect(PictureDecoder.decode(damaged).problem?.contains("checksum") == true)
    let bmp = try Self.sample("bmp24")
    #expect(PictureDecoder.decode(bmp.dropLast(100)).problem == FormatError.endsEarly.reason)
    #expect(PictureDecoder.decode(bmp.dropLast(100)).picture != nil)
  }

  @Test func `Impossible sizes are refused`() throws {
    var huge = try Self.sample("rgba8")
    for place in [18, 22] { huge[place] = 0xFF }
    let decoded = PictureDecoder.decode(huge)
    #expect(decoded.picture == nil)
    #expect(decoded.problem?.contains("too large to draw") == true)
    var none = try Self.sample("bmp24")
    none[18] = 0
    #expect(PictureDecoder.decode(none).problem == FormatError.noPixels.reason)
    #expect(PictureDecoder.decode(Array("BM".utf8)).picture == nil)
    #expect(!PictureDecoder.canRead(Array("GIF89a".utf8)))
  }

  @Test func `A cancelled decoding ends early`() {
    var asked = 0
    let image = Self.wideImage(10, 2_000)
    _ = PictureDecoder.decode(image) {
      asked += 1
      return true
    }
    #expect(asked == 1)
  }

  /// Returns a grey PNG image with the given bytes as its rows.
  private static func png(_ width: Int, _ height: Int, rows: [UInt8]) -> [UInt8] {
    func big(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    func part(_ name: String, _ body: [UInt8]) -> [UInt8] {
      let checked = Array(name.utf8) + body
      var sum: UInt32 = .max
      for byte in checked {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
      }
      return big(body.count, 4) + checked + big(Int(~sum), 4)
    }
    // The data is stored, not compressed: each block starts with its length and the inverted
    // length.
    var data: [UInt8] = [0x78, 0x01]
    var (low, high) = (1, 0)
    for byte in rows {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let blocks = stride(from: 0, to: rows.count, by: 65_535).map {
      rows[$0..<min($0 + 65_535, rows.count)]
    }
    for (number, block) in blocks.enumerated() {
      let length = [UInt8(block.count & 0xFF), UInt8(block.count >> 8)]
      data += [number == blocks.count - 1 ? 1 : 0] + length + length.map { ~$0 } + block
    }
    data += big(high, 2) + big(low, 2)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + part("IHDR", big(width, 4) + big(height, 4) + [8, 0, 0, 0, 0]) + part("IDAT", data)
      + part("IEND", [])
  }

  @Test func `Data after the pixels is damage`() {
    let sound = PictureDecoder.decode(Self.png(1, 1, rows: [0, 255]))
    #expect(sound.problem == nil)
    #expect(sound.picture?.pixel(0, 0).red == 255)
    for surplus in [1, 100_000] {
      let rows = [0, 255] + [UInt8](repeating: 0, count: surplus)
      let decoded = PictureDecoder.decode(Self.png(1, 1, rows: rows))
      #expect(decoded.problem == FormatError.surplusBytes.reason)
      #expect(decoded.picture == sound.picture)
    }
  }

  @Test func `A cancelled decoding of a PNG ends early`() {
    var asked = 0
    let image = Self.png(1, 2_000, rows: [UInt8](repeating: 0, count: 4_000))
    let decoded = PictureDecoder.decode(image) {
      asked += 1
      return asked > 1
    }
    #expect(asked <= 3)
    #expect(decoded.problem == nil)
  }

  @Test func `A truncated header is reported once`() throws {
    for count in [10, 20] {
      let bytes = Array(try Self.sample("rgba8").prefix(count))
      var model = ValueModel(key: .text("a"), token: 1, width: 40)
      model.receive(.success(Entry(key: .text("a"), value: .data(bytes))))
      model.receive(PictureDecoder.decode(bytes))
      let lines = (0..<model.rowCount).map { model.line(at: $0).text }
      #expect(lines.filter { $0.contains("header") }.count == 1, "\(lines)")
    }
  }

  @Test func `Mutated images never trap`() throws {
    var random = SampleGenerator()
    let samples = try ImageSamples.all.map { try Self.bytes($0.base64) }
    for _ in 0..<6_000 {
      var bytes = samples.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        // Mutations of headers matter most.
        let end = Bool.random(using: &random) ? min(70, bytes.count) : bytes.count
        let place = Int.random(in: 0..<end, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        default: bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      // An image with very many pixels is valid but slow to decode.
      let header = ImageHeader(bytes)
      let (width, height) =
        header.has("BM")
        ? (header.little(18, 4) ?? 0, header.little(22, 4) ?? 0)
        : (header.big(16, 4) ?? 0, header.big(20, 4) ?? 0)
      guard width < 5_000, height < 5_000 || height > 1 << 31 else { continue }
      let decoded = PictureDecoder.decode(bytes)
      #expect((decoded.picture?.width ?? 0) <= 320, "seed \(random.seed)")
      #expect((decoded.picture?.height ?? 0) <= 320, "seed \(random.seed)")
    }
  }

  @Test func `A value shows its picture once it is decoded`() throws {
    var model = ValueModel(key: .text("a"), token: 1, width: 40)
    let bytes = try Self.sample("rgba8")
    model.receive(.success(Entry(key: .text("a"), value: .data(bytes))))
    #expect(model.format == "image")
    #expect(model.undecodedPicture == bytes)
    #expect((0..<model.rowCount).map { model.line(at: $0).text }.last == "decoding…")
    model.receive(PictureDecoder.decode(bytes))
    #expect(model.undecodedPicture == nil)
    let cells = (0..<model.rowCount).map { model.line(at: $0).picture }.filter { !$0.isEmpty }
    #expect(cells.count == (ImageSamples.height + 1) / 2)
    #expect(cells.allSatisfy { $0.count == ImageSamples.width })
    model.fit(5, height: 20)
    #expect(model.line(at: model.rowCount - 1).picture.count == 5)
    model.changeFormat()
    #expect(model.format == "hex")
    #expect(model.selectsBytes)
  }

  @Test func `An image that cannot be decoded is shown as bytes`() throws {
    var model = ValueModel(key: .text("a"), token: 1, width: 40)
    let bytes = Array(try Self.sample("rgba8").prefix(33))
    model.receive(.success(Entry(key: .text("a"), value: .data(bytes))))
    model.receive(PictureDecoder.decode(bytes))
    #expect(model.selectsBytes)
    #expect((0..<model.rowCount).contains { model.line(at: $0).text.hasPrefix("not drawn: ") })
  }

  @Test func `The number of colors is limited for the terminal`() {
    let pixels = (0..<(200 * 200)).map { place in
      Picture.Pixel(
        red: UInt8(truncatingIfNeeded: place), green: UInt8(truncatingIfNeeded: place / 200),
        blue: UInt8(truncatingIfNeeded: place * 7), alpha: 255)
    }
    let rows = Picture(width: 200, height: 200, pixels: pixels).rows
    #expect(rows.count == 100)
    #expect(Set(rows.joined()).count < 20_000)
  }
}
