import LarderModel
import Foundation

/// An object of a Java serialization stream, before its class is taken into account.
struct JavaObject {
  /// The name of its class.
  let name: String
  /// Its fields and those of the classes that it inherits from.
  var fields: [StoredValue.Field] = []
  /// The bytes that the methods of its classes wrote.
  var bytes: [UInt8] = []
  /// The objects that the methods of its classes wrote.
  var objects: [StoredValue] = []

  /// The object in the form of its class, or a dictionary of the class and its fields.
  var value: StoredValue {
    switch name {
    case "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Double",
      "java.lang.Float", "java.lang.Integer", "java.lang.Long", "java.lang.Short":
      field("value") ?? plain
    case "java.util.ArrayList", "java.util.LinkedList", "java.util.ArrayDeque",
      "java.util.HashSet", "java.util.LinkedHashSet",
      "java.util.concurrent.CopyOnWriteArrayList":
      .array(objects)
    // The first object is the comparator.
    case "java.util.TreeSet": .array(Array(objects.dropFirst()))
    case "java.util.Arrays$ArrayList": field("a") ?? plain
    case "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.Hashtable",
      "java.util.concurrent.ConcurrentHashMap", "java.util.EnumMap":
      map(objects)
    case "java.util.CollSer":
      // What `List.of`, `Set.of` and `Map.of` are written as.
      field("tag") == .integer(3) ? map(objects) : .array(objects)
    case "java.util.Date": date ?? plain
    case "java.util.UUID": uuid ?? plain
    case "java.math.BigInteger": bigInteger ?? plain
    default: plain
    }
  }

  /// The number of values that its conversion counts as.
  ///
  /// Large integers take quadratic time, and can share their digits.
  var cost: Int {
    guard name == "java.math.BigInteger", case .data(let digits)? = field("magnitude") else {
      return 0
    }
    let count = min(digits.count, DecimalDigits.maximum)
    return count * count / DecimalDigits.maximum
  }

  private var plain: StoredValue {
    var all = [StoredValue.Field("class", .text(name))] + fields
    if !bytes.isEmpty { all.append(.init("bytes written", .data(bytes))) }
    if !objects.isEmpty { all.append(.init("objects written", .array(objects))) }
    return .dictionary(all)
  }

  private func field(_ name: String) -> StoredValue? { fields.first { $0.name == name }?.value }

  /// Returns alternating keys and values as a dictionary, or as pairs unless all keys are text or
  /// whole numbers.
  private func map(_ objects: [StoredValue]) -> StoredValue {
    var pairs: [(key: StoredValue, value: StoredValue)] = []
    var fields: [StoredValue.Field] = []
    // A concurrent map ends with a pair of nulls.
    for index in stride(from: 1, to: objects.count, by: 2)
    where objects[index - 1] != .null || objects[index] != .null {
      pairs.append((objects[index - 1], objects[index]))
      switch objects[index - 1] {
      case .text(let text): fields.append(.init(text, objects[index]))
      case .integer(let number): fields.append(.init(String(number), objects[index]))
      default: break
      }
    }
    if fields.count == pairs.count { return .dictionary(fields) }
    return .array(
      pairs.map { .dictionary([.init("key", $0.key), .init("value", $0.value)]) })
  }

  private var date: StoredValue? {
    var cursor = ByteCursor(bytes[...])
    guard let milliseconds = try? cursor.big(Int64.self), cursor.left == 0 else { return nil }
    return .date(
      Timestamp.date(Double(milliseconds) / 1_000, since: 978_307_200, steps: 1_000))
  }

  private var uuid: StoredValue? {
    guard case .integer(let high)? = field("mostSigBits"),
      case .integer(let low)? = field("leastSigBits")
    else { return nil }
    let bytes = [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
    return UUID(bytes: bytes).map(StoredValue.uuid)
  }

  private var bigInteger: StoredValue? {
    guard case .integer(let sign)? = field("signum"), case .data(let digits)? = field("magnitude")
    else { return nil }
    return StoredValue(magnitude: digits, isNegative: sign < 0)
  }
}
