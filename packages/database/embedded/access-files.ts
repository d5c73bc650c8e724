import { chownSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Place } from './choose-place.ts';

export const roles = { owner: 'kontor', admin: 'postgres' } as const;

/**
 * Who may connect: only the operating system account that runs Kontor, over the socket, verified by the kernel (`peer`). The
 * socket's directory is also closed to others. `peer` cannot identify an account without a name; then only the closed directory
 * protects the socket.
 */
export function writeAccessFiles({ cluster, account }: Place): void {
  const name = accountName();
  const method = name ? 'peer map=kontor' : 'trust';
  const rules = ['all', 'replication'].map((database) => `local ${database} all ${method}`);
  const map = name ? Object.values(roles).map((role) => `kontor "${name}" ${role}`) : [];
  const note = '# Written at every start.';
  place(join(cluster, 'pg_hba.conf'), [note, ...rules]);
  place(join(cluster, 'pg_ident.conf'), [note, ...map]);

  function place(path: string, lines: readonly string[]): void {
    // By rename: as root, writing through a link that the database account planted must not be possible.
    const half = `${path}.kontor`;
    rmSync(half, { force: true });
    writeFileSync(half, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
    if (account) chownSync(half, account.uid, account.gid);
    renameSync(half, path);
  }
}

function accountName(): string | null {
  try {
    const { username } = userInfo();
    return /^[^"\\\n]+$/.test(username) ? username : null;
  } catch {
    return null;
  }
}
