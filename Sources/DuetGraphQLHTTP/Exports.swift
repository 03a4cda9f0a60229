// The interface of this module contains types of these modules, so its users need one import.

@_exported public import DuetGraphQL
@_exported public import DuetJSON
@_exported public import HTTPTypes

@_exported public import struct NIOCore.ByteBuffer

#if Crypto
    @_exported public import DuetPersistedDocuments
#endif
