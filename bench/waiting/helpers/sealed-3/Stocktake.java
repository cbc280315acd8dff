// a stocktake in Java: lines by Scanner, a password by Console, and questions that are printed before the work they belong to
import java.io.Console;
import java.io.FileWriter;
import java.util.Scanner;

public class Stocktake {
    static void truth(String label) throws Exception {
        String path = System.getenv("PHASE_LOG");
        if (path == null) return;
        try (FileWriter file = new FileWriter(path, true)) {
            file.write(System.nanoTime() + " " + label + "\n");
        }
    }

    static void work(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        double sum = 0;
        while (System.nanoTime() < end) sum += Math.sqrt(sum + 1);
        if (sum < 0) System.out.print(sum);
    }

    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        Console console = System.console();
        System.out.print("Shelf: ");
        System.out.flush();
        truth("shelf");
        String shelf = in.nextLine();
        System.out.print("Items counted on " + shelf + " [12]: ");
        System.out.flush();
        work(1800);
        truth("items");
        in.nextLine();
        truth("pin");
        console.readPassword("PIN of the clerk: ");
        System.out.print("Printing the label (y/n) ");
        System.out.flush();
        Thread.sleep(2600);
        truth("label");
        in.nextLine();
        while (true) {
            System.out.print("stock> ");
            System.out.flush();
            truth("command");
            String line = in.nextLine();
            if (line.equals("audit")) work(60_000);
            Thread.sleep(900);
            System.out.println("done " + line);
        }
    }
}
