import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, textOf } from './read-source.mjs';

/** The addon that examples are cut from: it is compiled, installed and used by a test. */
export const workshop = 'packages/addon/tests/workshop';

/** A property of the object in the first column of a file, or one inside of it: `states`, `states.stages`. */
export function property(file, path) {
  const [name, ...rest] = path.split('.');
  return dedent(blockOf(textOf(`${workshop}/${file}`), name, rest, '  '));
}

function blockOf(text, name, rest, indent) {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^${indent}(?:async )?${name}[:(,]`).test(line));
  if (start < 0) throw new Error(`The example addon has no "${name}".`);
  const isOpen = !/,$/.test(lines[start]) || /[[({]$/.test(lines[start]);
  const length = isOpen
    ? lines
        .slice(start + 1)
        .findIndex((line) => line.startsWith(`${indent}`) && /^\S/.test(line.slice(indent.length))) + 2
    : 1;
  const block = lines.slice(start, start + length).join('\n');
  return rest.length === 0 ? block : blockOf(block, rest[0], rest.slice(1), `${indent}  `);
}

/** A function of a file, with its surroundings. */
export function functionText(file, name) {
  const found = new RegExp(`^export (?:async )?function ${name}\\([\\s\\S]*?^\\}$`, 'm').exec(
    textOf(`${workshop}/${file}`),
  );
  if (!found) throw new Error(`The example addon has no function ${name} in ${file}.`);
  return found[0];
}

/** A whole definition: `export const workshopSeat = …`. */
export function definition(file, name) {
  const found = new RegExp(`^export const ${name}\\b[\\s\\S]*?\\}\\);$`, 'm').exec(textOf(`${workshop}/${file}`));
  if (!found) throw new Error(`The example addon has no ${name} in ${file}.`);
  return found[0];
}

export function wholeFile(file) {
  return textOf(`${workshop}/${file}`).trimEnd();
}

/** Every declaration of a field in the models, on one line, the shortest first. */
export function fieldLines() {
  const found = readdirSync(join(root, workshop, 'models')).flatMap((file) =>
    [...textOf(`${workshop}/models/${file}`).matchAll(/^ {2}(\w+): fields\.(\w+)\(([\s\S]*?)\),$/gm)].map(
      ([whole, name, type, given]) => ({
        name,
        type,
        given,
        text: whole
          .replace(/\s*\n\s*/g, ' ')
          .replace(/,? \}\)/g, ' })')
          .replace(/\( /g, '(')
          .trim()
          .replace(/,$/, '')
          .replace(/, \)$/, ')'),
      }),
    ),
  );
  return found.sort((one, other) => one.text.length - other.text.length || one.text.localeCompare(other.text));
}

/** Whether an example uses a name as a key, a method or a destructured value. */
export function shows(example, name) {
  return new RegExp(
    `(?<![\\w.])${name}"?\\s*[:(]|\\b${name}\\b(?=[^\\n]*\\}\\)?\\s*(?:=>|\\{|:))|[{,]\\s*${name}\\s*[,}]|\\.${name}\\b`,
  ).test(example);
}

function dedent(block) {
  const indent = /^ */.exec(block)[0].length;
  return block
    .split('\n')
    .map((line) => line.slice(indent))
    .join('\n');
}
