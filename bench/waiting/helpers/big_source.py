# a C file that keeps the compiler busy for a second or two
print("int a[9];")
for i in range(330):
    print(f"int f{i}(int x) {{ for (int i = 0; i < x; i++) {{ a[i % 9] += i * {i + 1} ^ x; if (a[i % 7] > x) x -= a[(i + {i}) % 9]; }} return x + a[{i % 9}]; }}")
