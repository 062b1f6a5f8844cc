import TerminalUI

extension BrowserView {
  /// Draws the line of tabs, if there is one.
  func drawTabs(_ screen: inout Screen) {
    guard let tabs = layout.tabs else { return }
    screen.fill(tabs.area, style: theme[.text])
    for label in [tabs.earlier, tabs.later].compactMap({ $0 }) + tabs.labels {
      let style = theme[label.isShown ? .listRowSelected : .textDim]
      screen.put(label.text, at: label.area.origin, style: style, maxWidth: label.area.width)
    }
  }
}
