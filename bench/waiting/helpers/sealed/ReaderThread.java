// a thread reads the terminal all the time; the main thread asks, then works without a word
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.LinkedBlockingQueue;

public class ReaderThread {
    static final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    static String ask(String question) throws InterruptedException {
        System.out.print(question);
        System.out.flush();
        return lines.take();
    }

    public static void main(String[] args) throws Exception {
        var reader = new Thread(() -> {
            try {
                var in = new BufferedReader(new InputStreamReader(System.in));
                for (String line; (line = in.readLine()) != null; ) lines.add(line);
            } catch (Exception e) {
                System.exit(1);
            }
        });
        reader.setDaemon(true);
        reader.start();
        ask("Cluster: ");
        Thread.sleep(3300);
        ask("Region: ");
        new ProcessBuilder("sleep", "3.2").start().waitFor();
        ask("Zone: ");
        Thread.sleep(60000);
    }
}
