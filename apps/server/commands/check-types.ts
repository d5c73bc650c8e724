import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { Addon, Finding } from '@kontor/kernel';
import type { FieldSpec } from '@kontor/orm';
import { didYouMean } from '@kontor/protocol';

/** The errors of the author's own compiler in the code of an addon, for the server and for the browser; null: it did not run. */
export async function checkTypes({ name, folder }: Addon): Promise<readonly Finding[] | null> {
  const compiler = compilerOf(folder);
  const projects = [folder, join(folder, 'client')].filter((each) => existsSync(join(each, 'tsconfig.json')));
  if (compiler === null || projects.length === 0) return null;
  const outputs = await Promise.all(projects.map((project) => run(compiler, project)));
  return outputs.flatMap((output, index) => findingsIn(output, name, folder, projects[index] as string));
}

function compilerOf(folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json'))
      .resolve('typescript/package.json')
      .replace(/package\.json$/, 'bin/tsc');
  } catch {
    return null; // Without the compiler there are no types to check.
  }
}

function run(compiler: string, project: string): Promise<string> {
  return new Promise((done) => {
    const args = [compiler, '-p', project, '--noEmit', '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: project, maxBuffer: 32_000_000 }, (_error, output) => done(output));
  });
}

const report = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/;
/** Longer ones are a type written out, which tells an author nothing. */
const readable = 160;

function findingsIn(output: string, addon: string, folder: string, project: string): readonly Finding[] {
  const findings: Finding[] = [];
  // The compiler continues a message on indented lines, from the whole to the part that is wrong.
  for (const [first = '', ...reasons] of output.split(/\n(?!\s)/).map((each) => each.split('\n'))) {
    const [, file, at, code, said = ''] = report.exec(first) ?? [];
    if (file === undefined) continue;
    const [, told = said, meant] = /^(.*?)(?: Did you mean (?:to write )?'"?(.*?)"?'\?)?$/.exec(said) ?? [];
    const message = missingValues([told, ...reasons]) ?? inPlainWords(told) ?? innermost([told, ...reasons]);
    const place = { addon, file: relative(folder, resolve(project, file)), line: Number(at) };
    const fix = meant === undefined ? fixFor([told, ...reasons]) : `Did you mean "${meant}"?`;
    findings.push({ ...place, severity: 'error', check: 'types', message: `${message} (${code})`, fix });
  }
  return findings;
}

type Reword = (...found: readonly string[]) => string;
/** Messages of the compiler about types of ours, in terms of what the author wrote. */
const rewords: readonly (readonly [RegExp, Reword])[] = [
  [/in type 'NotComputed<"(\w+)"/, (name) => `"${name}" has a compute, but no field of that name has computed: true.`],
  [/^Object literal may only .*? '([^']+)' does not exist in type/, (name) => `"${name}" is not known here.`],
  [
    /^Property '([^']+)' does not exist on type 'Of<"([^"]+)">/,
    (name, model) => `"${name}" of ${model} is read here, but not named in depends or reads, so it is not loaded.`,
  ],
  [
    /^Property '([^']+)' does not exist on type 'ActionCall</,
    (name) => `The call of an action has env, records and answers, but no "${name}".`,
  ],
  [
    /^Type '(.+?)' is not assignable to type 'DefaultOf<(.+?)(?:, (\w+))?>/,
    (given = '', wanted) => `The default ${sourceIn(given)} does not fit: this field takes ${wanted}.`,
  ],
  [
    /required in type 'WrongField<"(\w+)", "(.*?)", (.*)>'/,
    (field, mistake = '', right = '') =>
      `${field}: ${right === 'never' ? mistake.replace(/; .*/, '') : `${mistake} ${shortened(right)}`}.`,
  ],
  [
    /^Module '"(@(?:kontor|addons)\/[\w-]+)"' has no exported member '(\w+)'/,
    (from, name) => `${from} has no "${name}".`,
  ],
  [
    /^Argument of type '"(.+)"' is not assignable to parameter of type 'ModelName'/,
    (name) => `There is no model "${name}".`,
  ],
  [
    /^Type '"(.+)"' is not assignable to type '(?:Names|Sortable|NamesOfKind)<"([^"]+)"/,
    (name, model) => `${model} has no field "${name}" that fits here.`,
  ],
  [
    /^Type '"(.+)"' is not assignable to type '.*StateNames<"([^"]+)", "(\w+)"/,
    (name, model, field) => `"${name}" is not a value of ${model}.${field}.`,
  ],
];

