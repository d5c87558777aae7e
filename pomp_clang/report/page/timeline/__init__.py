"""The time line of a page: what each thread did, with the instances of a property marked."""
