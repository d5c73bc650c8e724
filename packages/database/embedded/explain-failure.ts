import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const tailBytes = 16_384;

/** Messages of PostgreSQL and the loader that an operator can act on, and what to do. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /No space left on device|Disk quota exceeded|Check free disk space/i,
    'The disk is full. Free some space; nothing that was saved is lost.',
  ],
  [/error while loading shared libraries: (\S+)/, 'A library of the system is missing. Install it, or set db_dsn.'],
  [
    /could not look up effective user ID/,
    'The account that runs Kontor has no name on this system. Add it to /etc/passwd, or set db_dsn.',
  ],
  [/Read-only file system/, 'The data directory is on a read-only file system. Choose another --data-dir.'],
  [
    /could not (?:create|map|resize) shared memory|Cannot allocate memory/i,
    'There is not enough memory for the database.',
  ],
  [/Permission denied/, 'The account that runs the database may not use its files. Check who owns the data directory.'],
];

/** The last messages of a server that exited, as one sentence for the log and the screen. */
export function explainFailure(lines: string, ending: string): string {
  const [pattern, remedy] = remedies.find(([known]) => known.test(lines)) ?? [];
  const complaints = lines.split('\n').filter((line) => /\b(?:FATAL|PANIC|error):/i.test(line));
  const said = complaints.findLast((line) => pattern?.test(line)) ?? complaints.at(-1);
  const quoted = said?.replace(/^.*?\b((?:FATAL|PANIC|[\w-]*:? ?error):)/i, '$1').trim();
  return [`The database server ended (${ending}).`, remedy, quoted && `It said: ${quoted}`].filter(Boolean).join(' ');
}

/** The end of what was written to the log since `from`. */
export function readLogSince(path: string, from: number): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const start = Math.max(Math.min(from, size), size - tailBytes);
    const buffer = Buffer.alloc(size - start);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, start));
  } finally {
    closeSync(file);
  }
}
