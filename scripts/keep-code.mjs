// Runs after a build, in a process of its own: opens every part that is named, with what the first reads later, and keeps what V8 made of it.
const { keepCode, part } = await import('../dist/start/main.js');
const [first, ...rest] = process.argv.slice(2);
await part(first).main(['help']);
for (const name of rest) part(name);
keepCode();
