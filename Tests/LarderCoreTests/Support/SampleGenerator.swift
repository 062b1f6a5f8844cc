import HarmonyTesting

/// Random keys and values that can be had again by their seed.
struct SampleGenerator: RandomNumberGenerator {
  /// What a failing test prints.
  let seed: UInt64
  private var random: SeededGenerator

  init(seed: UInt64 = .random(in: .min ... .max)) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> UInt64 { random.next() }
}

extension SampleGenerator {
  /// A text of up to eight scalars that keys and parsers are likely to trip over.
  mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", "Z", "0", "1", "9", "-", "+", ".", "e", "x", "t", "'", "\"", "\\", "(", ")", ",",
      " ", "n", "u", "l", "/", ":", "#", "{", "}", "\n", "\r", "\t", "\0", "\u{1B}", "\u{7F}",
      "\u{9B}", "\u{202E}", "\u{2028}", "é", "e", "\u{301}", "K", "\u{212A}", "李", "😀",
      "\u{FEFF}", "\u{200D}", "\u{10FFFF}",
    ]
    let special = [
      "null", "42", "-0", "1.5", "1e+20", "nan", "inf", "x'0a'", "t'ff'", "(a,b)", "\"q\"", "",
    ]
    if Int.random(in: 0..<4, using: &self) == 0 {
      return special.randomElement(using: &self) ?? ""
    }
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...8, using: &self) {
      text.append(scalars.randomElement(using: &self) ?? "a")
    }
    return String(text)
  }

  /// Up to six bytes.
  mutating func bytes() -> [UInt8] {
    (0..<Int.random(in: 0...6, using: &self)).map { _ in .random(in: 0...255, using: &self) }
  }

  /// Bytes that are not UTF-8.
  mutating func malformedBytes() -> [UInt8] { bytes() + [0xFF] + bytes() }

  /// A whole number, often at an edge.
  mutating func integer() -> Int64 {
    let edges: [Int64] = [0, 1, -1, .min, .max, 9_007_199_254_740_993]
    return Bool.random(using: &self)
      ? .random(in: .min ... .max, using: &self) : edges.randomElement(using: &self) ?? 0
  }

  /// A finite or infinite number of any size.
  mutating func real() -> Double {
    let edges: [Double] = [
      0, -0.0, 1, 0.1, 1e20, .leastNonzeroMagnitude, -1.5, .greatestFiniteMagnitude, .infinity,
      -.infinity,
    ]
    if Bool.random(using: &self) { return edges.randomElement(using: &self) ?? 0 }
    let number = Double(bitPattern: .random(in: .min ... .max, using: &self))
    return number.isNaN ? 1 : number
  }
}
