// Swift code calls no function of this target. It only needs to link the target.
