import Foundation

/// The free memory that the allocator retains for later use.
enum FreeMemory {
    /// Returns the memory to the operating system. It does nothing if the C library has no `malloc_trim(3)`.
    ///
    /// The allocator retains small freed blocks. Work such as an OpenAPI document of hundreds of tables (190 MB)
    /// allocates far more than a request, and the process would retain its peak size afterwards. Other threads that
    /// allocate memory may wait for some milliseconds, so this method is not suitable for each request.
    static func giveBack() {
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: (@convention(c) (_ pad: Int) -> CInt).self)(0)
    }
}
