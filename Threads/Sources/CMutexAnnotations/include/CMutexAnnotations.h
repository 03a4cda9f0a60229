// Nothing is called from Swift: linking this target is enough.
