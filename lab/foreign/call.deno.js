// Deno: a call as V8 compiles it (the default), one that may call back (callback: true), and one on another thread
// (nonblocking: true), whose time is that of the process. Arguments: the way, calls, add's library.
const [way, calls, file] = Deno.args;
const n = Number(calls);
const nonblocking = way === "deno-nonblocking";
const { symbols } = Deno.dlopen(file, {
	add: { parameters: ["i32", "i32"], result: "i32", callback: way === "deno-callback", nonblocking },
	thread_ns: { parameters: [], result: "i64" },
	process_ns: { parameters: [], result: "i64" },
});
const clock = nonblocking ? symbols.process_ns : symbols.thread_ns;

function loop(n) {
	let s = 0;
	for (let i = 0; i < n; i++) s = symbols.add(s, 1);
	return s;
}

async function waiting(n) {
	let s = 0;
	for (let i = 0; i < n; i++) s = await symbols.add(s, 1);
	return s;
}

const run = nonblocking ? waiting : loop;
await run(n / 10);
const start = clock();
const sum = await run(n);
const took = Number(clock() - start);
if (sum !== n) throw new Error(`the sum is ${sum}`);
console.log(`BenchmarkForeign/way=${way} ${n} ${(took / n).toFixed(3)} ns/op`);
