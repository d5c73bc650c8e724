import { fieldLines } from './examples.mjs';
import { declaredIn, membersOf, textOf } from './read-source.mjs';
import { addGap, fence, table } from './sections.mjs';

const builders = 'packages/orm/author/field-builders.ts';
const spec = ['packages/orm/fields/spec.ts', 'FieldSpec'];
/** Parts of a field declaration that are given beside the options. */
const notOptions = ['type', 'selection', 'relation'];
const sources = ['today', 'now', 'currentUser', 'currentCompany', 'companyValue', 'sequence'];

/** The text of docs/reference/fields.md. */
export function fieldsPage() {
  const types = fieldTypes();
  const options = [...membersOf(spec).values()].filter(({ name }) => !notOptions.includes(name));
  const own = new Map(types.map((type) => [type.name, type.options]));
  return `# Fields

Declare fields as a separate constant beside the model, so that their types can be inferred across addons. The first arguments define the field, the last one its
options. Null is the empty value, unless stated otherwise.

## Types

${types.map(typePart).join('\n\n')}

## Options

${table(
  ['option', 'of', '', 'example'],
  options.map(({ name, doc }) => [`\`${name}\``, whose(name, own), doc, `\`${lineWith(name)}\``]),
)}

\`...editable\` is short for \`computed\`, \`stored\` and \`editable\`.

## Sources of defaults

${sources.map(sourcePart).join('\n\n')}

A default function gets \`uid\`, \`companyId\`, \`lang\`, \`tz\`, \`today\` and \`now\`: \`default: ({ today }) => today.slice(0, 4)\`.
`;
}

/** Types with their value in server code, what \`create\` and \`write\` accept, and the options that only some have. */
function fieldTypes() {
  const text = textOf(builders);
  return [...membersOf([builders, 'FieldBuilders']).values()].map(({ name, doc }) => {
    const declared = new RegExp(`^ {2}(?:readonly )?${name}[:<][\\s\\S]*?;$`, 'm').exec(text)[0];
    const [, value = null, given = null] = /Builder<'\w+', (\w+), (\w+)/.exec(declared) ?? [];
    return { name, doc, value, given, options: ownOptions(expand(declared, text)) };
  });
}

function expand(declared, text) {
  let expanded = declared;
  for (let round = 0; round < 3; round += 1) {
    expanded = expanded.replace(/\b([A-Z]\w+)\b/g, (alias) => {
      const found = new RegExp(`^type ${alias} = ([^;]*);`, 'm').exec(text);
      return found && !found[1].includes('infer') && alias !== 'Builder' ? found[1] : alias;
    });
  }
  return expanded;
}

function ownOptions(declared) {
  const picked = [...declared.matchAll(/Pick<FieldSpec, ([^>]*)>/g)].flatMap(([, names]) => names.match(/\w+/g));
  const named = [...declared.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name);
  return [...new Set([...picked, ...named])];
}

function whose(option, own) {
  const types = [...own].filter(([, options]) => options.includes(option)).map(([type]) => type);
  return types.length === 0 ? 'every type' : types.join(', ');
}

function typePart({ name, doc, value, given, options }) {
  const lines = fieldLines().filter(({ type }) => type === name);
  if (doc === '') addGap(`the field type ${name} has no comment`);
  if (lines.length === 0) addGap(`the field type ${name} has no example`);
  const shortest = lines[0]?.text;
  const telling = lines.filter(({ given }) => options.filter((option) => given.includes(`${option}:`)).length > 0);
  const shown = [...new Set([shortest, ...telling.map(({ text }) => text)])].filter(Boolean).slice(0, 3);
  const holds =
    value === null
      ? ''
      : ` Its type is ${value === 'unknown' ? 'any JSON value' : `\`${value}\``}${given === value ? '' : `, and it accepts \`${given}\``}.`;
  const extra =
    options.length === 0 ? '' : ` Additional options: ${options.map((option) => `\`${option}\``).join(', ')}.`;
  return `### \`fields.${name}\`\n${doc}${holds}${extra}\n\n${fence('ts', shown.map((line) => `${line},`).join('\n'))}`;
}

/** The shortest declaration that has the option. */
function lineWith(option) {
  const isShown = option === 'editable' ? /\.\.\.editable\b/ : new RegExp(`\\b${option}:`);
  const line = fieldLines().find(({ given }) => isShown.test(given));
  if (!line) addGap(`the option ${option} of fields has no example`);
  return line?.text ?? '';
}

function sourcePart(name) {
  const { doc, examples } = declaredIn('packages/orm/fields/default-sources.ts').get(name);
  return `### \`${name}\`\n${doc}\n\n${fence('ts', examples.join('\n\n'))}`;
}
