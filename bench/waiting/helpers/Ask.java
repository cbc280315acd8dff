// Java: Scanner, a silent sleep, System.console().readPassword, a loop that computes (run as: java Ask.java)
import java.io.FileWriter;
import java.util.Scanner;

public class Ask {
  static void truth() throws Exception {
    String path = System.getenv("PHASE_LOG");
    if (path != null) try (FileWriter f = new FileWriter(path, true)) { f.write(System.nanoTime() + " wait\n"); }
  }
  public static void main(String[] args) throws Exception {
    Scanner in = new Scanner(System.in);
    System.out.print("Customer: ");
    System.out.flush();
    truth();
    in.nextLine();
    Thread.sleep(1500);
    truth();
    System.console().readPassword("Key: ");
    long until = System.nanoTime() + 1300000000L, x = 0;
    while (System.nanoTime() < until) x++;
    System.out.print("Order (" + x % 10 + "): ");
    System.out.flush();
    truth();
    in.nextLine();
    Thread.sleep(3000);
  }
}
