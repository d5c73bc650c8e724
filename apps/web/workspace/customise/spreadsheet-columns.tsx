import { type ColumnGuess, type CustomiseData, fieldType } from '@kontor/protocol';
import { mark, t } from '../../i18n/messages.ts';
import { Badge } from '../../ui/parts.tsx';
import { nameFor, slug, typeLabels } from './new-field.ts';

/** A column of a spreadsheet as the person wants it. */
export interface Column extends ColumnGuess {
  readonly label: string;
  readonly isTaken: boolean;
}

export function columnsFrom(guesses: readonly ColumnGuess[]): readonly Column[] {
  return guesses.map((guess) => ({ ...guess, label: guess.header, isTaken: true }));
}

const sureness = {
  sure: [mark('Sure'), 'ok'],
  likely: [mark('Likely'), 'mute'],
  guess: [mark('A guess'), 'warn'],
} as const;

interface ColumnsProps {
  readonly data: CustomiseData;
  readonly columns: readonly Column[];
  /** The column that names the records. */
  readonly title: string;
  readonly onChange: (columns: readonly Column[]) => void;
  readonly onTitle: (header: string) => void;
}

/** The columns with the fields that they become, all of which can be changed. */
export function Columns({ data, columns, title, onChange, onTitle }: ColumnsProps) {
  const set = (header: string, next: Partial<Column>) =>
    onChange(columns.map((column) => (column.header === header ? { ...column, ...next } : column)));
  return (
    <ul className="stack gap-3">
      {columns.map((column) => (
        <ColumnRow
          key={column.header}
          {...{ data, column }}
          isTitle={column.header === title}
          onChange={(next) => set(column.header, next)}
          onTitle={() => onTitle(column.header)}
        />
      ))}
    </ul>
  );
}

interface ColumnRowProps {
  readonly data: CustomiseData;
  readonly column: Column;
  readonly isTitle: boolean;
  readonly onChange: (next: Partial<Column>) => void;
  readonly onTitle: () => void;
}

function ColumnRow({ data, column, isTitle, onChange, onTitle }: ColumnRowProps) {
  const { header, label, isTaken, sure, values } = column;
  const [said, look] = sureness[sure];
  return (
    <li className="stack gap-1 lined customise-right">
      <div className="row wrap gap-2">
        <label className="row centre gap-0 wide-24 high-24 customise-take">
          <input
            type="checkbox"
            className="box"
            aria-label={t('Take the column {name}', { name: header })}
            checked={isTaken || isTitle}
            disabled={isTitle}
            onChange={(event) => onChange({ isTaken: event.target.checked })}
          />
        </label>
        <input
          className="input share"
          aria-label={t('Label of {name}', { name: header })}
          maxLength={data.limits.label}
          required
          value={label}
          onChange={(event) => onChange({ label: event.target.value })}
        />
        {!isTitle && <TypeOf {...{ data, column, onChange }} />}
        <Badge look={look}>{t(said)}</Badge>
        <label className="line gap-1 small target pointer">
          <input type="radio" name="title-column" checked={isTitle} onChange={onTitle} />
          {t('Name')}
        </label>
      </div>
      <p className="small mut cut">{values.join(' · ')}</p>
    </li>
  );
}

/** The type of a column, and what it links to. */
function TypeOf({ data, column, onChange }: Pick<ColumnRowProps, 'data' | 'column' | 'onChange'>) {
  const { header, type, choices, relation = '' } = column;
  const offered = typeLabels.filter(([name]) => {
    const { isOpaque, isList, isChoice } = fieldType(name);
    return !isOpaque && !isList && (!isChoice || choices !== undefined);
  });
  return (
    <>
      <select
        className="input customise-type"
        aria-label={t('Type of {name}', { name: header })}
        value={type}
        onChange={(event) => onChange({ type: event.target.value, sure: 'sure' })}
      >
        {offered.map(([name, text]) => (
          <option key={name} value={name}>
            {t(text)}
          </option>
        ))}
      </select>
      {fieldType(type).isToOne && (
        <select
          className="input customise-type"
          aria-label={t('{name} links to', { name: header })}
          required
          value={relation}
          onChange={(event) => onChange({ relation: event.target.value })}
        >
          <option value="" />
          {data.models.map(({ name, label: text }) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

/** The fields of the columns, and the field of each column by its header. */
export function fieldsOf(model: string, columns: readonly Column[], title: string, hasCompany: boolean) {
  const taken = new Set<string>();
  const mapping: Record<string, string> = { [title]: 'name' };
  const changes = columns
    .filter(({ header, isTaken }) => isTaken && header !== title)
    .map(({ header, label, type: given, format, choices = [], relation }) => {
      const name = nameFor(label, 'field', taken);
      taken.add(name);
      mapping[header] = name;
      const { isMoney, isChoice, isToOne, isShort } = fieldType(given);
      const type = isMoney && !hasCompany ? 'decimal' : given;
      const field = {
        ...{ type, label: label.trim() },
        ...(isShort && format && { format }),
        ...(isChoice && { choices: choicesOf(choices) }),
        ...(isToOne && { relation }),
        ...(type === given && isMoney && { currency: 'company_id.currency_id' }),
      };
      return { do: 'add_field', model, name, field };
    });
  return { changes, mapping };
}

function choicesOf(labels: readonly string[]) {
  const taken = new Set<string>();
  return labels.map((label) => {
    const stem = slug(label).replace(/^[^a-z]+/, '') || 'choice';
    let value = stem;
    for (let at = 2; taken.has(value); at++) value = `${stem}_${at}`;
    taken.add(value);
    return { value, label };
  });
}
