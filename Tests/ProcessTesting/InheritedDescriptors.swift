package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The descriptors that a child process would inherit, such as the sockets of other tests. A connection that a test
/// closes would remain open while the child process runs, and the other end would wait for it.
package enum InheritedDescriptors {
    /// Adds the action that closes all descriptors from a number on in the child process.
    package static func close(from first: Int32, _ actions: inout posix_spawn_file_actions_t) {
        _ = closeFrom?(&actions, first)
    }

    /// Glibc has this function, but Swift does not import it.
    private static let closeFrom = dlsym(dlopen(nil, RTLD_NOW), "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
    }
}
