/// A picture that is small enough to be drawn in terminal cells.
package struct Picture: Sendable, Equatable {
  /// The maximum width and height in pixels.
  static let maximumSide = 320

  package let width: Int
  package let height: Int
  /// The pixels, row by row.
  let pixels: [Pixel]

  /// A color with an alpha channel; the color is not premultiplied.
  package struct Pixel: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    /// A fully transparent pixel.
    static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
  }

  /// A terminal cell: two pixels, one above the other.
  package struct Cell: Sendable, Hashable {
    package var top: Pixel
    package var bottom: Pixel
  }

  init(width: Int, height: Int, pixels: [Pixel]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Returns a pixel, which is transparent outside the picture.
  func pixel(_ x: Int, _ y: Int) -> Pixel {
    guard x >= 0, x < width, y >= 0, y < height, pixels.indices.contains(y * width + x) else {
      return .clear
    }
    return pixels[y * width + x]
  }

  /// Returns the picture scaled down to fit the given size, preserving its aspect ratio.
  package func fitting(width maximumWidth: Int, height maximumHeight: Int) -> Picture {
    var sums = PictureSums(width, height, fittingWidth: maximumWidth, height: maximumHeight)
    for y in 0..<height { sums.add((0..<width).map { pixel($0, y) }, y: y) }
    return sums.picture
  }

  /// The maximum number of color pairs, since terminals support a limited number at once.
  private static let maximumPairs = 3_000

  /// The rows of cells, with color depth reduced until the color pairs fit the terminal.
  package var rows: [[Cell]] {
    for bits in [8, 6, 5, 4, 3] {
      let rows = stride(from: 0, to: height, by: 2).map { y in
        (0..<width).map { x in
          Cell(top: pixel(x, y).reduced(to: bits), bottom: pixel(x, y + 1).reduced(to: bits))
        }
      }
      if bits == 3 || Set(rows.joined()).count <= Self.maximumPairs { return rows }
    }
    return []
  }
}

extension Picture.Pixel {
  /// Returns the pixel with each channel quantized to the given number of bits.
  fileprivate func reduced(to bits: Int) -> Picture.Pixel {
    guard bits < 8 else { return self }
    let maximum = (1 << bits) - 1
    func step(_ amount: UInt8) -> UInt8 {
      UInt8(clamping: (Int(amount) * maximum + 127) / 255 * 255 / maximum)
    }
    return Picture.Pixel(
      red: step(red), green: step(green), blue: step(blue), alpha: step(alpha))
  }
}

/// An accumulator that scales a large picture down by averaging.
///
/// Source pixels can be added in any order.
struct PictureSums {
  let width: Int
  let height: Int
  private let sourceHeight: Int
  /// The target column of each source column.
  private let columns: [Int]
  private var sums: [Sum]

  private struct Sum {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var alpha: UInt64 = 0
    var count: UInt64 = 0
  }

  /// Prepares to scale a picture down to the given size; pictures are never enlarged.
  init(
    _ sourceWidth: Int, _ sourceHeight: Int, fittingWidth maximumWidth: Int,
    height maximumHeight: Int
  ) {
    let (sourceWidth, sourceHeight) = (max(1, sourceWidth), max(1, sourceHeight))
    let (maximumWidth, maximumHeight) = (max(1, maximumWidth), max(1, maximumHeight))
    var width = min(sourceWidth, maximumWidth)
    var height = max(1, (sourceHeight * width + sourceWidth / 2) / sourceWidth)
    if height > maximumHeight {
      height = maximumHeight
      width = max(1, min(width, (sourceWidth * height + sourceHeight / 2) / sourceHeight))
    }
    self.width = width
    self.height = height
    self.sourceHeight = sourceHeight
    columns = (0..<sourceWidth).map { $0 * width / sourceWidth }
    sums = Array(repeating: Sum(), count: width * height)
  }

  /// Adds pixels of a row, spaced `step` columns apart.
  mutating func add(_ pixels: [Picture.Pixel], y: Int, from start: Int = 0, by step: Int = 1) {
    guard y >= 0, y < sourceHeight else { return }
    let base = y * height / sourceHeight * width
    var x = start
    for pixel in pixels where x < columns.count {
      let alpha = UInt64(pixel.alpha)
      sums[base + columns[x]].red += UInt64(pixel.red) * alpha
      sums[base + columns[x]].green += UInt64(pixel.green) * alpha
      sums[base + columns[x]].blue += UInt64(pixel.blue) * alpha
      sums[base + columns[x]].alpha += alpha
      sums[base + columns[x]].count += 1
      x += step
    }
  }

  /// The average of the pixels added so far.
  var picture: Picture {
    Picture(
      width: width, height: height,
      pixels: sums.map { sum in
        guard sum.alpha > 0, sum.count > 0 else { return .clear }
        func mean(_ amount: UInt64, _ weight: UInt64) -> UInt8 {
          UInt8(clamping: (amount + weight / 2) / weight)
        }
        return Picture.Pixel(
          red: mean(sum.red, sum.alpha), green: mean(sum.green, sum.alpha),
          blue: mean(sum.blue, sum.alpha), alpha: mean(sum.alpha, sum.count))
      })
  }
}
