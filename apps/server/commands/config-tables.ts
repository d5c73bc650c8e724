import { type Flag, flags } from '../config/flags.ts';
import { type ConfigKey, configKeyNames, configKeys, environmentName } from '../config/keys.ts';
import { commandLines } from './run-command.ts';

export function commandTable(): string {
  const rows = commandLines.map(([call, help]) => `| \`${call.replaceAll('|', '\\|')}\` | ${help} |`);
  return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}

/** The tables of docs/operations.md, from the data that the configuration is read with. */
export function flagTable(): string {
  const rows = flags.map((flag: Flag) => {
    const value = flag.value ? ` ${flag.value}` : '';
    const name = flag.short ? `-${flag.short}${value}, --${flag.name}${value}` : `--${flag.name}${value}`;
    return `| \`${name}\` | ${flag.help} |`;
  });
  return ['| flag | what it does |', '|---|---|', ...rows].join('\n');
}

export function keyTable(): string {
  const rows = configKeyNames.map((name) => {
    const key: ConfigKey<unknown> = configKeys[name];
    const initial = key.default === '' ? 'empty' : `\`${key.default}\``;
    return `| \`${name}\` | \`${environmentName(name)}\` | ${initial} | ${key.kind.accepted.replaceAll('<', '\\<')} | ${key.help} |`;
  });
  return ['| key | environment | default | accepted | what it does |', '|---|---|---|---|---|', ...rows].join('\n');
}