/** The options of fields; the compiler does not suggest one where it infers the field from them. */
const optionNames: readonly (keyof FieldSpec)[] = [
  ...(['label', 'help', 'required', 'readonly', 'default', 'size', 'unique', 'index', 'groups', 'computed'] as const),
  ...(['stored', 'editable', 'related', 'from', 'follows', 'tracking', 'personal', 'copy', 'secret', 'min'] as const),
  ...(['max', 'precision', 'ondelete', 'domain', 'checkCompany', 'currency', 'aggregate', 'synonyms', 'sets'] as const),
  ...(['translated', 'format', 'clean', 'was'] as const),
];

/** What to write instead, for mistakes that the compiler has no suggestion for. */
const fixes: readonly (readonly [RegExp, Reword])[] = [
  [
    /^Module '"@kontor\/(addon|client|testing)"' has no exported member/,
    (name) => `Choose one of docs/reference/${name === 'addon' ? 'door' : name}.md in @kontor/addon.`,
  ],
  [
    /^Object literal may only .*? '([^']+)' does not exist in type/,
    (name = '') => didYouMean(name, optionNames).trim() || 'Remove it: the reference lists the options that there are.',
  ],
  [/^Argument of type .* parameter of type 'CreateValues</, () => 'Give it a value, or give the field a default.'],
  [
    /^Property '([^']+)' does not exist on type 'Of<"/,
    (name) => `Add "${name}" to its depends, or to the reads of a constraint or onchange.`,
  ],
  [
    /^Type '(?:string|number|boolean|null|undefined|\w+\[\])' is not assignable to type '([\w .|]+)'/,
    (wanted) => `Return ${wanted}, or declare the field with another type.`,
  ],
];

function fixFor(lines: readonly string[]): string {
  for (const line of lines) {
    for (const [pattern, write] of fixes) {
      const found = pattern.exec(line.trim());
      if (found) return write(...found.slice(1));
    }
  }
  return '';
}

function inPlainWords(said: string): string | undefined {
  for (const [pattern, reword] of rewords) {
    const found = pattern.exec(said);
    if (found) return reword(...found.slice(1));
  }
  return undefined;
}

/** The required values that a `create` leaves out; the compiler says them in the last line, after all the types. */
function missingValues(lines: readonly string[]): string | undefined {
  const said = lines.join(' ');
  const model = /'CreateValues<"([^"]+)">'/.exec(said)?.[1];
  const one = /Property '(\w+)' is missing in type .* but required in type/.exec(said)?.[1];
  const several = /is missing the following properties from type '.*?': ([\w, ]+)/.exec(said)?.[1];
  const names = one ?? several;
  if (model === undefined || names === undefined) return undefined;
  return `A new ${model} needs ${names.trim()}, which is required and not given.`;
}

/** `now` for the type of such a default; other types as they are. */
function sourceIn(type: string): string {
  return /source: "([\w-]+)"/.exec(type)?.[1] ?? (type.startsWith('"') ? type : `of type ${type}`);
}

function shortened(text: string): string {
  return text.length <= readable ? text : `${text.slice(0, readable)}…`;
}

/** The first line if it can be read, with the innermost reason that can. */
function innermost(lines: readonly string[]): string {
  const [first = '', ...reasons] = lines.map((line) => line.trim()).filter((line) => line !== '');
  const reason = reasons.filter((line) => line.length <= readable).at(-1);
  if (reason === undefined) return shortened(first);
  return first.length <= readable ? `${first} ${reason}` : reason;
}

/** A parameter without a type: the compiler no longer infers it once another argument of the same call is wrong. */
const isUninferred = ({ message }: Finding) => /\(TS70(?:06|31)\)$/.test(message);

/**
 * The compiler's errors without those that the checks of models also found, at the line of the fact and with a fix, and without
 * those that follow from another error of the same file.
 */
export function newErrors(types: readonly Finding[], own: readonly Finding[]): readonly Finding[] {
  const errors = [...own, ...types].filter((finding) => finding.severity === 'error' && !isUninferred(finding));
  return types.filter((type) => {
    if (isUninferred(type)) return !errors.some(({ file }) => file === type.file);
    return !own.some((finding) => finding.file === type.file && isSame(type, finding));
  });
}

function isSame(type: Finding, finding: Finding): boolean {
  const [, field] = /^(\w+): /.exec(type.message) ?? [];
  if (field !== undefined) return finding.message.includes(`.${field}: `);
  if (type.line !== finding.line) return false;
  // Without depends the compiler knows nothing of what `value` reads.
  if (finding.message.includes('has no "depends"')) return true;
  const said = `${finding.message} ${finding.fix}`;
  const words = [...type.message.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
  return words.some((word) => said.includes(word)) || /'never'|^The default /.test(type.message);
}
