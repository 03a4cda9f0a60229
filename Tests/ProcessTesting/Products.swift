package import Foundation

/// The products of the build that contains the tests.
package enum Products {
    package static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The folder of the build with its checkouts of packages: two levels above `<triple>/<configuration>`.
    package static let scratch = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// The path of the program `duet`: the value of the environment variable `DUET_PROGRAM`, or by default the product
    /// of this build. The package in `Threads` needs the variable, because it does not build the program.
    package static let duet =
        ProcessInfo.processInfo.environment["DUET_PROGRAM"] ?? folder.appending(path: "duet").path
}
