import { readFileSync } from 'node:fs';
import { kontorVersion } from '@kontor/kernel';
import { didYouMean, KontorError } from '@kontor/protocol';
import { ConfigError } from '../config/config-error.ts';
import { type Flag, flags } from '../config/flags.ts';
import { readConfig } from '../config/read-config.ts';
import { add } from './add.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { type Command, commandHelp, parseArguments, UsageError } from './command.ts';
import { dev } from './dev.ts';
import { explain } from './explain.ts';
import { health } from './health.ts';
import { key } from './key.ts';
import { leftovers } from './leftovers.ts';
import { mcp } from './mcp.ts';
import { migrateTo } from './migrate-to.ts';
import { pack } from './pack.ts';
import { remove } from './remove.ts';
import { restore } from './restore.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { testAddon } from './test-addon.ts';
import { types } from './types.ts';
import { upgrade } from './upgrade.ts';
import { user } from './user.ts';
import { view } from './view.ts';
import { words } from './words.ts';

/** All commands except `start`, which takes the flags of the server. */
export const commands: readonly Command[] = [
  setup,
  backup,
  restore,
  migrateTo,
  upgrade,
  leftovers,
  add,
  remove,
  check,
  testAddon,
  dev,
  words,
  view,
  explain,
  types,
  pack,
  shell,
  user,
  key,
  health,
  mcp,
];

const startHelp = 'Starts the server. The same as no command at all.';

/** Name, arguments and purpose of every command, for the help and for docs/operations.md. */
export const commandLines: readonly (readonly [string, string])[] = [
  ['kontor start', startHelp],
  ...commands.map(({ name, takes, help }) => [['kontor', name, takes].filter(Boolean).join(' '), help] as const),
];

/**
 * Runs the command that the first word names; false for the start. Sets the exit code: 0 success, 1 failure, 2 invalid
 * usage.
 */
export async function runCommand([name = '', ...argv]: readonly string[]): Promise<boolean> {
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  if (['--help', '-h', 'help'].includes(name)) return tell(overview());
  if (name === '--version' || name === 'version') return tell(`Kontor ${kontorVersion()}`);
  if (name === 'start' && wantsHelp) return tell(startPage());
  if (name === '' || name === 'start' || name.startsWith('-')) return wantsHelp && tell(overview());
  const command = commands.find((each) => each.name === name);
  if (!command) {
    const hint = didYouMean(name, ['start', ...commands.map((each) => each.name)]);
    console.error(`There is no command "${name}".${hint} See kontor --help.`);
    process.exitCode = 2;
    return true;
  }
  if (wantsHelp) return tell(commandHelp(command));
  await run(command, argv);
  return true;
}

async function run(command: Command, argv: readonly string[]): Promise<void> {
  try {
    const { words: given, options, flags } = parseArguments(command, argv);
    const sources = { argv: flags, env: process.env, cwd: process.cwd() };
    const config = readConfig({ ...sources, readFile: (path) => readFileSync(path, 'utf8') });
    const option = (name: string) => {
      const value = options[name];
      return typeof value === 'string' ? value : undefined;
    };
    await command.run({ config, words: given, option, has: (name) => options[name] === true });
  } catch (error) {
    console.error(errorText(error));
    process.exitCode = error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof KontorError)) return error instanceof Error ? error.message : String(error);
  const { message, details } = error;
  const fields = Object.entries((details.fields ?? {}) as Readonly<Record<string, readonly string[]>>);
  return [message, ...fields.map(([field, problems]) => `  ${field}: ${problems.join(' ')}`)].join('\n');
}

function tell(text: string): true {
  console.log(text);
  return true;
}

function overview(): string {
  const width = Math.max(...commandLines.map(([call]) => (call.length > 28 ? 0 : call.length)));
  const lines = commandLines.map(([call, help]) =>
    call.length > width ? `  ${call}\n  ${' '.repeat(width)}  ${help}` : `  ${call.padEnd(width)}  ${help}`,
  );
  return `Kontor ${kontorVersion()}\n\n${lines.join('\n')}\n\nkontor COMMAND --help says more. Exit codes: 0 done, 1 could not be done, 2 not understood.`;
}

function startPage(): string {
  const lines = flags.map(({ name, short, value, help }: Flag) => {
    const flag = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${flag.padEnd(26)} ${help.replaceAll('`', '')}`;
  });
  return `Usage: kontor start [options]\n\n${startHelp}\n\nOptions:\n${lines.join('\n')}`;
}
