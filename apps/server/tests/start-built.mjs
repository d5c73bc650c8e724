// Runs a built server as `scripts/start.mjs` does, from the folder that the first argument names.
import { pathToFileURL } from 'node:url';

const [, , file, ...argv] = process.argv;
const { main } = await import(pathToFileURL(file).href);
await main(argv);
