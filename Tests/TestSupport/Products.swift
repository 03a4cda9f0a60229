package import Foundation

/// The products of the build that the tests are part of.
package enum Products {
    package static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Where the build keeps its files, the packages that it depends on among them: two folders up, `<triple>/<configuration>`.
    package static let scratch = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// The path of `duet`.
    package static let duet = folder.appending(path: "duet").path
}
