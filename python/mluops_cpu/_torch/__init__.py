"""Below the public torch API: kernels, operators, gradients and the policies they share."""
