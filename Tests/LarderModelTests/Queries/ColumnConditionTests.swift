import LarderModel
import Testing

/// Column conditions as typed in a filter.
@Suite struct ColumnConditionTests {
  private static let columns = ["total", "status", "Total cost", "a:b", "a"]

  @Test(
    arguments: [
      ("total>100", ColumnCondition("total", .greater, "100")),
      ("total>=100", ColumnCondition("total", .atLeast, "100")),
      ("TOTAL<-1.5", ColumnCondition("total", .less, "-1.5")),
      ("total<=1", ColumnCondition("total", .atMost, "1")),
      ("status:paid", ColumnCondition("status", .contains, "paid")),
      ("status=in\\ transit", ColumnCondition("status", .equal, "in transit")),
      ("status!=null", ColumnCondition("status", .notEqual, "null")),
      ("Total\\ cost=1", ColumnCondition("Total cost", .equal, "1")),
      ("a:b=c", ColumnCondition("a:b", .equal, "c")),
      ("a:c", ColumnCondition("a", .contains, "c")),
      ("status:>1", ColumnCondition("status", .greater, "1")),
      ("total:status:paid", ColumnCondition("status", .contains, "paid")),
      ("total:>=10", ColumnCondition("total", .atLeast, "10")),
      ("!status:paid", ColumnCondition("status", .lacks, "paid")),
      ("status!:paid", ColumnCondition("status", .lacks, "paid")),
      ("!status:\"in transit\"", ColumnCondition("status", .lacks, "in transit")),
      ("!total>5", ColumnCondition("total", .atMost, "5")),
      ("!total=null", ColumnCondition("total", .notEqual, "null")),
      ("status=\"in transit\"", ColumnCondition("status", .equal, "in transit")),
      ("status:\"in transit\"", ColumnCondition("status", .contains, "in transit")),
      (
        "Total\\ cost>=\"2026-01-05 12:00\"",
        ColumnCondition("Total cost", .atLeast, "2026-01-05 12:00")
      ),
      ("status=\"\"", ColumnCondition("status", .equal, "")),
      ("status=\"open", ColumnCondition("status", .equal, "\"open")),
      ("status=5\"", ColumnCondition("status", .equal, "5\"")),
      ("total > 100", ColumnCondition("total", .greater, "100")),
      ("total  >=100", ColumnCondition("total", .atLeast, "100")),
      ("!total< 100", ColumnCondition("total", .atLeast, "100")),
      ("status = \"in transit\"", ColumnCondition("status", .equal, "in transit")),
      ("status: paid", ColumnCondition("status", .contains, "paid")),
      ("status='in transit'", ColumnCondition("status", .equal, "in transit")),
      ("status=''", ColumnCondition("status", .equal, "")),
      ("status=it's", ColumnCondition("status", .equal, "it's")),
      ("total==5", ColumnCondition("total", .equal, "5")),
      ("total <> 5", ColumnCondition("total", .notEqual, "5")),
    ])
  func aWordIsACondition(_ text: String, _ condition: ColumnCondition) {
    let filter = FilterText(text, columns: Self.columns).filter
    #expect(filter == EntryFilter([], columns: [condition]))
  }

  @Test(arguments: ["total", "total5>1", "other>1", "'status:paid", "^total>1"])
  func `Other words search in keys`(_ text: String) {
    let filter = FilterText(text, columns: Self.columns).filter
    #expect(filter?.columns == [])
    #expect(filter?.terms.count == 1)
  }

  @Test(arguments: ["total>", "status:", "total>=", "Total\\ cost=", "total:>", "total:status:"])
  func `An incomplete condition does not filter`(_ text: String) {
    #expect(FilterText(text, columns: Self.columns).filter == nil)
  }

  @Test(
    arguments: [
      ("totl>100", "totl"), ("abc totl=1", "totl"), ("total>1 size!=2", "size"), ("total>1", nil),
      ("total5", nil), ("a/b=1", nil), ("=1", nil), ("'totl=1", nil), ("/totl=1", nil),
      ("key!", nil), ("foo!bar", nil), ("!total=5", nil), ("!totl=5", "totl"),
      ("totl:5", "totl"), ("user:5", nil), ("totl > 100", "totl"), ("abc :x", nil),
    ] as [(String, String?)])
  func `A comparison with a column that does not exist is noticed`(_ text: String, name: String?) {
    #expect(FilterText(text, columns: Self.columns).unknownColumn == name)
    #expect(FilterText(text).unknownColumn == nil, "without columns, it can only be a key")
  }

  @Test func `Quotation marks in other words are kept`() {
    let term = FilterText("'status:\"a b\"", columns: Self.columns).filter?.terms.first
    #expect(term?.pattern.text == "status:\"a")
    let filter = FilterText("status:\"a b\" total=\"1\"", comparedColumns: Self.columns).filter
    #expect(filter?.terms.map(\.pattern.text) == ["status:\"a", "b\""])
    #expect(filter?.columns == [ColumnCondition("total", .equal, "1")])
  }

  @Test func `An added condition on words is quoted`() {
    let condition = ColumnCondition("Total cost", .equal, "two words")
    let text = FilterText("", columns: Self.columns).adding(condition).text
    #expect(text == #"Total\ cost="two words""#)
  }

  @Test func `All conditions and texts must match`() {
    let filter = FilterText("total>1 abc status:x", columns: Self.columns).filter
    #expect(filter?.terms == [.init(.text("abc"))])
    #expect(filter?.columns.map(\.column) == ["total", "status"])
  }

  @Test(arguments: [
    "in transit", "say \"no more\"", " ", "\"abc\"", "\"a b\"", "\"", "a\\b", "!x", "'x", "100$",
    "x>1", "null", "", "=x", "=SUM(A1)", ">1", "''", "'a b'",
  ])
  func `An added condition survives a round trip`(_ operand: String) {
    for column in Self.columns {
      let condition = ColumnCondition(column, .equal, operand)
      let text = FilterText("key", columns: Self.columns).adding(condition)
      #expect(text.filter == EntryFilter([.init(.text("key"))], columns: [condition]))
    }
  }

  @Test func ordersOfColumnsHaveNames() {
    for column in ["total", "two words", ":x", "size down", ""] {
      for isDescending in [false, true] {
        let order = EntryOrder(.column(column), isDescending: isDescending)
        #expect(EntryOrder(name: order.name) == order)
      }
    }
    #expect(EntryOrder(name: "size down") == EntryOrder(.size, isDescending: true))
    #expect(EntryOrder(name: "nothing down") == nil)
  }
}
