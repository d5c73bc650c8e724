import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** A longer function has a comment before it, `// Over 60 lines:`, and why it cannot be split: one sentence about this function. */
const limit = 60;

const files = sourceFiles('apps/*.ts', 'apps/*.tsx', 'packages/*.ts', 'addons/*.ts', 'addons/*.tsx');
const long = files.filter((file) => !/\/tests\/|\.d\.ts$/.test(file)).flatMap(longFunctions);
const unexplained = long.filter(({ reason }) => !reason);
for (const { file, line, lines } of unexplained)
  console.error(`${file}:${line}: a function of ${lines} lines, at most ${limit}; split it, or say why not`);
console.log(`${long.length} functions over ${limit} lines, ${unexplained.length} without a reason`);
process.exit(unexplained.length === 0 ? 0 : 1);

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
  return /Over 60 lines: \S+( \S+){4,}/.test(before);
}
