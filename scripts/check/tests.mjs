import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** Habits that make a test pass or fail by chance, or pass whatever the program does. */
const habits = [
  [/(?<![\w/])retry:\s*\S/, 'a retry hides what fails now and then: find out why it does'],
  [
    /\bsetTimeout\(|timers\/promises|\bwaitForTimeout\(|\bselect pg_sleep\b/,
    'a sleep: wait for the event (expect.poll)',
  ],
  [
    /\bperformance\.now\(|\bhrtime\b|\bDate\.now\(\) - (?:began|begun|start\w*|before|since)\b/,
    'a timed assertion: speed is shown by npm run bench',
  ],
  [/(?<!\.not)\.toThrow(?:Error)?\(\)/, 'a bare toThrow(): name the error'],
  [/\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo|fails)\b/, 'a test that does not run'],
];

const problems = [];
const files = ['*/tests/*.ts', '*/tests/*.tsx', '*/tests/*.mjs', 'packages/testing/*.ts', 'vitest.config.ts'];
for (const file of sourceFiles(...files)) {
  const lines = readFileSync(`${root}/${file}`, 'utf8').split('\n');
  for (const [at, line] of lines.entries()) {
    for (const [pattern, why] of habits) if (pattern.test(line)) problems.push(`${file}:${at + 1}: ${why}`);
  }
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
