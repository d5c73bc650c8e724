// Runs a built server as `scripts/start.cjs` does, from the folder that the first argument names.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , file, ...argv] = process.argv;
const { KONTOR_TEST_PEAK: peak } = process.env;
// The most memory that it ever had, in kilobytes.
if (peak) process.on('exit', () => writeFileSync(peak, String(process.resourceUsage().maxRSS)));
const { main } = await import(pathToFileURL(file).href);
await main(argv);
