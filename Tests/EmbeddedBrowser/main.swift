import Harmony
import LarderKit

/// A value of the sample program, which embeds a browser of its own sources.
struct Visit: Codable, Sendable {
  var page: String
  var seconds: Int
}

let visits = TimedCacheDataSource(InMemoryDataSource<Visit>(), expiryInterval: 300)
let names = InMemoryDataSource<String>()

for (number, page) in ["home", "about", "prices"].enumerated() {
  try await visits.put(Visit(page: page, seconds: number * 10), in: IdQuery("visit:\(number)"))
    .get()
}
try await names.put("Ada", in: IdQuery("first")).get()

// The program keeps working while the browser runs.
let work = Task {
  for number in 3... {
    try await Task.sleep(for: .seconds(1))
    try await visits.put(
      Visit(page: "page \(number)", seconds: number), in: IdQuery("visit:\(number % 10)")
    ).get()
  }
}

let browser = LarderBrowser("example")
browser.show(visits, as: "visits", isWritable: true)
browser.show(names, as: "writers")
do {
  try await browser.run()
  print("the program goes on")
} catch {
  print("larder: \(error)")
}
work.cancel()
