// The interface of this module contains types of these modules, so its users need one import.

@_exported public import DuetGraphQLLanguage
@_exported public import DuetJSON

@_exported public import struct NIOCore.ByteBuffer
