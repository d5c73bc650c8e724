import { parseArgs } from 'node:util';
import type { Config } from '@kontor/kernel';
import { didYouMean } from '@kontor/protocol';
import { type Flag, flags } from '../config/flags.ts';

export interface CommandOption {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
}

/** A subcommand of `kontor`, as data for the help, docs/operations.md and the parser. */
export interface Command {
  readonly name: string;
  /** Arguments after the name, such as `FILE`. */
  readonly takes: string;
  readonly help: string;
  /** Details for its own help. */
  readonly details?: string;
  /** The minimum and maximum number of arguments. */
  readonly words: readonly [number, number];
  readonly options: readonly CommandOption[];
  run(given: Given): Promise<void>;
}

export interface Given {
  readonly config: Config;
  readonly words: readonly string[];
  option(name: string): string | undefined;
  has(name: string): boolean;
}

/** Invalid usage of a command. Exit code 2; a command that fails exits with 1. */
export class UsageError extends Error {}

/** Flags that every command takes: where the configuration and the database are. */
const commonFlags: readonly Flag[] = flags.filter(({ name }) =>
  (['config', 'database', 'data-dir', 'http-port'] as readonly string[]).includes(name),
);

export interface Arguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** The sources of the configuration. */
  readonly flags: readonly string[];
}

export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const known: readonly CommandOption[] = [...command.options, ...commonFlags];
  const options = Object.fromEntries(
    known.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = firstSentence((error as Error).message);
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(message) ?? [];
    const hint =
      unknown === undefined
        ? ''
        : didYouMean(
            `--${unknown}`,
            Object.keys(options).map((name) => `--${name}`),
          );
    throw new UsageError(`${message}${hint} ${seeHelp(command)}`);
  }
  const [least, most] = command.words;
  const { positionals, values } = parsed;
  if (positionals.length < least) throw new UsageError(`${usage(command)} ${seeHelp(command)}`);
  if (positionals.length > most) {
    throw new UsageError(`"${positionals[most]}" is an unexpected argument. ${usage(command)} ${seeHelp(command)}`);
  }
  const given = commonFlags.flatMap(({ name }) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  return { words: positionals, options: values, flags: given };
}

function firstSentence(message: string): string {
  return `${message.split('. ')[0]?.replace(/\.$/, '')}.`;
}

function usage({ name, takes }: Command): string {
  return `Usage: ${['kontor', name, takes].filter(Boolean).join(' ')}.`;
}

function seeHelp({ name }: Command): string {
  return `See kontor ${name} --help.`;
}

export function commandHelp(command: Command): string {
  const options = [...command.options, ...commonFlags].map(({ name, short, value, help }) => {
    const flag = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${flag.padEnd(26)} ${help.replaceAll('`', '')}`;
  });
  const details = command.details ? `\n${command.details}\n` : '';
  return `${usage(command).replace(/\.$/, '')} [options]\n\n${command.help}\n${details}\nOptions:\n${options.join('\n')}`;
}
