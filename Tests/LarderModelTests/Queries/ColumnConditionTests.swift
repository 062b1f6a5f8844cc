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
    ])
  func aWordIsACondition(_ text: String, _ condition: ColumnCondition) {
    let filter = FilterText(text, columns: Self.columns).filter
    #expect(filter == EntryFilter([], columns: [condition]))
  }

  @Test(arguments: ["total", "total5>1", "other>1", "!status:paid", "'status:paid", "^total>1"])
  func `Other words search in keys`(_ text: String) {
    let filter = FilterText(text, columns: Self.columns).filter
    #expect(filter?.columns == [])
    #expect(filter?.terms.count == 1)
  }

  @Test(arguments: ["total>", "status:", "total>=", "Total\\ cost=", "total:>", "total:status:"])
  func `An incomplete condition does not filter`(_ text: String) {
    #expect(FilterText(text, columns: Self.columns).filter == nil)
  }

  @Test func `All conditions and texts must match`() {
    let filter = FilterText("total>1 abc status:x", columns: Self.columns).filter
    #expect(filter?.terms == [.init(.text("abc"))])
    #expect(filter?.columns.map(\.column) == ["total", "status"])
  }

  @Test(arguments: ["in transit", "a\\b", "!x", "'x", "100$", "x>1", "null", ""])
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
