import { didYouMean } from '@kontor/protocol';
import { maskedValue } from './config-error.ts';
import type { ConfigKeyName } from './keys.ts';

export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value in the documentation; absent for a switch. */
  readonly value?: string;
  /** The key that it sets. */
  readonly key?: ConfigKeyName;
  readonly help: string;
}

export const flags = Object.freeze([
  { name: 'config', short: 'c', value: 'FILE', help: 'The configuration file (INI, section `[options]`).' },
  { name: 'database', short: 'd', value: 'DSN', key: 'db_dsn', help: 'The PostgreSQL database; sets `db_dsn`.' },
  { name: 'http-port', short: 'p', value: 'N', key: 'http_port', help: 'The port to listen on; sets `http_port`.' },
  { name: 'data-dir', value: 'DIR', key: 'data_dir', help: 'The folder of the embedded database; sets `data_dir`.' },
  { name: 'init', short: 'i', value: 'a,b', help: 'Modules to install at start.' },
  { name: 'update', short: 'u', value: 'a,b', help: 'Modules to upgrade at start.' },
  { name: 'stop-after-init', help: 'Stop once the modules are installed and upgraded, without listening.' },
  { name: 'demo', help: 'Load demonstration data with the installed modules.' },
] as const satisfies readonly Flag[]);

export type FlagName = (typeof flags)[number]['name'];
export type GivenFlags = ReadonlyMap<FlagName, readonly string[]>;

export const flagUsage = flags
  .map((flag: Flag) => `${flag.short ? `-${flag.short}/` : ''}--${flag.name}${flag.value ? ` ${flag.value}` : ''}`)
  .join(', ');

/** Reads `--name value`, `--name=value`, `-n value` and `-nvalue`. Unknown flags are added to `problems`. */
export function parseFlags(argv: readonly string[], problems: string[]): GivenFlags {
  const given = new Map<FlagName, string[]>();
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] as string;
    const { flag, attached } = match(argument);
    if (!flag) {
      problems.push(unknownFlag(argument));
      continue;
    }
    const values = given.get(flag.name as FlagName) ?? [];
    given.set(flag.name as FlagName, values);
    if (flag.value === undefined) {
      if (attached !== undefined)
        problems.push(`--${flag.name} takes no value, but was given ${maskedValue(attached)}.`);
      continue;
    }
    const next = argv[index + 1];
    const value = attached ?? (next === undefined || match(next).flag ? undefined : argv[++index]);
    if (value === undefined) problems.push(`--${flag.name} needs a value: --${flag.name} ${flag.value}.`);
    else values.push(value);
  }
  return given;
}

function match(argument: string): { flag?: Flag | undefined; attached?: string | undefined } {
  const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument);
  if (long) return { flag: flags.find((flag) => flag.name === long[1]), attached: long[2] };
  const short = /^-([a-z])=?([\s\S]*)$/i.exec(argument);
  if (!short) return {};
  const flag = flags.find((candidate: Flag) => candidate.short === short[1]);
  return { flag, attached: argument.length > 2 ? short[2] : undefined };
}

function unknownFlag(argument: string): string {
  const [name = '', value] = argument.split(/=([\s\S]*)/);
  const hint = didYouMean(
    name,
    flags.map((flag) => `--${flag.name}`),
  );
  const what = argument.startsWith('-') ? `Unknown flag ${name}` : `Unknown argument ${maskedValue(argument)}`;
  return `${what}${value === undefined ? '' : ` with the value ${maskedValue(value)}`}.${hint} Accepted: ${flagUsage}.`;
}
