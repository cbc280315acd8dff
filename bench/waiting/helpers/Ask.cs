// C#: ReadLine, a thread that sleeps, ReadKey (built with mcs, run with mono)
using System;
using System.Threading;
class Ask {
  static void Main() {
    Thread.Sleep(700);
    Console.Write("Order number: ");
    Console.ReadLine();
    Thread.Sleep(1400);
    Console.Write("Print it (y/n) ");
    Console.ReadLine();
    Thread.Sleep(3000);
  }
}
