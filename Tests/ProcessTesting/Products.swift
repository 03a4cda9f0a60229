package import Foundation

/// The products of the build that the tests are part of.
package enum Products {
    package static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Where the build keeps its files, the packages that it depends on among them: two folders up, `<triple>/<configuration>`.
    package static let scratch = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// The path of `duet`: a product of this build, or of another one that the environment variable `DUET_PROGRAM` names. The
    /// package of the client alone does not build the program.
    package static let duet =
        ProcessInfo.processInfo.environment["DUET_PROGRAM"] ?? folder.appending(path: "duet").path
}
