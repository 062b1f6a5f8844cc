import Foundation
import LarderModel
import Testing

@testable import LarderFormats

/// Structures in the formats of other languages' serializers.
@Suite struct SerializedFormatTests {
  /// A value in its most suitable format.
  private struct Shown: Equatable {
    var format: String
    var head: String?
    var json: String
  }

  private func shown(_ value: StoredValue) -> Shown {
    guard let format = ValueFormat.suitable(for: value).first else {
      return Shown(format: "none", json: "")
    }
    guard case .headed(let head, .structure(let structure)) = format.compared(value) else {
      return Shown(format: format.name, json: "")
    }
    return Shown(format: format.name, head: head.first?.text, json: JSONText.encode(structure))
  }

  private func shown(_ bytes: [UInt8]) -> Shown { shown(.data(bytes)) }

  private func formats(_ bytes: [UInt8]) -> [String] {
    ValueFormat.suitable(for: .data(bytes)).map(\.name)
  }

  // MARK: Pickles

  private static let protocols = ["0", "1", "2", "4", "5"]

  private func pickle(_ name: String) -> Shown {
    shown(SerializedSamples.data(SerializedSamples.pickles[name]))
  }

  @Test(arguments: protocols)
  func `Pickles of every protocol are shown as what was pickled`(_ version: String) {
    let basic = pickle("basic" + version)
    #expect(basic.format == "pickle")
    let head = "pickle: protocol \(version < "2" ? "0 or 1" : version), "
    #expect(basic.head?.hasPrefix(head) == true)
    #expect(
      basic.json == #"{"text":"Zoë 🍎\n","int":-5,"k":300,"m":70000,"big":1180591620717411303424,"#
        + #""neg":-1180591620717411303424,"edge":-9223372036854775808,"float":1.5,"t":true,"#
        + #""f":false,"none":null,"list":[1,[2]],"tuple":[1,2,3,4],"one":[1],"set":[7],"#
        + #""frozen":[8],"bytes":{"base64":"AP8="},"array":{"base64":"AQ=="},"1":"int key","#
        + #""[1,\"a\"]":"tuple key","empty":[{},[],[]]}"#)
  }

  @Test(arguments: protocols)
  func `Dates, numbers and collections in pickles are readable`(_ version: String) {
    #expect(
      pickle("times" + version).json
        == #"{"dt":"2024-05-06T07:08:09.000123","date":"2024-05-06","time":"07:08:00","#
        + #""delta":"-1 day, 1:02:03","utc":"2024-05-06T00:00:00+00:00","#
        + #""zone":"2024-05-06T00:00:00-05:30","dec":1.50,"nan":"NaN","#
        + #""uuid":{"uuid":"12345678-1234-5678-1234-567812345678"},"od":{"b":1,"a":2},"#
        + #""dd":{"x":[1]},"counter":{"a":2,"b":1}}"#)
  }

  @Test(arguments: protocols)
  func `Objects in pickles name their class and are not created`(_ version: String) {
    let names =
      version < "2"
      ? #"{"class":"shapes.Names","value":{"a":1},"extra":2}"#
      : #"{"class":"shapes.Names","a":1,"extra":2}"#
    let slots = version < "2" ? "" : #","slots":{"class":"shapes.Slots","a":1}"#
    #expect(
      pickle("objects" + version).json
        == #"{"p":{"class":"shapes.Point","x":1,"y":{"class":"shapes.Point","x":2,"y":null}},"#
        + #""names":\#(names),"color":{"class":"shapes.Color","arguments":[1]},"#
        + #""class":{"global":"shapes.Point"},"func":{"global":"builtins.len"},"#
        + #""frac":{"class":"fractions.Fraction","arguments":[1,3]},"shared":[[1],[1]]\#(slots)}"#)
  }

