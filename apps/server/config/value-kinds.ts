import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseDsn } from '@kontor/database';

/** How the text of a key becomes a value; undefined when it does not. */
export interface ValueKind<T> {
  readonly accepted: string;
  parse(text: string, cwd: string): T | undefined;
}

export const anyText: ValueKind<string> = { accepted: 'any text', parse: (text) => text };

export function wholeNumber(from: number, to: number): ValueKind<number> {
  return {
    accepted: `a whole number from ${from} to ${to}`,
    parse(text) {
      if (!/^\d{1,9}$/.test(text)) return undefined;
      const value = Number(text);
      return value >= from && value <= to ? value : undefined;
    },
  };
}

const yes = ['true', '1', 'yes', 'on'];
const no = ['false', '0', 'no', 'off'];

export const trueOrFalse: ValueKind<boolean> = {
  accepted: [...yes, ...no].join(', '),
  parse(text) {
    const word = text.toLowerCase();
    if (yes.includes(word)) return true;
    return no.includes(word) ? false : undefined;
  },
};

export function oneOf<const T extends string>(...values: readonly T[]): ValueKind<T> {
  return { accepted: values.join(', '), parse: (text) => values.find((value) => value === text.toLowerCase()) };
}

export const autoOrBoolean: ValueKind<'auto' | boolean> = {
  accepted: `auto, ${trueOrFalse.accepted}`,
  parse: (text, cwd) => (text.toLowerCase() === 'auto' ? 'auto' : trueOrFalse.parse(text, cwd)),
};

/** Paths are taken from the directory in which the process was started. */
export const path: ValueKind<string> = {
  accepted: 'a path',
  parse: (text, cwd) => (text === '' || text.includes('\0') ? undefined : resolve(cwd, text)),
};

export const optionalPath: ValueKind<string> = {
  accepted: 'a path, or nothing',
  parse: (text, cwd) => (text === '' ? '' : path.parse(text, cwd)),
};

export const pathList: ValueKind<readonly string[]> = {
  accepted: 'paths separated by commas, or nothing',
  parse: (text, cwd) => Object.freeze(items(text).map((item) => resolve(cwd, item))),
};

export const dsn: ValueKind<string> = {
  accepted: 'postgres://user:password@host:port/database, or nothing',
  parse(text) {
    if (text === '') return text;
    try {
      parseDsn(text);
      return text;
    } catch {
      return undefined;
    }
  },
};

export const networkAddress: ValueKind<string> = {
  accepted: 'an IP address or a host name',
  parse: (text) => (isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined),
};

export const addressList: ValueKind<readonly string[]> = {
  accepted: 'IP addresses and networks such as 10.0.0.0/8 separated by commas, or nothing',
  parse(text) {
    const list = items(text);
    return list.every(isNetwork) ? Object.freeze(list) : undefined;
  },
};

export const sender: ValueKind<string> = {
  accepted: 'an e-mail address, alone or as Name <address>, or nothing',
  parse: (text) =>
    text === '' || /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : undefined,
};

function items(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
