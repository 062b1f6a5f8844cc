/// The pixel format of a PNG, which converts rows of bytes to pixels.
struct PNGPixels {
  private enum Colors: Int {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAndAlpha = 4
    case rgbAndAlpha = 6

    var samples: Int { [.grey: 1, .rgb: 3, .palette: 1, .greyAndAlpha: 2][self] ?? 4 }

    var depths: [Int] {
      switch self {
      case .grey: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      default: [8, 16]
      }
    }
  }

  private let depth: Int
  private let colors: Colors
  private var palette: [Picture.Pixel] = []
  /// The samples of the color that is treated as transparent.
  private var clear: [Int] = []

  /// Creates a pixel format, or returns nil if the combination is invalid.
  init?(depth: Int, colors: Int) {
    guard let colors = Colors(rawValue: colors), colors.depths.contains(depth) else {
      return nil
    }
    self.depth = depth
    self.colors = colors
  }

  /// The number of bits per pixel.
  var bits: Int { depth * colors.samples }

  /// Whether all colors are defined: a palette image requires its palette.
  var hasColors: Bool { colors != .palette || !palette.isEmpty }

  mutating func setPalette(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes.prefix(768))
    palette = stride(from: 0, to: bytes.count - bytes.count % 3, by: 3).map {
      Picture.Pixel(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2], alpha: 255)
    }
  }

  mutating func setTransparency(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes.prefix(256))
    switch colors {
    case .palette:
      for (place, alpha) in bytes.enumerated() where place < palette.count {
        palette[place].alpha = alpha
      }
    case .grey, .rgb:
      guard bytes.count == colors.samples * 2 else { return }
      clear = stride(from: 0, to: bytes.count, by: 2).map {
        Int(bytes[$0]) << 8 | Int(bytes[$0 + 1])
      }
    default: break
    }
  }

  /// Returns the pixels of a row.
  func pixels(_ row: [UInt8], count: Int) -> [Picture.Pixel] {
    let samples = colors.samples
    guard row.count * 8 >= count * bits else { return [] }
    return (0..<count).map { column in
      let first = column * samples
      switch colors {
      case .grey, .greyAndAlpha:
        let grey = amount(row, first)
        let alpha =
          colors == .greyAndAlpha
          ? amount(row, first + 1) : isClear(row, first) ? 0 : 255
        return Picture.Pixel(red: grey, green: grey, blue: grey, alpha: alpha)
      case .palette:
        let index = sample(row, first)
        return index < palette.count
          ? palette[index] : Picture.Pixel(red: 0, green: 0, blue: 0, alpha: 255)
      case .rgb, .rgbAndAlpha:
        return Picture.Pixel(
          red: amount(row, first), green: amount(row, first + 1), blue: amount(row, first + 2),
          alpha: colors == .rgbAndAlpha
            ? amount(row, first + 3) : isClear(row, first) ? 0 : 255)
      }
    }
  }

  private func isClear(_ row: [UInt8], _ first: Int) -> Bool {
    guard !clear.isEmpty else { return false }
    return clear.indices.allSatisfy { sample(row, first + $0) == clear[$0] }
  }

  /// Returns a sample at its original bit depth.
  private func sample(_ row: [UInt8], _ place: Int) -> Int {
    switch depth {
    case 8: Int(row[place])
    case 16: Int(row[place * 2]) << 8 | Int(row[place * 2 + 1])
    default:
      Int(row[place * depth / 8]) >> (8 - depth - place * depth % 8) & ((1 << depth) - 1)
    }
  }

  /// Returns a sample scaled to the range from 0 to 255.
  private func amount(_ row: [UInt8], _ place: Int) -> UInt8 {
    switch depth {
    case 8: row[place]
    case 16: row[place * 2]
    default: UInt8(clamping: sample(row, place) * 255 / ((1 << depth) - 1))
    }
  }
}
