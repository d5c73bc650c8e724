import { type ArchField, type CustomiseData, type Domain, type FormulaCheck, fieldType } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { useModelFields } from '../../data/model-fields.ts';
import { request } from '../../data/request.ts';
import { DomainDialog } from '../../fields/domain/domain-editor.tsx';
import { mark, t, tn } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { Select, Tick } from './controls.tsx';
import type { NewField } from './new-field.ts';
import { useCustomFields } from './use-customise-data.ts';

interface SourceProps {
  readonly data: CustomiseData;
  readonly given: NewField;
  readonly onChange: (next: Partial<NewField>) => void;
}

/** Where the value comes from: people, a formula, a linked record, or lines. */
export function ValueSource({ data, given, onChange }: SourceProps) {
  const type = fieldType(given.type);
  const fields = useCustomFields(data);
  const hasFormula = type.isShort || type.isLong || type.isNumber || type.isBoolean || type.isDate;
  const lines = fields.filter((field) => fieldType(field.type).isLines);
  const options: (readonly [NewField['source'], string])[] = [['typed', t('Entered by people')]];
  if (hasFormula) options.push(['formula', t('Formula')]);
  if (!type.isList && !type.isOpaque) options.push(['from', t('Copied from a linked record')]);
  if ((type.isNumber || type.isDate) && lines.length > 0) options.push(['lines', t('Calculated from lines')]);
  if (options.length === 1) return null;
  return (
    <>
      <Select
        label={t('Value')}
        value={given.source}
        options={options}
        onChange={(source) => onChange({ source: source as NewField['source'] })}
      />
      {given.source === 'formula' && hasFormula && <FormulaInput {...{ data, given, fields, onChange }} />}
      {given.source === 'from' && <FromInput {...{ given, fields, onChange }} />}
      {given.source === 'lines' && <LinesInput {...{ given, lines, onChange }} />}
    </>
  );
}

type PartProps = Pick<SourceProps, 'given' | 'onChange'> & { readonly fields: readonly ArchField[] };

/** The formula, checked while it is typed. */
function FormulaInput({ data, given, fields, onChange }: SourceProps & PartProps) {
  const check = useFormulaCheck(data.model, given);
  const problem = given.formula.trim() === '' ? null : (check?.problem ?? null);
  return (
    <>
      <Labelled
        label={t('Formula')}
        hint={t('For example: round(price * 0.2, 2), or if(state = "won", amount, 0)')}
        problem={problem?.message}
      >
        {(props) => (
          <textarea
            {...props}
            className="input mono high-auto pad-y-2"
            rows={3}
            required
            maxLength={1000}
            spellCheck={false}
            dir="ltr"
            value={given.formula}
            onChange={(event) => onChange({ formula: event.target.value.replaceAll(/\s+/g, ' ') })}
          />
        )}
      </Labelled>
      {problem && problem.to > problem.from && (
        <p className="mono small break" dir="ltr">
          {given.formula.slice(0, problem.from)}
          <mark>{given.formula.slice(problem.from, problem.to)}</mark>
          {given.formula.slice(problem.to)}
        </p>
      )}
      {check && !check.problem && (
        <p className="small ok">
          {tn('Reads {n} field', 'Reads {n} fields', check.reads.length)}: {check.reads.join(', ')}
        </p>
      )}
      <Select
        label={t('Insert a field')}
        value=""
        options={[['', ''], ...fields.map(({ name, label }) => [name, label] as const)]}
        onChange={(name) => onChange({ formula: `${given.formula} ${name}`.trim() })}
      />
      <Tick
        label={t('Store the value')}
        hint={t('Records can be searched, sorted and grouped by it.')}
        isOn={given.isStored}
        onChange={(isStored) => onChange({ isStored })}
      />
    </>
  );
}

/** An answer that comes after the next letter is dropped. */
function useFormulaCheck(model: string, { type, formula }: NewField): FormulaCheck | null {
  const [check, setCheck] = useState<FormulaCheck | null>(null);
  useEffect(() => {
    setCheck(null);
    if (formula.trim() === '') return;
    let isLate = false;
    const query = new URLSearchParams({ model, type, formula: formula.trim() });
    whileBusy(request<{ result: FormulaCheck }>(`/web/customise/formula?${query}`)).then(
      ({ body }) => !isLate && setCheck(body.result),
      () => {},
    );
    return () => {
      isLate = true;
    };
  }, [model, type, formula]);
  return check;
}

function FromInput({ given, fields, onChange }: PartProps) {
  const [link = '', name = ''] = given.from.split('.');
  const links = fields.filter((field) => fieldType(field.type).isToOne);
  const relation = links.find((field) => field.name === link)?.relation ?? '';
  const others = useModelFields(relation).filter((field) => field.type === given.type);
  return (
    <>
      <Select
        label={t('Linked record')}
        value={link}
        required
        options={[['', ''], ...links.map((field) => [field.name, field.label] as const)]}
        onChange={(next) => onChange({ from: next })}
      />
      {relation !== '' && (
        <Select
          label={t('Its field')}
          value={name}
          required
          options={[['', ''], ...others.map((field) => [field.name, field.label] as const)]}
          onChange={(next) => onChange({ from: `${link}.${next}` })}
        />
      )}
    </>
  );
}

const measures = [
  ['sum', mark('Sum')],
  ['count', mark('Count')],
  ['min', mark('Smallest')],
  ['max', mark('Largest')],
] as const;

function LinesInput({ given, lines, onChange }: Omit<PartProps, 'fields'> & { readonly lines: readonly ArchField[] }) {
  const { measure, path } = given.lines;
  const [line = '', name = ''] = path.split('.');
  const relation = lines.find((field) => field.name === line)?.relation ?? '';
  const { isNumber } = fieldType(given.type);
  const others = useModelFields(relation).filter((field) =>
    isNumber ? fieldType(field.type).isNumber : field.type === given.type,
  );
  const offered = measures.filter(([each]) => isNumber || each === 'min' || each === 'max');
  return (
    <>
      <Select
        label={t('Calculation')}
        value={measure}
        options={offered.map(([value, label]) => [value, t(label)])}
        onChange={(next) => onChange({ lines: { measure: next, path: line } })}
      />
      <Select
        label={t('Lines')}
        value={line}
        required
        options={[['', ''], ...lines.map((field) => [field.name, field.label] as const)]}
        onChange={(next) => onChange({ lines: { measure, path: next } })}
      />
      {relation !== '' && measure !== 'count' && (
        <Select
          label={t('Field of the lines')}
          value={name}
          required
          options={[['', ''], ...others.map((field) => [field.name, field.label] as const)]}
          onChange={(next) => onChange({ lines: { measure, path: `${line}.${next}` } })}
        />
      )}
    </>
  );
}

/** Which records a link offers. */
export function LinkFilter({ given, onChange }: Pick<SourceProps, 'given' | 'onChange'>) {
  const [isOpen, setOpen] = useState(false);
  const fields = useModelFields(given.relation);
  return (
    <div className="row wrap gap-2">
      <Button icon="list-filter" disabled={fields.length === 0} onClick={() => setOpen(true)}>
        {t('Filter …')}
      </Button>
      <span className="small mut">
        {given.domain.length === 0
          ? t('All records can be chosen.')
          : tn('{n} condition', '{n} conditions', given.domain.filter(Array.isArray).length)}
      </span>
      {isOpen && (
        <DomainDialog
          domain={given.domain as Domain}
          fields={fields}
          answer={t('Apply')}
          onClose={() => setOpen(false)}
          onApply={(domain) => {
            setOpen(false);
            onChange({ domain });
          }}
        />
      )}
    </div>
  );
}
