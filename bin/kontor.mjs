#!/usr/bin/env node
import { existsSync } from 'node:fs';

/** In the source tree what is not built yet is built first; a package brings its build along. */
const fromSource = new URL('../scripts/start.cjs', import.meta.url);
if (existsSync(fromSource)) await import(fromSource.href);
else {
  const { main } = await import(new URL('../dist/package/dist/start/main.js', import.meta.url).href);
  await main(process.argv.slice(2));
}
