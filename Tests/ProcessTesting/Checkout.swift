package import Foundation

/// The checkout that contains the sources of the tests.
package enum Checkout {
    package static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    package static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// Returns the paths of the Markdown files in the root folder and in `docs`.
    package static func documents() throws -> [String] {
        let names = try ["", "docs/"].flatMap { directory in
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: directory).path)
                .map { directory + $0 }
        }
        return names.filter { $0.hasSuffix(".md") }.sorted()
    }

    /// Returns the paths of the files in a folder and its subfolders whose names have a suffix, in order. Hidden files
    /// and folders, such as `.build`, are not included.
    package static func files(in directory: String, suffix: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.appending(path: directory).path)?.allObjects
        let names = (all as? [String] ?? []).filter { $0.hasSuffix(suffix) && !"/\($0)".contains("/.") }
        return names.map { "\(directory)/\($0)" }.sorted()
    }

    /// The first 10,000 employees of the original data, which are not part of the repository.
    package static let publishedData = folder.appending(path: "../shared/data/employees-10k").standardizedFileURL

    package static var hasPublishedData: Bool {
        FileManager.default.fileExists(atPath: publishedData.appending(path: "employees.sql").path)
    }
}
