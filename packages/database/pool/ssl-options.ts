import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { DsnWords } from './parse-dsn.ts';

/** `sslmode` as libpq means it; the modes that silently fall back to plain text are refused. */
export function sslOptions(words: DsnWords): ConnectionOptions | false | undefined {
  const { sslmode, sslrootcert, sslcert, sslkey } = words;
  if (sslmode === undefined && !sslrootcert && !sslcert && !sslkey) return undefined;
  const files: ConnectionOptions = {
    ...(sslrootcert && sslrootcert !== 'system' && { ca: readFileSync(sslrootcert, 'utf8') }),
    ...(sslcert && { cert: readFileSync(sslcert, 'utf8') }),
    ...(sslkey && { key: readFileSync(sslkey, 'utf8') }),
  };
  switch (sslmode) {
    case 'disable':
      return false;
    case 'require':
      return sslrootcert ? withoutNameCheck(files) : { ...files, rejectUnauthorized: false };
    case 'verify-ca':
      return withoutNameCheck(files);
    case undefined:
    case 'verify-full':
      return { ...files, rejectUnauthorized: true };
    default:
      throw new Error(
        `sslmode in the PostgreSQL address must be disable, require, verify-ca or verify-full, not ${sslmode}.`,
      );
  }
}

function withoutNameCheck(files: ConnectionOptions): ConnectionOptions {
  return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
}
