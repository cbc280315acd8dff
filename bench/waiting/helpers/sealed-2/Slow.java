// work that a debugger asks for
public class Slow {
    static int add(int a, int b, long ms) throws InterruptedException {
        Thread.sleep(ms);
        return a + b;
    }

    public static void main(String[] args) throws InterruptedException {
        int n = 1;
        n++;
        System.out.println(add(n, 5, 60000));
    }
}
