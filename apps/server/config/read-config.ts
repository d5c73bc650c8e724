import { resolve } from 'node:path';
import type { Config } from '@kontor/kernel';
import { didYouMean } from '@kontor/protocol';
import { ConfigError, maskedValue } from './config-error.ts';
import { type Flag, type FlagName, flags, type GivenFlags, parseFlags } from './flags.ts';
import {
  type ConfigKey,
  type ConfigKeyName,
  configKeyNames,
  configKeys,
  environmentName,
  type KeyValues,
  propertyName,
} from './keys.ts';

export interface ConfigSources {
  /** Without the program and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readFile(path: string): string;
}

interface Given {
  readonly value: string;
  /** The name of the source in a message. */
  readonly from: string;
}
type GivenKeys = Map<ConfigKeyName, Given>;

/** Flag, then environment, then file, then default. Throws a ConfigError that names every mistake. */
export function readConfig(sources: ConfigSources): Config {
  const problems: string[] = [];
  const given = parseFlags(sources.argv, problems);
  const file = given.get('config')?.at(-1);
  const configFile = file === undefined ? null : resolve(sources.cwd, file);
  const texts: GivenKeys = new Map();
  if (configFile !== null) readFileKeys(configFile, sources, texts, problems);
  readEnvironment(sources.env, texts, problems);
  readFlagKeys(given, texts);
  const values = parseValues(texts, sources.cwd, problems);
  const init = moduleNames(given, 'init', problems);
  const update = moduleNames(given, 'update', problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({
    ...values,
    configFile,
    init,
    update,
    stopAfterInit: given.has('stop-after-init'),
    demo: given.has('demo'),
  });
}

function readFileKeys(file: string, sources: ConfigSources, texts: GivenKeys, problems: string[]): void {
  let content: string;
  try {
    content = sources.readFile(file);
  } catch (error) {
    problems.push(`--config ${maskedValue(file)} cannot be read: ${(error as Error).message}`);
    return;
  }
  try {
    for (const { key, value, line } of parseIni(content, file)) {
      const from = `${file} line ${line}`;
      if (isKey(key)) texts.set(key, { value, from });
      else problems.push(unknownKey(key, value, from, configKeyNames));
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
}

/** Under our prefix, but no settings: the key of `kontor types` and `kontor mcp`, the test runner, and the service links of container platforms. */
const foreignVariables = /^KONTOR_(KEY|TEST_\w+|SERVICE_(HOST|PORT)\w*|PORT(_\d+_\w+)?)$/;

function readEnvironment(env: ConfigSources['env'], texts: GivenKeys, problems: string[]): void {
  const names = new Map(configKeyNames.map((key) => [environmentName(key), key]));
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('KONTOR_') || value === undefined) continue;
    const key = names.get(name);
    if (key) texts.set(key, { value: value.trim(), from: 'environment' });
    else if (!foreignVariables.test(name)) problems.push(unknownKey(name, value, 'environment', [...names.keys()]));
  }
}

function readFlagKeys(given: GivenFlags, texts: GivenKeys): void {
  for (const flag of flags as readonly Flag[]) {
    const value = given.get(flag.name as FlagName)?.at(-1);
    if (flag.key && value !== undefined) texts.set(flag.key, { value: value.trim(), from: `--${flag.name}` });
  }
}

function parseValues(texts: GivenKeys, cwd: string, problems: string[]): KeyValues {
  const values = {} as KeyValues;
  for (const name of configKeyNames) {
    const key: ConfigKey<unknown> = configKeys[name];
    const text = texts.get(name);
    const value = key.kind.parse(text?.value ?? key.default, cwd);
    if (value !== undefined) Object.assign(values, { [propertyName(name)]: value });
    else problems.push(badValue(name, text as Given, key.kind.accepted));
  }
  return values;
}

/** Messages about it do not print its value. */
const secretName = /pas|pw|tok|secr|_key$/i;

function badValue(name: ConfigKeyName, { value, from }: Given, accepted: string): string {
  const source = from === 'environment' ? environmentName(name) : from;
  const text = secretName.test(name) ? '***' : value;
  return `${name} has the value ${maskedValue(text)} (${source}). Accepted: ${accepted}.`;
}

function unknownKey(name: string, value: string, from: string, accepted: readonly string[]): string {
  const hint = didYouMean(name, accepted);
  // A misspelt smtp_password is still a password.
  const text = secretName.test(name) ? '***' : value;
  return `Unknown key ${name} with the value ${maskedValue(text)} (${from}).${hint} Accepted: ${accepted.join(', ')}.`;
}

function moduleNames(given: GivenFlags, flag: 'init' | 'update', problems: string[]): readonly string[] {
  const names = (given.get(flag) ?? []).flatMap((text) => text.split(',')).map((name) => name.trim());
  for (const name of names) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) {
      problems.push(
        `--${flag} has the value ${maskedValue(name)}. Accepted: names of modules separated by commas, such as crm,sale.`,
      );
    }
  }
  return Object.freeze([...new Set(names)]);
}

function isKey(name: string): name is ConfigKeyName {
  return Object.hasOwn(configKeys, name);
}

interface IniEntry {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

const section = 'options';

/**
 * Reads the section `[options]`. `#` and `;` start a comment, at the start of a line or after a space; a quoted value keeps its
 * spaces and comment characters, and in double quotes `\"`, `\\`, `\n` and `\t` are escapes.
 */
function parseIni(text: string, file: string): IniEntry[] {
  const entries = new Map<string, IniEntry>();
  const problems: string[] = [];
  let isOpen = false;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const place = `${file} line ${index + 1}`;
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.startsWith('[')) {
      isOpen = line.replace(/\s+[#;].*$/, '') === `[${section}]`;
      if (!isOpen) problems.push(`${place}: ${line} is not a section; accepted: [${section}].`);
      continue;
    }
    const entry = parseLine(line);
    if (typeof entry === 'string') problems.push(`${place}: ${entry}`);
    else if (!isOpen) problems.push(`${place}: ${entry.key} is outside the section [${section}].`);
    else if (entries.has(entry.key)) {
      problems.push(`${place}: ${entry.key} is given twice, first in line ${entries.get(entry.key)?.line}.`);
    } else entries.set(entry.key, { ...entry, line: index + 1 });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return [...entries.values()];
}

function parseLine(line: string): { key: string; value: string } | string {
  const equals = line.indexOf('=');
  if (equals < 1) return `"${line}" is neither a section nor key = value.`;
  const key = line.slice(0, equals).trim();
  const rest = line.slice(equals + 1).trim();
  const quote = rest[0];
  if (quote !== '"' && quote !== "'") return { key, value: rest.replace(/(^|\s+)[#;].*$/, '') };
  const match = (quote === '"' ? /^"((?:[^"\\]|\\.)*)"\s*([#;].*)?$/ : /^'([^']*)'\s*([#;].*)?$/).exec(rest);
  if (!match) return `the value of ${key} begins with ${quote} and does not end with it.`;
  const value = match[1] as string;
  return { key, value: quote === '"' ? value.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign) : value };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
