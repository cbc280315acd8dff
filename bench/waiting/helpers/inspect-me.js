// for `node inspect`: works for 1.5 s, then stops at a breakpoint
const until = Date.now() + 1500
while (Date.now() < until);
// biome-ignore lint/suspicious/noDebugger: the breakpoint is what the scenario is about
debugger
console.log('end')
