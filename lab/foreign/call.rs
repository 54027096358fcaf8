// Rust: extern "C".
#[link(name = "add")]
extern "C" {
    fn add(a: i32, b: i32) -> i32;
    fn thread_ns() -> i64;
}

fn calls(n: i32) -> i32 {
    let mut s = 0;
    for _ in 0..n {
        s = unsafe { add(s, 1) };
    }
    s
}

fn main() {
    let n: i32 = std::env::args().nth(2).unwrap().parse().unwrap();
    calls(n / 10);
    let start = unsafe { thread_ns() };
    let sum = calls(n);
    let took = unsafe { thread_ns() } - start;
    assert_eq!(sum, n);
    println!("BenchmarkForeign/way=rust {} {:.3} ns/op", n, took as f64 / n as f64);
}
