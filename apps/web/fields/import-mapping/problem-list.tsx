import type { ArchField, ImportFix, ImportProblem, ImportTarget } from '@kontor/protocol';
import { useId, useState } from 'react';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Combobox } from '../relation/combobox.tsx';
import { nameOf, useChoices } from '../relation/use-choices.ts';
import { type Batch, targetOf } from './batch.ts';
import type { ImportState } from './use-import.ts';
import './problems.css';

interface ProblemListProps {
  readonly batch: Batch;
  readonly problems: readonly ImportProblem[];
  /** Sets the replacement of a value; absent after the import. */
  readonly fix?: ImportState['fix'];
}

const shown = 100;

/** Each error once, with the number of affected rows, and ways to fix it in place. */
export function ProblemList({ batch, problems, fix }: ProblemListProps) {
  const id = useId();
  const rest = problems.length - shown;
  const settled = problems.filter(({ column, value }) => value !== null && batch.fixes[column]?.[value]).length;
  return (
    <section className="import-problems" aria-labelledby={id}>
      <h2 className="large below-2" id={id}>
        {tn('{n} error', '{n} errors', problems.length)}
      </h2>
      {fix && settled > 0 && (
        <p className="mut import-note" role="status">
          {tn(
            '{n} problem is resolved. Check again to see what remains.',
            '{n} problems are resolved. Check again to see what remains.',
            settled,
          )}
        </p>
      )}
      <ul className="panel import-problem-list">
        {problems.slice(0, shown).map((problem) => (
          <li
            key={`${problem.column}/${problem.value}/${problem.message}`}
            className="row wrap apart lined pad-3 import-problem"
          >
            <Told {...{ batch, problem }} />
            {fix && <Remedy {...{ batch, problem, fix }} />}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mut import-note">{tn('and {n} more', 'and {n} more', rest)}</p>}
    </section>
  );
}

interface ProblemProps {
  readonly batch: Batch;
  readonly problem: ImportProblem;
}

function Told({ batch, problem }: ProblemProps) {
  const { column, message, value, count, rows } = problem;
  const first = rows.join(', ') + (count > rows.length ? ' …' : '');
  return (
    <div className="shrink import-told">
      <p className="break line wrap baseline import-told-what">
        {column !== '' && (
          <b className="semi">
            <bdi>{labelOf(batch, column)}</bdi>
          </b>
        )}
        {value !== null && value !== '' && (
          <q className="import-told-value">
            <bdi>{value}</bdi>
          </q>
        )}
        <span className="small semi digits bad pad-0-2 import-told-count">{tn('{n} row', '{n} rows', count)}</span>
      </p>
      <p className="break import-told-why">{message}</p>
      <p className="break small mut import-note">{tn('Row {rows}', 'Rows {rows}', count, { rows: first })}</p>
    </div>
  );
}

/** The server names an unmapped field by its technical name; users know its label. */
function labelOf({ headers, targets }: Batch, column: string): string {
  if (headers.includes(column)) return column;
  return targets.find(({ name }) => name === column)?.label ?? column;
}

interface RemedyProps extends ProblemProps {
  readonly fix: ImportState['fix'];
}

function Remedy({ batch, problem, fix }: RemedyProps) {
  const { column, value } = problem;
  const target = targetOf(batch, column);
  if (value === null || target === undefined) return null;
  const chosen = batch.fixes[column]?.[value];
  const choose = (given: ImportFix | null) => fix(column, value, given);
  if (chosen) {
    return (
      <div className="row wrap import-remedy medium ok import-settled">
        <Icon name="check" />
        <span>{fixWords(chosen)}</span>
        <Button kind="bare" icon="rotate-ccw" onClick={() => choose(null)}>
          {t('Change')}
        </Button>
      </div>
    );
  }
  return (
    <div className="row wrap import-remedy">
      <Instead {...{ target, value, choose }} />
      {target.canCreate === true && value !== '' && (
        <Button icon="plus" onClick={() => choose({ create: true })}>
          {t('Create')}
        </Button>
      )}
      {!target.required && value !== '' && <Button onClick={() => choose({ empty: true })}>{t('Leave empty')}</Button>}
      <Button onClick={() => choose({ skip: true })}>{t('Skip the rows')}</Button>
    </div>
  );
}

function fixWords(fix: ImportFix): string {
  if ('use' in fix) return t('Becomes {value}', { value: fix.label ?? fix.use });
  if ('create' in fix) return t('Will be created');
  return 'empty' in fix ? t('Will be left empty') : t('These rows will be skipped');
}

interface InsteadProps {
  readonly target: ImportTarget;
  readonly value: string;
  readonly choose: (fix: ImportFix) => void;
}

/** Replaces the value of all these cells by a record, an option or typed text. */
function Instead({ target, value, choose }: InsteadProps) {
  const label = value === '' ? t('Use for empty cells') : t('Use instead of {value}', { value });
  if (target.relation !== undefined) return <RecordInstead {...{ target, label, choose }} model={target.relation} />;
  if (target.selection) {
    return (
      <select
        className="input import-instead"
        aria-label={label}
        value=""
        onChange={({ target: { value: use, selectedOptions } }) =>
          choose({ use, label: selectedOptions[0]?.textContent ?? use })
        }
      >
        <option value="" disabled>
          {t('Use instead …')}
        </option>
        {target.selection.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    );
  }
  return <TextInstead {...{ label, choose }} />;
}

function TextInstead({ label, choose }: { readonly label: string; readonly choose: InsteadProps['choose'] }) {
  const [typed, setTyped] = useState('');
  const take = () => typed.trim() !== '' && choose({ use: typed.trim() });
  return (
    <input
      className="input import-instead"
      aria-label={label}
      placeholder={t('Use instead …')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        take();
      }}
      onBlur={take}
    />
  );
}

const plain: ArchField = {
  name: 'instead',
  type: 'many2one',
  label: '',
  required: false,
  readonly: false,
} as ArchField;

function RecordInstead(props: {
  readonly target: ImportTarget;
  readonly model: string;
  readonly label: string;
  readonly choose: InsteadProps['choose'];
}) {
  const { model, label, choose } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const { records, isCurrent } = useChoices(model, typed, []);
  const choices = records.map((record) => ({
    key: String(record.id),
    label: nameOf(record),
    run: () => choose({ use: String(record.id), label: nameOf(record) }),
  }));
  return (
    <span className="import-instead">
      <Combobox
        {...{ id, label, typed, choices, isCurrent, model, onTyped: setTyped }}
        field={plain}
        record={{ id: 0 }}
        value={null}
        node={{ name: 'instead', placeholder: t('Use instead …') }}
        place="form"
        isRequired={false}
        isInvalid={false}
        className="import-choice"
        text=""
        onChange={() => {}}
      />
    </span>
  );
}
