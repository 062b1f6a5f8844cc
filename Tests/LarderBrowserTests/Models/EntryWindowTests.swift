import LarderModel
import LarderBrowser
import Testing

/// The loaded part of a list.
@Suite struct EntryWindowTests {
  private func page(_ keys: some Sequence<Int>) -> [Entry] {
    keys.map { Entry(key: .integer(Int64($0))) }
  }

  private func numbers(_ window: EntryWindow) -> [Int64] {
    window.entries.compactMap { if case .integer(let number) = $0.key { number } else { nil } }
  }

  @Test func `A new window is at the start`() {
    let window = EntryWindow()
    #expect(window.entries.isEmpty)
    #expect(!window.hasEarlier)
    #expect(window.hasLater)
    #expect(window.offset == 0)
    #expect(EntryWindow.atEnd.hasEarlier)
    #expect(!EntryWindow.atEnd.hasLater)
    #expect(EntryWindow.atEnd.offset == nil)
  }

  @Test func `Pages are added at either end`() {
    var window = EntryWindow.atEnd
    #expect(window.prepend(page([9, 8, 7]), isFirst: false) == 3)
    #expect(window.prepend(page([6, 5]), isFirst: true) == 2)
    #expect(numbers(window) == [5, 6, 7, 8, 9])
    #expect(window.offset == 0)
    #expect(!window.hasEarlier)
    #expect(window.append(page([10]), isLast: false) == 0)
    #expect(window.hasLater)
    #expect(window.append([], isLast: true) == 0)
    #expect(!window.hasLater)
  }

  @Test func `A full window drops rows at the other end`() {
    var window = EntryWindow()
    _ = window.append(page(0..<EntryWindow.capacity), isLast: false)
    #expect(window.append(page(2_000..<2_200), isLast: true) == -200)
    #expect(window.entries.count == EntryWindow.capacity)
    #expect(numbers(window).first == 200)
    #expect(window.offset == 200)
    #expect(window.hasEarlier)
    #expect(!window.hasLater)
    #expect(window.prepend(page((100..<200).reversed()), isFirst: false) == 100)
    #expect(numbers(window).first == 100)
    #expect(numbers(window).last == 2_099)
    #expect(window.offset == 100)
    #expect(window.hasLater)
  }

  @Test func `An offset is never negative`() {
    var window = EntryWindow()
    _ = window.append(page(0..<10), isLast: true)
    _ = window.prepend(page([-1, -2]), isFirst: false)
    #expect(window.offset == 0)
  }

  @Test func `Entries are found, removed and replaced`() {
    var window = EntryWindow()
    _ = window.append(page(0..<3), isLast: true)
    #expect(window.row(of: .integer(2)) == 2)
    #expect(window.row(of: .text("2")) == nil)
    window.replace(Entry(key: .integer(2), value: .text("x")))
    #expect(window.entries[2].value == .text("x"))
    window.replace(Entry(key: .integer(9), value: .text("x")))
    window.remove(.integer(0))
    window.remove(.integer(7))
    #expect(numbers(window) == [1, 2])
  }
}
