import Foundation

/// The memory that the allocator has kept for later use.
enum FreeMemory {
    /// Gives it back to the operating system. Does nothing where the C library has no `malloc_trim(3)`.
    ///
    /// The allocator keeps small blocks that are freed. After work that allocates far more than a request, such as an OpenAPI document of
    /// hundreds of tables (190 MB), the process would stay as large as it was at its peak. Other threads that allocate may wait for some milliseconds
    /// meanwhile, so this is not for each request.
    static func giveBack() {
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: (@convention(c) (_ pad: Int) -> CInt).self)(0)
    }
}
