import LarderModel

/// A decoder for uncompressed BMP images.
struct BMPDecoder {
  private let bytes: [UInt8]
  private let width: Int
  private let height: Int
  private let isTopDown: Bool
  private let depth: Int
  private let start: Int
  private var palette: [Picture.Pixel] = []
  /// The bit masks of the channels of a 16-bit or 32-bit pixel.
  private var masks: [Mask] = []

  private struct Mask {
    var shift: Int
    var maximum: Int

    init?(_ bits: Int) {
      guard bits > 0 else { return nil }
      shift = bits.trailingZeroBitCount
      maximum = bits >> shift
      // The mask must be contiguous.
      guard maximum & (maximum + 1) == 0 else { return nil }
    }

    func amount(_ pixel: Int) -> UInt8 {
      UInt8(clamping: (pixel >> shift & maximum) * 255 / maximum)
    }
  }

  /// Reads the header and the palette.
  ///
  /// - Throws: `FormatError` if they are truncated or unsupported.
  init(_ bytes: [UInt8]) throws(FormatError) {
    self.bytes = bytes
    let header = ImageHeader(bytes)
    let isOld = header.little(14, 4) == 12
    guard let start = header.little(10, 4), let length = header.little(14, 4),
      let rawWidth = header.little(18, isOld ? 2 : 4),
      let rawHeight = header.little(isOld ? 20 : 22, isOld ? 2 : 4),
      let depth = header.little(isOld ? 24 : 28, 2)
    else { throw .endsEarly }
    let signedHeight = isOld ? rawHeight : Int(Int32(truncatingIfNeeded: rawHeight))
    width = isOld ? rawWidth : Int(Int32(truncatingIfNeeded: rawWidth))
    height = Int(signedHeight.magnitude)
    isTopDown = signedHeight < 0
    self.depth = depth
    self.start = start
    try PictureDecoder.check(width: width, height: height)
    let form = isOld ? 0 : header.little(30, 4) ?? 0
    guard form == 0 || (form == 3 && (depth == 16 || depth == 32)) else {
      throw .compressedBMP
    }
    switch depth {
    case 1, 4, 8:
      let count = isOld ? 0 : header.little(46, 4) ?? 0
      let size = isOld ? 3 : 4
      let entries = min(count == 0 ? 1 << depth : count, 1 << depth)
      for place in 0..<entries {
        let entry = 14 + length + place * size
        guard let blue = header[entry], let green = header[entry + 1], let red = header[entry + 2]
        else { throw .endsEarly }
        palette.append(
          Picture.Pixel(red: UInt8(red), green: UInt8(green), blue: UInt8(blue), alpha: 255))
      }
    case 16, 32:
      let usual = depth == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF_0000, 0xFF00, 0xFF]
      let own = [54, 58, 62].compactMap { header.little($0, 4) }
      masks = (form == 3 ? own : usual).compactMap { Mask($0) }
      guard masks.count == 3 else { throw .missing("color mask") }
      // Longer headers have a fourth mask, for the alpha channel.
      if form == 3, length >= 56, let mask = header.little(66, 4).flatMap({ Mask($0) }) {
        masks.append(mask)
      }
    case 24: break
    default: throw .unknownColors(bits: depth)
    }
  }

  /// Decodes the pixels, stopping where the data ends.
  func decode(_ isCancelled: () -> Bool) -> DecodedPicture {
    var sums = PictureDecoder.sums(width, height)
    let size = (width * depth + 31) / 32 * 4
    for number in 0..<height {
      if number % 64 == 63, isCancelled() { break }
      let begin = start + number * size
      guard begin >= 0, begin + (width * depth + 7) / 8 <= bytes.count else {
        return DecodedPicture(
          picture: number == 0 ? nil : sums.picture, problem: FormatError.endsEarly.reason)
      }
      let row = bytes[begin..<min(begin + size, bytes.count)]
      sums.add(pixels(row), y: isTopDown ? number : height - 1 - number)
    }
    return DecodedPicture(picture: sums.picture)
  }

  private func pixels(_ row: ArraySlice<UInt8>) -> [Picture.Pixel] {
    let first = row.startIndex
    return (0..<width).map { column in
      switch depth {
      case 1, 4, 8:
        let bit = column * depth
        let index = Int(row[first + bit / 8]) >> (8 - depth - bit % 8) & ((1 << depth) - 1)
        return index < palette.count
          ? palette[index] : Picture.Pixel(red: 0, green: 0, blue: 0, alpha: 255)
      case 24:
        let place = first + column * 3
        return Picture.Pixel(
          red: row[place + 2], green: row[place + 1], blue: row[place], alpha: 255)
      default:
        let place = first + column * depth / 8
        var pixel = 0
        for offset in (0..<depth / 8).reversed() { pixel = pixel << 8 | Int(row[place + offset]) }
        return Picture.Pixel(
          red: masks[0].amount(pixel), green: masks[1].amount(pixel),
          blue: masks[2].amount(pixel), alpha: masks.count > 3 ? masks[3].amount(pixel) : 255)
      }
    }
  }
}
