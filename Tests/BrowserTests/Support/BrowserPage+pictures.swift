import Foundation
import Testing

extension BrowserPage {
    /// A screen for screenshots.
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

    /// Returns the width and height in the header of a PNG (RFC 2083, 4.1.1).
    private static func size(ofPNG data: Data) -> [Int] {
        guard data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), data.count > 24 else { return [] }
        return [16, 20].map { start in data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Sets the height of the screen to the height of the page, takes a screenshot, and checks its size. If the
    /// environment variable `DUET_SCREENSHOTS` contains the path of a folder, the screenshot is written into it.
    func keep(_ name: String, _ screen: Screen) async throws {
        let height = try await evaluate("document.documentElement.scrollHeight").integer ?? 0
        try await resize(width: screen.width, height: height, isMobile: screen.phoneWidth != nil)
        let picture = try await screenshot()
        #expect(height > 700 && Self.size(ofPNG: picture) == [screen.width, height])
        guard let path = ProcessInfo.processInfo.environment["DUET_SCREENSHOTS"], !path.isEmpty else { return }
        let folder = URL(filePath: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try picture.write(to: folder.appending(path: "\(name)-\(screen.name).png"))
    }
}
