import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

const clear = 'char|integer|float|decimal|monetary|datetime|selection|many2one|one2many|many2many';
/** Other things are called so as well: tags of views, types of JavaScript. */
const all = `${clear}|text|html|boolean|date|binary|image|json|reference`;

const comparisons = [
  new RegExp(`\\btype\\)? [!=]== '(?:${all})'`, 'g'),
  new RegExp(`[!=]== '(?:${clear})'|\\bcase '(?:${clear})':`, 'g'),
  new RegExp(`new Set(?:<\\w+>)?\\(\\[\\s*'(?:${all})'|\\['(?:${all})'[^\\]]*\\]\\.includes\\(`, 'g'),
];

/** The reason why a file may compare names of field types. */
const allowed = {
  'apps/web/fields/number.tsx': 'the name of a widget',
  'apps/web/views/form/field-line.tsx': 'the name of a widget',
  'apps/web/views/kanban/card.tsx': 'the name of a widget',
  'packages/exchange/pdf/cell-text.ts': 'how a type is shown, which is wider than the type',
  'addons/contacts/merge/move-references.ts': 'the ways by which a record is pointed at',
};

/** Use the traits of a field type (`fieldType(name).isNumber`, `field.kind.isToOne`) instead of comparing its name. */
export function typeNameProblems() {
  const files = sourceFiles('packages', 'apps', 'addons').filter(
    (file) => /\.tsx?$/.test(file) && !/\/tests\/|\.test(-d)?\.tsx?$|^packages\/testing\//.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    const found = comparisons.flatMap((pattern) => [...text.matchAll(pattern)].map(([words]) => words));
    if (found.length > 0 && !(file in allowed)) return [`${file}: ask the field type what it is: ${found.join(' ')}`];
    return found.length === 0 && file in allowed ? [`${file}: compares no names of types, take it off the list`] : [];
  });
}
