import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const texts = new Map();

/** The text of a file of the tree. */
export function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'));
  return texts.get(file);
}

/**
 * The members of an interface or of a type of objects, with the comment before each. `from` are further interfaces with the
 * same members: what one does not say of a member, the next may.
 */
export function membersOf(...places) {
  const [first, ...others] = places.map(([file, name]) => readMembers(bodyOf(file, name)));
  for (const [name, member] of first) {
    if (member.doc !== '') continue;
    const told = others.map((each) => each.get(name)?.doc).find((doc) => doc);
    if (told) first.set(name, { ...member, doc: told });
  }
  return first;
}

function bodyOf(file, name) {
  const text = textOf(file);
  const found = new RegExp(`^(?:export )?(?:interface|type) ${name}\\b[^;{]*?(?:\\{|= )`, 'm').exec(text);
  if (!found) throw new Error(`There is no ${name} in ${file}.`);
  const rest = text.slice(found.index);
  const end = (found[0].includes('interface ') ? /^\}$/m : /^[)}][^\n]*;$/m).exec(rest);
  return rest.slice(0, end.index + end[0].length);
}

function readMembers(body) {
  const members = new Map();
  const pattern =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?(?:\/\/[^\n]*\n\s*)*(?:\| \{ |^ {2})(?:readonly )?(\w+)(\?)?(?:[:(<])/gm;
  for (const [, comment = '', name, optional] of body.matchAll(pattern)) {
    if (members.get(name)?.doc) continue;
    members.set(name, { name, isOptional: optional === '?', doc: proseOf(comment).doc });
  }
  return members;
}

/** A comment as prose and as examples: what stands in fences, or after `@example`. */
export function proseOf(comment) {
  const lines = comment.replace(/^\s*\* ?/gm, '').trim();
  const examples = [...lines.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code.trimEnd());
  const [before, after] = lines.replace(/```ts\n[\s\S]*?```/g, '\n').split(/^@example\n/m);
  if (after !== undefined) examples.push(after.trimEnd());
  return { doc: before.replace(/\s*\n\s*/g, ' ').trim(), examples };
}

const declared =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\/\/[^\n]*\n)*)?^export (?:const|(?:async )?function\*?|class|interface|type) (\w+)/gm;

/** What a file exports, with the comment of each; one with an example goes first. */
export function declaredIn(file) {
  const found = new Map();
  for (const [, comment = '', name] of textOf(file).matchAll(declared)) {
    const prose = proseOf(comment);
    if (!found.has(name) || prose.examples.length > 0) found.set(name, { name, file, ...prose });
  }
  return found;
}

const rooms = ['protocol', 'exchange', 'kernel', 'orm', 'parts'];

/** Where each exported name of our packages is declared, with its comment; one with an example goes first, then that for authors. */
export function declarations() {
  const all = new Map();
  for (const room of rooms) {
    const files = readdirSync(join(root, 'packages', room), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/(^|\/)(tests|node_modules|dist)\//.test(file),
    );
    for (const file of files.sort()) {
      for (const [name, one] of declaredIn(`packages/${room}/${file}`)) {
        const before = all.get(name);
        const isBetter = one.examples.length > 0 && (!before?.examples.length || file.startsWith('author/'));
        if (!before || isBetter) all.set(name, one);
      }
    }
  }
  return all;
}

/** What an addon can import from `@kontor/addon`: names, and whether each is only a type. */
export function doorExports() {
  const found = new Map();
  const add = (list, isType, file) => {
    for (const entry of list.split(',')) {
      const name = /(\w+)\s*$/.exec(entry.trim())?.[1];
      const declared = /^(?:type )?(\w+)/.exec(entry.trim())?.[1];
      if (name) found.set(name, { name, declared, isType: isType || entry.trim().startsWith('type '), file });
    }
  };
  for (const file of ['packages/addon/index.ts', 'packages/orm/author/index.ts']) {
    for (const [, type, list] of textOf(file).matchAll(/^export (type )?\{([^}]*)\} from/gm))
      add(list, Boolean(type), file);
  }
  for (const file of [
    'packages/orm/author/models.ts',
    'packages/parts/identity/company.ts',
    'packages/parts/identity/user.ts',
  ]) {
    for (const [, name] of textOf(file).matchAll(/^export (?:interface|type) (\w+)/gm)) {
      found.set(name, { name, declared: name, isType: true, file });
    }
  }
  return found;
}
