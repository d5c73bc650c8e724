import {
  type ArchField,
  everyInvalid,
  everyValue,
  type ImportFix,
  type ImportProblem,
  type ImportTarget,
} from '@kontor/protocol';
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
  const settled = problems.filter((problem) => chosenFor(batch, problem)).length;
  return (
    <section className="import-problems" aria-labelledby={id}>
      <h2 className="large below-2" id={id}>
        {tn('{n} error', '{n} errors', problems.length)}
      </h2>
      {fix && settled > 0 && (
        <p className="mut below-2 import-note" role="status">
          {tn(
            '{n} problem is resolved. Check again to see what remains.',
            '{n} problems are resolved. Check again to see what remains.',
            settled,
          )}
        </p>
      )}
      {fix && <ForAll {...{ batch, problems, fix }} />}
      <ul className="panel stack gap-0">
        {problems.slice(0, shown).map((problem) => (
          <li
            key={`${problem.column}/${problem.value}/${problem.message}`}
            className="row wrap apart lined last-bare pad-3 gap-5 rows-2 import-problem"
          >
            <Told {...{ batch, problem }} />
            {fix && <Remedy {...{ batch, problem, fix }} />}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mut below-2 import-note">{tn('and {n} more', 'and {n} more', rest)}</p>}
    </section>
  );
}

/** What the person chose for a problem: for its value, or for all of its kind in the column. */
function chosenFor({ fixes }: Batch, { column, value, kind }: ImportProblem): ImportFix | undefined {
  if (value === null) return undefined;
  return fixes[column]?.[value] ?? (kind ? fixes[column]?.[everyOf(kind)] : undefined);
}

function everyOf(kind: ImportProblem['kind']): string {
  return kind === 'invalid' ? everyInvalid : everyValue;
}

/** One decision for all missing records, or all duplicates, of a column. */
function ForAll({ batch, problems, fix }: Required<ProblemListProps>) {
  const kinds = ['missing', 'duplicate', 'invalid'] as const;
  const groups = batch.headers.flatMap((column) =>
    kinds.flatMap((kind) => {
      const own = problems.filter((one) => one.column === column && one.kind === kind);
      const canSettle = kind !== 'missing' || targetOf(batch, column)?.canCreate === true;
      return own.length > 1 && canSettle ? [{ column, kind }] : [];
    }),
  );
  return groups.map(({ column, kind }) => (
    <div key={`${column}/${kind}`} className="row wrap apart panel gap-5 rows-2 import-problem import-all">
      <b className="semi shrink">
        {kind === 'missing' && t('All missing values of {column}', { column })}
        {kind === 'duplicate' && t('All duplicates by {column}', { column })}
        {kind === 'invalid' && t('All invalid values of {column}', { column })}
      </b>
      <div className="row wrap import-remedy">
        {batch.fixes[column]?.[everyOf(kind)] ? (
          <Settled fix={batch.fixes[column][everyOf(kind)]} onChange={() => fix(column, everyOf(kind), null)} />
        ) : (
          waysOut(kind, true).map(([label, chosen]) => (
            <Button key={label} onClick={() => fix(column, everyOf(kind), chosen)}>
              {label}
            </Button>
          ))
        )}
      </div>
    </div>
  ));
}

/** What can be done with a missing record or a duplicate; in a file, the record before is a row. */
function waysOut(kind: ImportProblem['kind'], isForAll: boolean, isInFile = false): readonly [string, ImportFix][] {
  if (kind === 'missing') return [[isForAll ? t('Create all') : t('Create'), { create: true }]];
  const skip: [string, ImportFix] = isInFile
    ? [t('Only the first row'), { first: true }]
    : [isForAll ? t('Skip all') : t('Skip the rows'), { skip: true }];
  const update: [string, ImportFix] = [isForAll ? t('Update all') : t('Update it'), { update: true }];
  if (kind === 'invalid') {
    return [skip, [isForAll ? t('Import all without it') : t('Import without it'), { keep: true }]];
  }
  const keep: [string, ImportFix] = [isForAll ? t('Import all anyway') : t('Import anyway'), { keep: true }];
  return isInFile ? [skip, keep] : [skip, update, keep];
}

interface SettledProps {
  readonly fix: ImportFix | undefined;
  readonly onChange: () => void;
}

function Settled({ fix, onChange }: SettledProps) {
  return (
    <div className="row wrap import-remedy medium ok import-settled">
      <Icon name="check" />
      <span>{fix && fixWords(fix)}</span>
      <Button kind="bare" icon="rotate-ccw" onClick={onChange}>
        {t('Change')}
      </Button>
    </div>
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
      <p className="break line wrap baseline gap-2 rows-1">
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
        <span className="small semi digits bad pad-x-2 bg-bad-soft import-told-count">
          {tn('{n} row', '{n} rows', count)}
        </span>
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
  const { column, value, kind, record } = problem;
  const target = targetOf(batch, column);
  if (value === null || target === undefined) return null;
  const own = batch.fixes[column]?.[value];
  const choose = (given: ImportFix | null) => fix(column, value, given);
  if (own) return <Settled fix={own} onChange={() => choose(null)} />;
  if (chosenFor(batch, problem)) return null;
  const ways = kind === 'duplicate' || target.canCreate === true ? waysOut(kind, false, record === null) : [];
  if (kind === 'duplicate') {
    return (
      <div className="row wrap import-remedy">
        {ways.map(([label, way]) => (
          <Button key={label} onClick={() => choose(way)}>
            {label}
          </Button>
        ))}
      </div>
    );
  }
  return (
    <div className="row wrap import-remedy">
      <Instead {...{ target, value, choose }} />
      {kind === 'missing' &&
        ways.map(([label, way]) => (
          <Button key={label} icon="plus" onClick={() => choose(way)}>
            {label}
          </Button>
        ))}
      {kind === 'invalid' && <Button onClick={() => choose({ keep: true })}>{t('Import without it')}</Button>}
      {kind !== 'invalid' && !target.required && value !== '' && (
        <Button onClick={() => choose({ empty: true })}>{t('Leave empty')}</Button>
      )}
      <Button onClick={() => choose({ skip: true })}>{t('Skip the rows')}</Button>
    </div>
  );
}

function fixWords(fix: ImportFix): string {
  if ('use' in fix) return t('Becomes {value}', { value: fix.label ?? fix.use });
  if ('create' in fix) return t('Will be created');
  if ('update' in fix) return t('The record will be updated');
  if ('first' in fix) return t('Only the first row will be imported');
  if ('keep' in fix) return t('Will be imported anyway');
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
