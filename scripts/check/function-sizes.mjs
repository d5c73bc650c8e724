import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/**
 * A longer function has a comment before it, `// Over 60 lines:` and one of these reasons: the fields of one form in their order, a
 * component whose handlers and markup share most of its state, functions around state that nobody else may touch, or a
 * calculation whose steps share what they found.
 */
const limit = 60;
const reasons = ['one form', 'one component', 'one closure', 'one calculation'];
/** Functions that are neither split nor explained yet. This number only goes down. */
const owed = 15;

const files = sourceFiles('apps/*.ts', 'apps/*.tsx', 'packages/*.ts', 'addons/*.ts', 'addons/*.tsx');
const long = files.filter((file) => !/\/tests\/|\.d\.ts$/.test(file)).flatMap(longFunctions);
const unexplained = long.filter(({ reason }) => !reasons.includes(reason));
for (const { file, line, lines } of unexplained)
  console.error(`${file}:${line}: a function of ${lines} lines, at most ${limit}; or say why: ${reasons.join(', ')}`);
console.log(`${long.length} functions over ${limit} lines, ${unexplained.length} without a reason, of ${owed}`);
process.exit(unexplained.length <= owed ? 0 : 1);

/** The formatter indents the end of a function as its beginning, so that no parser is needed. */
function longFunctions(file) {
  const text = readFileSync(`${root}/${file}`, 'utf8').split('\n');
  return text.flatMap((begin, at) => {
    if (!/\bfunction\b.*[({<]$|=> \{$|^\s*(?:async |static |get |set )*\w+\(.*\{$/.test(begin)) return [];
    if (/^\s*(?:if|for|while|switch|catch|\*|\/\/)/.test(begin)) return [];
    const indent = /^\s*/.exec(begin)[0];
    const end = text.findIndex((line, index) => index > at && line.startsWith(`${indent}}`) && !line.endsWith('{'));
    const lines = end - at + 1;
    return lines > limit ? [{ file, line: at + 1, lines, reason: reasonBefore(text, at) }] : [];
  });
}

function reasonBefore(text, at) {
  const before = text.slice(Math.max(0, at - 6), at).join(' ');
  return /Over 60 lines: ([a-z ]+)/.exec(before)?.[1]?.trim() ?? null;
}
