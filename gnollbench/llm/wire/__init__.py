"""The four request and reply bodies that providers speak, and the transport that carries them."""
