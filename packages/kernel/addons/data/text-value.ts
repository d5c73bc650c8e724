import { BadValue, type Field } from '@kontor/orm';

const truths: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };

/**
 * What a text in a data file means for a field. Only the field's type decides: `007` stays text in a text field. An empty
 * text means no value; undefined lets the field's default or compute stand.
 */
export function textValue(field: Field, given: string): unknown {
  const { type } = field.spec;
  // Only what an editor adds: a no-break space is how some languages group digits.
  const text = given.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (text === '') return field.spec.default === undefined && !field.isEditable ? null : undefined;
  switch (type) {
    case 'boolean': {
      const truth = truths[text.toLowerCase()];
      if (truth === undefined) throw new BadValue(`Give 1 or 0, not "${text}".`);
      return truth;
    }
    case 'integer':
    case 'float':
      return numberValue(text);
    case 'decimal':
    case 'monetary':
      return text;
    case 'json':
      return jsonValue(text);
    case 'many2one':
    case 'one2many':
    case 'many2many':
      throw new BadValue('Give external ids, by ref in XML or in a column ":ref" in CSV.');
    default:
      return given;
  }
}

function numberValue(text: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new BadValue(`Give a number, not "${text}".`);
  return Number(text);
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadValue(`Give JSON, not ${text}.`);
  }
}
