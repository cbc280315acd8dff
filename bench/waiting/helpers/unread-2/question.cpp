// takes its compiler a while, and asks
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <variant>
template <int N> struct Fib { static constexpr long long value = Fib<N - 1>::value + Fib<N - 2>::value; };
template <> struct Fib<1> { static constexpr long long value = 1; };
template <> struct Fib<0> { static constexpr long long value = 0; };
template <int N> struct Layer {
  std::map<std::string, std::variant<int, std::string, std::function<int(int)>>> items;
  int add(int n) {
    items[std::to_string(n + N)] = [n](int m) { return n * m + N; };
    return Layer<N - 1>{}.add(n + int(items.size()));
  }
};
template <> struct Layer<0> { int add(int n) { return n; } };
int main() {
  std::regex digits("[0-9]+(,[0-9]+)*");
  std::string line;
  std::cout << "How many crates? " << std::flush;
  if (!std::getline(std::cin, line)) return 1;
  std::cout << (std::regex_match(line, digits) ? Layer<10>{}.add(std::stoi(line)) : Fib<60>::value) << std::endl;
}
