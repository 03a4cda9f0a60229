package import Foundation

/// The products of the build that the tests are part of.
package enum Products {
    package static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The path of `duet`.
    package static let duet = folder.appending(path: "duet").path
}
