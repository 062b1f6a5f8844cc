/// A decimal number of up to 34 digits, as IEEE 754-2008 defines it.
public struct RealmDecimal: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a decimal number.
  public enum Form: Sendable, Hashable {
    /// A coefficient times a power of ten.
    case finite
    /// Infinity.
    case infinity
    /// Not a number.
    case nan
  }

  /// The kind of the number.
  public let form: Form
  /// Whether the number has a negative sign, including negative zero.
  public let isNegative: Bool
  /// The digits as an integer; 0 if the number is not finite.
  public let coefficient: UInt128
  /// The power of ten that the coefficient is multiplied with.
  public let exponent: Int

  /// Creates a finite number.
  public init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
    form = .finite
    self.isNegative = isNegative
    self.coefficient = coefficient
    self.exponent = exponent
  }

  private init(_ form: Form, isNegative: Bool) {
    self.form = form
    self.isNegative = isNegative
    coefficient = 0
    exponent = 0
  }

  /// The maximum coefficient of 34 digits; larger encodings represent zero.
  private static let maximum: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

  /// Creates a number from its encoding in 128 bits.
  init(low: UInt64, high: UInt64) {
    let isNegative = high >> 63 == 1
    switch high >> 58 & 0x1F {
    case 0x1F: self.init(.nan, isNegative: isNegative)
    case 0x1E: self.init(.infinity, isNegative: isNegative)
    default:
      let isLarge = high >> 61 & 3 == 3
      let exponent = Int(high >> (isLarge ? 47 : 49) & 0x3FFF) - 6_176
      let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
      self.init(
        isNegative: isNegative,
        coefficient: isLarge || digits > Self.maximum ? 0 : digits, exponent: exponent)
    }
  }

  /// Creates a number from its encoding in 64 bits.
  init(bits: UInt64) {
    let isNegative = bits >> 63 == 1
    switch bits >> 58 & 0x1F {
    case 0x1F: self.init(.nan, isNegative: isNegative)
    case 0x1E: self.init(.infinity, isNegative: isNegative)
    default:
      let isLarge = bits >> 61 & 3 == 3
      let digits =
        isLarge ? 1 << 53 | bits & (1 << 51 - 1) : bits & (1 << 53 - 1)
      self.init(
        isNegative: isNegative, coefficient: digits > 9_999_999_999_999_999 ? 0 : UInt128(digits),
        exponent: Int(bits >> (isLarge ? 51 : 53) & 0x3FF) - 398)
    }
  }

  /// Creates a number from its encoding in 32 bits.
  init(bits: UInt32) {
    let isNegative = bits >> 31 == 1
    switch bits >> 26 & 0x1F {
    case 0x1F: self.init(.nan, isNegative: isNegative)
    case 0x1E: self.init(.infinity, isNegative: isNegative)
    default:
      let isLarge = bits >> 29 & 3 == 3
      let digits = isLarge ? 1 << 23 | bits & (1 << 21 - 1) : bits & (1 << 23 - 1)
      self.init(
        isNegative: isNegative, coefficient: digits > 9_999_999 ? 0 : UInt128(digits),
        exponent: Int(bits >> (isLarge ? 21 : 23) & 0xFF) - 101)
    }
  }

  /// The number in Realm's notation, with a decimal point as far as the exponent allows: `1.25`,
  /// `2.5E-1`, `Inf`, `NaN`.
  public var description: String {
    let sign = isNegative ? "-" : ""
    switch form {
    case .nan: return "NaN"
    case .infinity: return sign + "Inf"
    case .finite: break
    }
    let digits = String(coefficient)
    var whole = digits.count
    var rest = exponent
    while whole > 1, rest != 0 {
      whole -= 1
      rest += 1
    }
    let fraction = whole < digits.count ? "." + digits.dropFirst(whole) : ""
    return sign + digits.prefix(whole) + fraction + (rest == 0 ? "" : "E\(rest)")
  }
}
