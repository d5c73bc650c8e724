import { IconButton, NumberInput, t } from '@kontor/client';
import { Choice, Sentence, Word } from './choice.tsx';
import { type FieldOption, labelOf, useNames, useOptions } from './options.ts';

export type Json = Readonly<Record<string, unknown>>;

interface Props {
  /** The model whose fields are set. */
  readonly target: string;
  /** The model of the automation: formulas and copies read it. */
  readonly source: string;
  readonly values: Json;
  readonly onChange: (values: Json) => void;
}

/** Fields with their values: given, calculated, copied, or now. */
export function Values({ target, source, values, onChange }: Props) {
  const { fields } = useOptions(target);
  const free = fields.filter(({ name, mayWrite }) => mayWrite && !(name in values));
  const without = (name: string) => Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
  return (
    <div className="stack items-start">
      {Object.entries(values).map(([name, value]) => (
        <Sentence key={name}>
          <span className="pad-y-1 pad-x-2 round-s tinted medium">{labelOf(fields, name)}</span>
          <ValueEdit
            field={fields.find((field) => field.name === name)}
            source={source}
            value={(value ?? {}) as Json}
            onChange={(next) => onChange({ ...values, [name]: next })}
          />
          <IconButton
            icon="x"
            label={t('Remove {field}', { field: labelOf(fields, name) })}
            onClick={() => onChange(without(name))}
          />
        </Sentence>
      ))}
      <Choice
        label={t('Add a field')}
        value=""
        empty={t('Add a field…')}
        choices={free.map(({ name, label }) => [name, label])}
        onChoose={(name) => onChange({ ...values, [name]: firstValue(fields.find((field) => field.name === name)) })}
      />
    </div>
  );
}

function firstValue(field: FieldOption | undefined): Json {
  if (field?.input === 'truth') return { value: true };
  if (field?.isDate) return { word: field.input === 'moment' ? 'now' : 'today' };
  return { value: field?.choices[0]?.value ?? (field?.relation ? null : '') };
}

interface EditProps {
  readonly field: FieldOption | undefined;
  readonly source: string;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
}

function kindOf(value: Json): string {
  return ['formula', 'from', 'word'].find((key) => key in value) ?? 'value';
}

function ValueEdit({ field, source, value, onChange }: EditProps) {
  const kind = kindOf(value);
  const firsts: Readonly<Record<string, Json>> = {
    ...{ formula: { formula: '' }, from: { from: '' }, value: firstGiven(field) },
    word: { word: field?.input === 'moment' ? 'now' : 'today' },
  };
  const canCalculate = !field?.relation && !field?.choices.length;
  return (
    <>
      <Choice
        label={t('How {field} is set', { field: field?.label ?? '' })}
        value={kind}
        choices={[
          ['value', t('to the value')],
          ...(canCalculate ? ([['formula', t('to the result of')]] as const) : []),
          ['from', t('to the value of')],
          ...(field?.isDate ? ([['word', t('to the moment')]] as const) : []),
        ]}
        onChoose={(chosen) => onChange(firsts[chosen] ?? { value: null })}
      />
      {kind === 'formula' && (
        <Word
          label={t('Formula')}
          value={String(value.formula ?? '')}
          isWide
          placeholder="round(expected_revenue * 0.1, 2)"
          onType={(formula) => onChange({ formula })}
        />
      )}
      {kind === 'from' && <FromEdit source={source} value={value} onChange={onChange} />}
      {kind === 'value' && <Given field={field} value={value.value} onChange={(given) => onChange({ value: given })} />}
    </>
  );
}

function firstGiven(field: FieldOption | undefined): Json {
  return { value: field?.input === 'truth' ? true : (field?.choices[0]?.value ?? (field?.relation ? null : '')) };
}

function FromEdit({ source, value, onChange }: Pick<EditProps, 'source' | 'value' | 'onChange'>) {
  const { fields } = useOptions(source);
  const [first = '', ...rest] = String(value.from ?? '').split('.');
  const linked = fields.find(({ name }) => name === first)?.relation ?? '';
  const { fields: further } = useOptions(linked);
  return (
    <>
      <Choice
        label={t('Field to copy')}
        value={first}
        choices={[['id', t('the record itself')], ...fields.map(({ name, label }) => [name, label] as const)]}
        onChoose={(from) => onChange({ from })}
      />
      {linked !== '' && (
        <Choice
          label={t('Its field')}
          value={rest.join('.')}
          empty={t('itself')}
          choices={further.map(({ name, label }) => [name, label])}
          onChoose={(next) => onChange({ from: next === '' ? first : `${first}.${next}` })}
        />
      )}
    </>
  );
}

interface GivenProps {
  readonly field: FieldOption | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Given({ field, value, onChange }: GivenProps) {
  const label = t('Value of {field}', { field: field?.label ?? '' });
  if (field?.choices.length)
    return (
      <Choice
        label={label}
        value={String(value ?? '')}
        empty={t('empty')}
        choices={field.choices.map((each) => [each.value, each.label])}
        onChoose={(chosen) => onChange(chosen || null)}
      />
    );
  if (field?.input === 'truth')
    return (
      <Choice
        label={label}
        value={String(value === true)}
        choices={[
          ['true', t('yes')],
          ['false', t('no')],
        ]}
        onChoose={(chosen) => onChange(chosen === 'true')}
      />
    );
  if (field?.relation) return <RecordChoice label={label} model={field.relation} value={value} onChoose={onChange} />;
  if (field?.input === 'number' || field?.input === 'exact')
    return (
      <NumberInput
        className="input automations-word"
        {...{ label, value }}
        // Amounts keep their digits as text; whole numbers are numbers.
        onChange={(typed) => onChange(typeof typed === 'number' && field.input === 'exact' ? String(typed) : typed)}
      />
    );
  const type = field?.input === 'day' ? 'date' : 'text';
  return (
    <Word label={label} value={String(value ?? '')} type={type} onType={(typed) => onChange(asValue(field, typed))} />
  );
}

function asValue(field: FieldOption | undefined, typed: string): unknown {
  return typed === '' && field?.input !== 'text' ? null : typed;
}

interface RecordProps {
  readonly label: string;
  readonly model: string;
  readonly domain?: string;
  readonly value: unknown;
  readonly onChoose: (id: number | null) => void;
}

/** A record, chosen by its name. */
export function RecordChoice({ label, model, domain, value, onChoose }: RecordProps) {
  const rows = useNames(model, domain);
  return (
    <Choice
      label={label}
      value={value === null || value === undefined ? '' : String(value)}
      empty={t('nobody or nothing')}
      choices={rows.map((row) => [String(row.id), String(row.display_name)])}
      onChoose={(chosen) => onChoose(chosen === '' ? null : Number(chosen))}
    />
  );
}
