import { readFileSync, statSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/**
 * What no file of the tree may contain: addresses of package registries, packages for only one architecture, paths of one machine,
 * folders without a meaningful name.
 */
const problems = [];
const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'));
for (const [name, entry] of Object.entries(lock.packages)) {
  if (typeof entry.resolved === 'string' && /^https?:/.test(entry.resolved)) {
    problems.push(`package-lock.json: ${name} names a download address`);
  }
  // npm omits from the lock file what the machine that wrote it cannot use.
  const sister = name.replace('linux-x64', 'linux-arm64');
  if (lock.packages[sister]?.version !== entry.version)
    problems.push(`package-lock.json: ${sister} ${entry.version} is missing, so that nothing installs on arm64`);
}
for (const file of sourceFiles()) {
  if (/(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.[a-z]+$)/.test(file))
    problems.push(`${file}: a drawer, not a room`);
  if (statSync(`${root}/${file}`).size > 2_000_000) problems.push(`${file}: over 2 MB`);
}
for (const file of sourceFiles('*.ts', '*.tsx', '*.mjs', '*.md', '*.json', '*.sh', '*.xml')) {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  if (/(?:^|[\s'"`(=])\/(?:home|Users)\/[A-Za-z]/m.test(text)) problems.push(`${file}: a path of one machine`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
