import DuetJSON
import Foundation
import Testing

extension ComparisonPageTests {
    /// Pictures of the page for people to look at, in the folder that `DUET_SCREENSHOTS` names; without it they are taken and thrown away.
    @Suite("Pictures")
    struct Screenshots {
        struct Screen: Sendable, CustomTestStringConvertible {
            let name: String
            var phoneWidth: Int?
            var isDark = false

            static let all = [
                Screen(name: "desktop"), Screen(name: "desktop-dark", isDark: true),
                Screen(name: "phone", phoneWidth: 360), Screen(name: "phone-dark", phoneWidth: 360, isDark: true),
            ]

            var width: Int { phoneWidth ?? 1280 }
            var testDescription: String { name }
        }

        /// Width and height that a PNG says it has (RFC 2083, 4.1.1).
        private static func size(ofPNG data: Data) -> [Int] {
            guard data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), data.count > 24 else {
                return []
            }
            return [16, 20].map { start in data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        }

        /// Takes a picture of the whole page, on a screen that is as high.
        private func keep(_ page: BrowserPage, _ name: String, _ screen: Screen) async throws {
            let height = try await page.evaluate("document.documentElement.scrollHeight").integer ?? 0
            try await page.resize(width: screen.width, height: height, isMobile: screen.phoneWidth != nil)
            let picture = try await page.screenshot()
            #expect(height > 700 && Self.size(ofPNG: picture) == [screen.width, height])
            guard let path = ProcessInfo.processInfo.environment["DUET_SCREENSHOTS"], !path.isEmpty else { return }
            let folder = URL(filePath: path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try picture.write(to: folder.appending(path: "\(name)-\(screen.name).png"))
        }

        @Test("Of a task with its SQL, and of the list of people, on each screen", arguments: Screen.all)
        func pictures(screen: Screen) async throws {
            try await withComparison(["task": "badge"], phoneWidth: screen.phoneWidth) { page in
                if screen.isDark { try await page.setDark() }
                try await page.click("#tab-people")
                for side in ["rest", "graphql"] {
                    try await page.wait(until: "document.querySelectorAll('#\(side)-people li').length >= 30")
                }
                // Before the task, for which the screen becomes higher, and with it the lists.
                try await keep(page, "people", screen)
                try await page.click("#tab-task")
                try await page.click("#run")
                try await page.waitForBoth()
                for side in ["rest", "graphql"] {
                    try await page.click("#\(side)-trips .statements summary")
                    try await page.wait(until: "document.querySelector('#\(side)-trips .sql')")
                }
                try await keep(page, "task", screen)
            }
        }
    }
}
