import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** A file over 400 lines should be split. */
const limit = 400;
const files = sourceFiles('*.ts', '*.tsx', '*.mjs', '*.css');
const lengths = files.map((file) => ({ file, lines: readFileSync(`${root}/${file}`, 'utf8').split('\n').length - 1 }));
const tooLong = lengths.filter(({ lines }) => lines > limit);
for (const { file, lines } of tooLong) console.error(`${file}: ${lines} lines, at most ${limit}`);

const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
console.log(`${files.length} files, median ${at(0.5)}, 95th ${at(0.95)}, longest ${at(1)} lines`);
process.exit(tooLong.length === 0 ? 0 : 1);
