import parts

print(parts.total(10))