  @Test(arguments: protocols)
  func `Recursive objects in pickles end with a note`(_ version: String) {
    #expect(
      pickle("recursive" + version).json
        == #"[[1,"… recursive, 1 level up"],{"self":"… recursive, 1 level up"}]"#)
  }

  @Test(arguments: [
    ("persistent", #"[{"class":"persistent id","id":"id-7"},1]"#),
    ("buffer", #"[{"class":"out-of-band buffer"}]"#), ("inband", #"[{"base64":"YWJj"}]"#),
  ])
  func `Pickles say what is stored elsewhere`(_ name: String, _ json: String) {
    #expect(shown(SerializedSamples.data(SerializedSamples.otherPickles[name])).json == json)
  }

  @Test func `Pickles of Python 2 are text`() {
    // As cPickle writes {'a\n': u'\xe9', 'l': 5L}.
    let text = "(dp0\nS'a\\n'\np1\nV\u{5C}u00e9\np2\nsS'l'\np3\nL5L\ns."
    #expect(shown(.text(text)).json == #"{"a\n":"é","l":5}"#)
    #expect(shown(.text(text)).head == "pickle: protocol 0 or 1, \(text.utf8.count) bytes")
  }

  @Test func `Reading a pickle calls nothing`() {
    // What a hostile pickle does: os.system("id").
    let shown = shown(Array("\u{0}\u{2}cposix\nsystem\nX\u{2}\0\0\0id\u{1}R.".utf8))
    #expect(shown.format != "pickle")
    var bytes: [UInt8] = [0x80, 2]
    bytes += Array("cposix\nsystem\nX".utf8) + [2, 0, 0, 0] + Array("id".utf8) + [0x85]
    bytes += Array("R.".utf8)
    #expect(self.shown(bytes).json == #"{"class":"posix.system","arguments":["id"]}"#)
  }

  @Test func `An unknown opcode ends a pickle with a note`() {
    var bytes = SerializedSamples.bytes(SerializedSamples.pickles["recursive2"])
    bytes.insert(0xFE, at: bytes.count - 2)
    #expect(formats(bytes) == ["hex", "pickle", "text"])
    let shown = ValueFormat.pickle.lines(.data(bytes), 100, 80).map(\.text)
    #expect(
      shown[0] == "pickle: protocol 2, 35 bytes; damaged: the opcode fe at offset 32 is unknown")
    #expect(shown.contains(#"    "… recursive, 1 level up""#))
  }

  @Test(arguments: [
    "(I think so.", "(lost.", "c.", "]. end.", "(l.", "(t.", "(dp0\n", "N.", "I1\n.", "}.",
    "(see above.", "[1]", "S'a'\np0\n.",
  ])
  func `Text that ends in a full stop is not taken for a pickle`(_ text: String) {
    #expect(!formats(Array(text.utf8)).contains("pickle"))
    #expect(shown(.text(text)).format != "pickle")
  }

  // MARK: MessagePack

  @Test func `MessagePack is shown with all its types`() {
    let all = shown(SerializedSamples.data(SerializedSamples.msgpack["all"]))
    #expect(all.head == "msgpack: 279 bytes")
    #expect(
      all.json == #"{"text":"Zoë","s8":"\#(String(repeating: "x", count: 40))","#
        + #""ints":[0,127,128,255,256,65535,65536,4294967295,4294967296,18446744073709551615,-1,"#
        + #"-32,-33,-128,-129,-32768,-32769,-2147483648,-2147483649,-9223372036854775808],"#
        + #""f32":null,"f":1.1,"t":true,"n":null,"bin":{"base64":"AP8="},"3":"three","#
        + #""ts":{"date":"2024-05-06T07:08:09Z"},"ts8":{"date":"2024-05-06T07:08:09.5Z"},"#
        + #""old":{"date":"1900-01-01T00:00:00Z"},"ext":{"type":5,"data":{"base64":"YWJj"}},"#
        + #""ext1":{"type":6,"data":{"base64":"YQ=="}},"map":{"a":{}},"#
        + #""long":[\#((0..<20).map(String.init).joined(separator: ","))]}"#)
    #expect(
      shown(SerializedSamples.data(SerializedSamples.msgpack["float"])).json == #"{"f32":3.14}"#)
    #expect(
      shown(SerializedSamples.data(SerializedSamples.msgpack["array"])).json == #"["a",1,{"b":2}]"#)
  }

  @Test(
    arguments: [
      ([0x81, 0xA1, 0x61, 0x01], true), ([0x81, 0xA1, 0x61, 0x01, 0x00], false),
      ([0x81, 0xA1, 0x61], false), ([0x80], false), ([0x91, 0xA1, 0x61], false),
      ([0x81, 0xC0, 0xA1, 0x61], false), ([0x81, 0xA1, 0xFF, 0x01], false), ([0xA1, 0x61], false),
    ] as [([UInt8], Bool)])
  func `MessagePack is a complete map or array`(_ bytes: [UInt8], _ isOne: Bool) {
    #expect(formats(bytes).contains("msgpack") == isOne)
  }

  @Test func `Arrays of numbers rank below the hex dump`() {
    #expect(formats([0x93, 1, 2, 3]) == ["hex", "msgpack", "text"])
    #expect(formats([0x83, 1, 2, 3]) == ["hex", "cbor", "text"])
  }

  @Test(
    arguments: [
      // Also {97: 97, 97: 98, 24: 32} in MessagePack.
      ([0x83, 0x61, 0x61, 0x61, 0x62, 0x18, 0x20], "cbor", #"["a","b",32]"#),
      // In CBOR it would end too early.
      ([0x82, 0xA1, 0x61, 0x01, 0xA1, 0x62, 0x02], "msgpack", #"{"a":1,"b":2}"#),
      // In MessagePack it would have too many bytes.
      ([0x82, 0xA1, 0x61, 0x61, 0x01, 0xA1, 0x61, 0x62, 0x02], "cbor", #"[{"a":1},{"b":2}]"#),
      // {"\u{1}": 2, "\u{3}": 4} in MessagePack, and [{1: 2}, {3: 4}] in CBOR.
      ([0x82, 0xA1, 0x01, 0x02, 0xA1, 0x03, 0x04], "hex", ""),
    ] as [([UInt8], String, String)])
  func `Bytes that may be MessagePack or CBOR are what has text`(
    _ bytes: [UInt8], _ format: String, _ json: String
  ) {
    #expect(shown(bytes).format == format)
    #expect(shown(bytes).json == json)
  }

  // MARK: CBOR

  @Test func `CBOR is shown with all its types`() {
    let all = shown(SerializedSamples.data(SerializedSamples.cbor["all"]))
    #expect(all.head == "cbor: 433 bytes")
    #expect(
      all.json == #"{"text":"Zoë","s8":"\#(String(repeating: "x", count: 40))","#
        + #""ints":[0,127,128,255,256,65535,65536,4294967295,4294967296,18446744073709551615,-1,"#
        + #"-32,-33,-128,-129,-32768,-32769,-2147483648,-2147483649,-9223372036854775808],"#
        + #""f32":null,"f":1.1,"t":true,"n":null,"bin":{"base64":"AP8="},"3":"three","#
        + #""ts":{"date":"2024-05-06T07:08:09Z"},"ts8":{"date":"2024-05-06T07:08:09.5Z"},"#
        + #""old":{"date":"1900-01-01T00:00:00Z"},"map":{"a":{}},"#
        + #""long":[\#((0..<20).map(String.init).joined(separator: ","))],"#
        + #""dec":{"tag":4,"value":[-1,15]},"#
        + #""uuid":{"uuid":"12345678-1234-5678-1234-567812345678"},"#
        + #""big":1180591620717411303424,"neg":-1180591620717411303424,"#
        + #""low":-18446744073709551616,"undef":{"simple":"undefined"},"#
        + #""set":{"tag":258,"value":[1]},"half":1.5,"inf":{"real":"inf"},"#
        + #""date":{"tag":1004,"value":"2024-05-06"},"simple":{"simple":99}}"#)
  }

  @Test(arguments: [
    (
      "canonical",
      #"{"d":1.1,"f":100000.0,"h":1.5,"i":{"real":"-inf"},"n":{"real":"nan"},"#
        + #""s":5.9604645e-08,"z":-0.0}"#
    ),
    ("timestamp", #"{"at":{"date":"2024-05-06T07:08:09Z"}}"#), ("magic", "[1,2]"),
    ("indefinite", #"{"a":1,"b":[2,3],"str":"abc","bin":{"base64":"AQI="}}"#),
  ])
  func `CBOR is shown in every encoding`(_ name: String, _ json: String) {
    let shown = shown(SerializedSamples.data(SerializedSamples.cbor[name]))
    #expect(shown.format == "cbor")
    #expect(shown.json == json)
  }

  @Test func `CBOR that says what it is is shown up to its damage`() {
    let bytes = CBORReader.magic + [0x83, 0x01, 0xA2, 0x61, 0x61, 0x02, 0x61]
    #expect(
      shown(bytes)
        == Shown(
          format: "cbor", head: "cbor: 10 bytes; damaged: it ends too early",
          json: #"[1,{"a":2}]"#))
  }

  // MARK: Protocol Buffers

  @Test(arguments: [
    (
      "protobuf",
      #"{"1":"shop.proto","2":"shop","3":["a.proto","b.proto"],"4":{"1":"Item","2":["#
        + #"{"1":"price","3":1,"5":1},{"1":"n","3":2,"5":3}]}}"#
    ),
    (
      "struct",
      #"{"1":[{"1":"names","2":{"6":{"1":[{"3":"a"},{"3":"bcd"}]}}},{"1":"none","2":{"1":0}},"#
        + #"{"1":"ok","2":{"4":1}},{"1":"pi","2":{"2":3.14}}]}"#
    ),
    ("timestamp", #"{"1":1714979289,"2":500}"#),
  ])
  func `Messages are shown by field number`(_ name: String, _ json: String) {
    let shown = shown(SerializedSamples.data(SerializedSamples.protobuf[name]))
    #expect(shown.format == "protobuf")
    #expect(shown.head?.hasPrefix("protobuf: fields by number, ") == true)
    #expect(shown.json == json)
  }

  @Test func `Fields have the type that is most likely`() {
    // 1: -1, 2: 1.5 (float), 3: 1700000000 (fixed32), group 4 {1: 5}, 5: bytes
    let bytes: [UInt8] =
      [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01, 0x15, 0, 0, 0xC0, 0x3F]
      + [0x1D, 0x00, 0xF1, 0x53, 0x65, 0x23, 0x08, 0x05, 0x24, 0x2A, 0x02, 0xFF, 0x00]
    #expect(
      shown(bytes).json
        == #"{"1":-1,"2":1.5,"3":1700000000,"4":{"1":5},"5":{"base64":"/wA="}}"#)
  }

  @Test func `Messages that may be chance rank below the hex dump`() {
    #expect(formats([0x10, 0x01, 0x08, 0x02]) == ["hex", "protobuf", "text"])
    #expect(!formats([0x08, 0x01]).contains("protobuf"))
    #expect(!formats([0x08, 0x01, 0x12]).contains("protobuf"))
  }

  // MARK: PHP

  @Test func `PHP values are shown with their objects and references`() {
    let all = shown(SerializedSamples.data(SerializedSamples.php["all"]))
    let user =
      #"{"class":"User","name":"Zoë","age":5,"secret":1.5,"friend":"… recursive, 1 level up","#
      + #""tags":["a","b"]}"#
    #expect(all.head == "php: 486 bytes")
    #expect(
      all.json == #"{"user":\#(user),"again":\#(user),"list":[1,2],"map":{"3":"x","k":null},"#
        + #""t":true,"f":false,"big":9223372036854775807,"d":0.1,"inf":{"real":"inf"},"#
        + #""nan":{"real":"nan"},"bin":{"base64":"AP8="},"quote":"a\";}","#
        + #""suit":{"class":"Suit","case":"Hearts"},"empty":[],"r1":"shared","r2":"shared","#
        + #""last":\#(user)}"#)
  }

  @Test(arguments: [
    ("string", #""hé""#), ("float", "[1e+25,-0.0]"),
    ("storage", #"{"class":"ArrayObject","0":0,"1":{"a":1},"2":[],"3":null}"#),
  ])
  func `PHP values are shown in text and bytes`(_ name: String, _ json: String) {
    let bytes = SerializedSamples.bytes(SerializedSamples.php[name])
    #expect(shown(bytes).json == json)
    #expect(shown(StoredValue(textBytes: bytes)).format == "php")
  }

  @Test func `PHP objects with their own format and old strings are shown`() {
    #expect(shown(.text(#"C:3:"Old":6:{raw;}"}"#)).json == #"{"class":"Old","data":"raw;}\""}"#)
    #expect(shown(.text(#"a:1:{S:1:"\41";N;}"#)).json == #"{"A":null}"#)
  }

  @Test(arguments: [
    "a:1:{i:0;i:1;", "a:1:{i:0;i:1;} ", "a: b", "s:5:\"abc\";", "a:2:{i:0;i:1;}", "O:1", "b:x;",
    "i:1", "d:0x1p3;", "r:1;", "a:1:{N;i:1;}",
  ])
  func `Incomplete PHP values are text`(_ text: String) {
    #expect(shown(.text(text)).format == "text")
    #expect(ValueFormat.php.suits(.text(text)) == 0)
  }

  @Test func `Scalars of PHP are shown as text first`() {
    for text in ["i:5;", "b:1;", "d:0.5;", "N;"] {
      #expect(
        ValueFormat.suitable(for: .text(text)).map(\.name) == ["text", "php", "hex"])
    }
  }

  // MARK: Ruby

  @Test func `Marshalled objects are shown with all their types`() {
    let all = shown(SerializedSamples.data(SerializedSamples.marshal["all"]))
    #expect(all.head == "marshal: 878 bytes")
    #expect(
      all.json == #"{"text":"Zoë","ascii":"a","binary":{"base64":"AP8="},"#
        + #""latin":{"base64":"6Q=="},"latin2":{"base64":"6A=="},"#
        + #""ints":[0,1,-1,122,123,-123,-124,255,256,-256,-257,65535,65536,-65536,1073741823,"#
        + #"-1073741824,1073741824,-1073741825,18446744073709551616,-1180591620717411303424],"#
        + #""floats":[1.5,{"real":"inf"},{"real":"-inf"},{"real":"nan"},1e+100,-0.0],"#
        + #"":sym":":sym",":zoë":":zoë","#
        + #""point":{"class":"Point","@x":1,"@y":{"class":"Point","@x":2,"@y":null}},"#
        + #""struct":{"class":"S","a":1,"b":"b"},"names":{"class":"Names","items":[1]},"#
        + #""title":{"class":"Title","value":"t"},"#
        + #""range":{"class":"Range","excl":false,"begin":1,"end":3},"#
        + #""regexp":{"class":"Regexp","source":"a+","options":1},"#
        + #""class":{"global":"String"},"module":{"global":"Kernel"},"#
        + #""dump":{"class":"D","data":{"base64":"cmF3/w=="}},"#
        + #""marshal":{"class":"MD","data":[1,"a"]},"default":{":k":1,"default":7},"#
        + #""ext":{"class":"Point","@x":1,"@y":2},"#
        + #""iv":{"class":"String","value":"with","@note":"n"},"#
        + #""time":{"date":"2024-05-06T07:08:09.5Z"},"#
        + #""big":{"class":"BigDecimal","data":"18:0.15e1"},"#
        + #""set":{"class":"Set","@hash":{"1":true,"default":false}},"s1":"shared","#
        + #""s2":"shared","rec":[1,"… recursive, 1 level up"],"nil":null,"t":true,"f":false,"#
        + #""f1":[1.25,1.25]}"#)
  }

  @Test func `Links to marshalled times lead to them`() {
    let times = shown(SerializedSamples.data(SerializedSamples.marshal["times"]))
    let time = #"{"date":"2024-05-06T07:08:09Z"}"#
    #expect(times.json == #"[\#(time),"x",\#(time)]"#)
  }

  @Test func `Entries of a Rails cache are objects`() {
    let entry = shown(SerializedSamples.data(SerializedSamples.marshal["entry"]))
    #expect(
      entry.json == #"{"class":"ActiveSupport::Cache::Entry","@value":{"a":[1,"x"]},"#
        + #""@version":null,"@created_at":1795859928.1633606,"@expires_in":60.0}"#)
  }

  // MARK: Other formats

  @Test func `Serialized values are found inside other formats`() {
    // base64.b64encode(pickle.dumps({"_auth_user_id": "7", "cart": [1, 2]}, 4)), as Django does.
    let base64 = "gASVKAAAAAAAAAB9lCiMDV9hdXRoX3VzZXJfaWSUjAE3lIwEY2FydJRdlChLAUsCZXUu"
    let django = ValueFormat.suitable(for: .text(base64)).first
    #expect(
      django?.lines(.text(base64), 100, 80).map(\.text).prefix(3)
        == ["base64: 51 bytes from 68, as pickle", "pickle: protocol 4, 51 bytes", "{"])
    // zlib.compress(pickle.dumps({"a" * 50: list(range(50))}, 4))
    let zlib = SerializedSamples.bytes(
      "eJyVwbdxwgAAAECCTDQ5G0wOIomwxs9AQcEErrljAEp5AG/qggn4fwS/f4mXe/w8X98WX+JQQlJKWuBDRlZOXkHR"
        + "p5KyiqqauoamlraOrp4vfQPfhkbGJqZm5haWVkJrG1s7e5GDo9PtJ/oHjY4sng==")
    #expect(
      ValueFormat.suitable(for: .data(zlib)).first?.lines(.data(zlib), 100, 80)[0].text
        .hasSuffix("as pickle") == true)
  }

  @Test(arguments: [
    (SerializedSamples.pickles["recursive4"], "pickle", #"[[1,"… recursive, 1 level up"],{"self""#),
    (SerializedSamples.msgpack["array"], "msgpack", #"["a",1,{"b":2}]"#),
    (SerializedSamples.cbor["timestamp"], "cbor", #"{"at":{"date":"2024-05-06T07:08:09Z"}}"#),
    (SerializedSamples.php["float"], "php", "[1e+25,-0.0]"),
    (SerializedSamples.marshal["entry"], "marshal", #"{"class":"ActiveSupport::Cache::Entry""#),
  ])
  func `Previews show the decoded structure`(_ base64: String?, _ kind: String, _ text: String) {
    let preview = ValuePreview(SerializedSamples.data(base64))
    #expect(preview.kind == kind)
    #expect(preview.text.hasPrefix(text), "\(preview.text)")
  }

  @Test func `Previews of large structures are bytes`() {
    let bytes: [UInt8] =
      [0xDC, 0x80, 0x00, 0xA2, 0x61, 0x61] + [UInt8](repeating: 1, count: 0x7FFF)
    let preview = ValuePreview(.data(bytes))
    #expect(preview.kind == "msgpack")
    #expect(preview.text.hasPrefix("dc 80 00 a2"))
    #expect(ValueFormat.isSlowToRead(.data(bytes)))
  }
}
