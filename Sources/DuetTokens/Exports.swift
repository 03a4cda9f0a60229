// The interface of this module contains types of DuetJSON, so its users need one import.

@_exported public import DuetJSON
