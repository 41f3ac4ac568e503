# What other kernels take from this one when they are compiled; interpreted, they import it.
cpdef double rounded(double x, double rule, double step) noexcept nogil
cpdef double logistic(double x) noexcept nogil
