import { columnsIn, guessColumn, type ReadFile, readStagedFile } from '@kontor/exchange';
import type { Kernel } from '@kontor/kernel';
import { type Actor, customisable, type Env, mayAccessModel, mayReadField, type Registry } from '@kontor/orm';
import { type ColumnGuess, fieldType, invalidArgs, type SpreadsheetGuess } from '@kontor/protocol';
import { checkCustomiser } from './customise.ts';

/** Names that are looked up of a column. */
const names = 50;
/** Columns that may be links. */
const linkColumns = 30;

/** The fields that the columns of a spreadsheet would be, guessed from their values and headers. Nothing is stored. */
export async function guessSpreadsheet(
  kernel: Kernel,
  actor: Actor,
  { name, file }: { readonly name: string; readonly file: ReadFile },
): Promise<SpreadsheetGuess> {
  checkCustomiser(actor);
  const columns = columnsIn(file.csv, file.headers);
  const guessed = columns.map(guessColumn);
  const title = titleOf(guessed);
  return kernel.read(actor, async (env) => {
    const registries = [env.registry, kernel.loaded.registryIn(actor.lang)];
    const links = new Map<string, ColumnGuess>();
    const open = guessed.filter((each) => mayBeLink(each) && each.header !== title).slice(0, linkColumns);
    for (const guess of open) {
      const found = await linkOf(
        env,
        registries,
        guess,
        columns.find(({ header }) => header === guess.header)?.different,
      );
      if (found) links.set(guess.header, found);
    }
    return {
      name: name
        .replace(/\.[^.]*$/, '')
        .replaceAll(/[_-]+/g, ' ')
        .trim()
        .slice(0, 100),
      ...{ total: file.total, title, columns: guessed.map((guess) => links.get(guess.header) ?? guess) },
    };
  });
}

/** The field that a column of one's import would be. */
export async function guessImportColumn(
  kernel: Kernel,
  actor: Actor,
  { id, column }: { readonly id: number; readonly column: string },
): Promise<ColumnGuess> {
  checkCustomiser(actor);
  return kernel.read(actor, async (env) => {
    const [batch] = await env.model('sys.bulk.import').read([id], ['headers']);
    const { content } = await readStagedFile(env.db, id);
    const found = columnsIn(content, (batch?.headers ?? []) as readonly string[]).find(
      (each) => each.header === column,
    );
    if (!found) throw invalidArgs(`The file has no column "${column}".`, { field: 'column' });
    const registries = [env.registry, kernel.loaded.registryIn(actor.lang)];
    const guess = guessColumn(found);
    return (mayBeLink(guess) && (await linkOf(env, registries, guess, found.different))) || guess;
  });
}

/** The first text that tells the records apart; else the first column. */
function titleOf(columns: readonly ColumnGuess[]): string {
  const isPlain = ({ type, format }: ColumnGuess) => fieldType(type).isShort && format === undefined;
  const apart = columns.find((each) => isPlain(each) && each.filled > 0 && each.different >= each.filled * 0.9);
  return (apart ?? columns.find(isPlain) ?? columns[0])?.header ?? '';
}

function mayBeLink({ type, format, filled }: ColumnGuess): boolean {
  const { isShort, isChoice } = fieldType(type);
  return (isShort || isChoice) && format === undefined && filled > 0;
}

/** A column is a link if its header is the name of a model, or of a link to one, and most of its values are names of records. */
async function linkOf(
  env: Env,
  registries: readonly Registry[],
  guess: ColumnGuess,
  different: Iterable<string> = [],
): Promise<ColumnGuess | null> {
  const values = [...different].slice(0, names);
  for (const relation of modelsNamed(env, registries, guess.header)) {
    const found = await env.model(relation).searchRead([['name', 'in', values]], ['name'], { limit: 500 });
    const known = new Set(found.map(({ name }) => String(name)));
    if (known.size * 2 < values.length) continue;
    return { ...guess, type: 'many2one', relation, sure: known.size === values.length ? 'sure' : 'likely' };
  }
  return null;
}

const most = 3;

function modelsNamed(env: Env, registries: readonly Registry[], header: string): readonly string[] {
  const key = keyOf(header);
  const found = new Set<string>();
  const add = (name: string) => {
    const model = env.registry.models.get(name);
    const field = model?.fields.get('name');
    const isOpen = model && customisable(model) === 'all' && mayAccessModel(env, model, 'read');
    if (isOpen && field?.kind.isShort && field.isStored && mayReadField(env, field)) found.add(name);
  };
  for (const { models } of registries)
    for (const { name, label } of models.values()) if (keyOf(label) === key || `${keyOf(label)}s` === key) add(name);
  for (const { models } of registries)
    for (const { fields } of models.values())
      for (const { label, spec, kind } of fields.values())
        if (kind.isToOne && (keyOf(label) === key || spec.synonyms?.some((word) => keyOf(word) === key)))
          add(spec.relation ?? '');
  return [...found].slice(0, most);
}

function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
