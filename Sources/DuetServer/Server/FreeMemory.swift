import Foundation

/// The free memory that the allocator retains for later use.
enum FreeMemory {
    /// Returns the memory to the operating system. It does nothing if the C library has no `malloc_trim(3)`.
    ///
    /// The allocator retains small freed blocks. The creation of an OpenAPI document of a thousand tables needs 30 MB,
    /// far more than a request. Without this method, the process would retain its peak size afterwards. During
    /// the call, other threads that allocate memory may wait for some milliseconds. Therefore do not call this method
    /// for each request.
    static func giveBack() {
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: (@convention(c) (_ pad: Int) -> CInt).self)(0)
    }
}
