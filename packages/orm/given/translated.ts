import type { Field } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { wordsColumn } from '../model/translated.ts';
import type { Concern } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { readShippedWords } from '../rows/shipped-words.ts';

/**
 * A caller who gives a shipped text in some language gives the stored one: they read it so. A write of what was read, such as the
 * import of an export, changes nothing for readers of other languages.
 */
export const translated: Concern = {
  name: 'translated',
  plan({ operation, purpose, given }) {
    const fields = [...given].filter((field) => wordsColumn(field) !== null);
    if (operation !== 'write' || purpose !== 'call' || fields.length === 0) return null;
    return { before: (run) => storedTexts(run, fields), isOpen: true };
  },
};

async function storedTexts(run: WriteRun, fields: readonly Field[]): Promise<void> {
  for (const field of fields) {
    const shipped = await readShippedWords(run.env, run.model, field, run.ids);
    run.rows = run.rows.map((row) => {
      const known = shipped.get(row.id);
      if (!known) return row;
      const said = new Set(Object.values(known.words));
      const stored = (values: Values): Values =>
        said.has(values[field.name] as string) ? { ...values, [field.name]: known.text } : values;
      return { ...row, values: stored(row.values), ...(row.base && { base: stored(row.base) }) };
    });
  }
}
