import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/**
 * A pattern for tags must stop at the next `<`: `<[^>]*>` searches the rest of the text again from each `<` that stays open, so that a
 * text of such signs takes time with its square.
 */
const rescans = /<[^\s'"`]*\[\^>\][*+]/;

const files = sourceFiles('packages', 'addons', 'apps').filter(
  (file) => /\.tsx?$/.test(file) && !/\/tests\/|^packages\/testing\//.test(file),
);
const problems = files.flatMap((file) =>
  readFileSync(`${root}/${file}`, 'utf8')
    .split('\n')
    .flatMap((line, at) => (rescans.test(line) ? [`${file}:${at + 1}: write [^<>] instead of [^>]`] : [])),
);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
