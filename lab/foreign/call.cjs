// Node: a Node-API addon, and koffi. Arguments: the way, calls, add's library or the addon, koffi's folder.
const [way, calls, file, folder] = process.argv.slice(2);
const n = Number(calls);
let add, clock;
if (way === "node-koffi") {
	const library = require(folder).load(file);
	add = library.func("int add(int a, int b)");
	clock = library.func("long long thread_ns(void)");
} else {
	({ add, thread_ns: clock } = require(file));
}

function loop(n) {
	let s = 0;
	for (let i = 0; i < n; i++) s = add(s, 1);
	return s;
}

loop(n / 10);
const start = clock();
const sum = loop(n);
const took = Number(clock()) - Number(start);
if (sum !== n) throw new Error(`the sum is ${sum}`);
console.log(`BenchmarkForeign/way=${way} ${n} ${(took / n).toFixed(3)} ns/op`);
