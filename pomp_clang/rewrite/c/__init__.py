"""C and C++: the text of the calls, and of the declarations that they need at file scope."""
