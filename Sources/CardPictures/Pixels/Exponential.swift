import Glibc

/// e to a power.
func exponential(_ x: Float) -> Float { exp(x) }
