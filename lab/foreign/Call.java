// Java: JNI, and java.lang.foreign, plain and critical. Properties: way, library, jni. Argument: the number of calls.
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

public class Call {
    static native int add(int a, int b);

    // The JIT takes a method handle for what it is only where it is constant.
    static final String WAY = System.getProperty("way");
    static final MethodHandle ADD = find(System.getProperty("library"), "add", FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), WAY.equals("java-ffm-critical"));
    static final MethodHandle CLOCK = find(System.getProperty("library"), "thread_ns",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG), false);

    static MethodHandle find(String library, String name, FunctionDescriptor type, boolean critical) {
        Linker.Option[] options = critical ? new Linker.Option[] {Linker.Option.critical(false)} : new Linker.Option[0];
        return Linker.nativeLinker().downcallHandle(
                SymbolLookup.libraryLookup(library, Arena.global()).find(name).orElseThrow(), type, options);
    }

    static int jni(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s = add(s, 1);
        return s;
    }

    static int ffm(int n) throws Throwable {
        int s = 0;
        for (int i = 0; i < n; i++) s = (int) ADD.invokeExact(s, 1);
        return s;
    }

    static int calls(int n) throws Throwable {
        return WAY.equals("java-jni") ? jni(n) : ffm(n);
    }

    public static void main(String[] args) throws Throwable {
        int n = Integer.parseInt(args[0]);
        System.load(System.getProperty("jni"));
        for (int i = 0; i < 20; i++) calls(n / 20); // until both compilers are done
        Thread.sleep(50);
        calls(n / 10);
        long start = (long) CLOCK.invokeExact();
        int sum = calls(n);
        long took = (long) CLOCK.invokeExact() - start;
        if (sum != n) throw new AssertionError(sum);
        System.out.printf("BenchmarkForeign/way=%s %d %.3f ns/op%n", WAY, n, (double) took / n);
    }
}
