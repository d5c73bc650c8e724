import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the folder can be created. */
export interface RunPlaces {
  /** A file system in memory. */
  readonly memory?: string;
  /** The required free space in bytes: several times what a whole run writes. */
  readonly room?: number;
  readonly disk?: string;
}

const prefix = 'kontor-test-';
/** A younger server may not listen yet. */
const startMs = 600_000;

/**
 * A new folder for the databases of a run: in memory if there is room. Hundreds of databases with some 400 files each are created
 * and dropped, which costs a file system on a disk more than their content.
 */
export async function makeRunFolder(places: RunPlaces = {}): Promise<string> {
  const { memory = '/dev/shm', room = 4 * 1024 ** 3, disk = tmpdir() } = places;
  if (!hasRoom(memory, room)) return mkdtempSync(join(disk, prefix));
  await sweep(memory);
  const folder = mkdtempSync(join(memory, prefix));
  // A run that is interrupted ends without its teardown.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hasRoom(memory: string, room: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem(), process.constrainedMemory() || Infinity) >= room;
  } catch {
    return false;
  }
}

/** A run that was killed leaves its folder behind, and memory must not fill up with them. */
async function sweep(memory: string): Promise<void> {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(memory, name);
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < startMs) continue;
    if (!(await isServed(folder))) rmSync(folder, { recursive: true, force: true });
  }
}

/** Checked through its socket: the server may run in another container, where process ids mean nothing. */
function isServed(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, 'postgres/socket/.s.PGSQL.5432'), () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
