import { type CustomiseStatesData, type CustomMoveData, fieldType } from '@kontor/protocol';
import { t } from '../../../i18n/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../controls.tsx';

type Sets = NonNullable<CustomMoveData['sets']>;

interface SetListProps {
  readonly fields: CustomiseStatesData['fields'];
  readonly sets: Sets;
  readonly onChange: (sets: Sets) => void;
}

/** The values that a move sets. */
export function SetList({ fields, sets, onChange }: SetListProps) {
  const settable = fields.filter(({ type, canSet }) => canSet && firstValue(type) !== undefined);
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.type ?? 'char';
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name;
  const set = (field: string, value: unknown) =>
    onChange(sets.map((each) => (each.field === field ? { field, value } : each)));
  return (
    <>
      {sets.map(({ field, value }) => (
        <div key={field} className="line gap-2">
          <span className="share">{labelOf(field)} =</span>
          <Value label={labelOf(field)} type={typeOf(field)} {...{ value }} onChange={(next) => set(field, next)} />
          <IconButton
            icon="x"
            label={t('Remove {name}', { name: labelOf(field) })}
            onClick={() => onChange(sets.filter((each) => each.field !== field))}
          />
        </div>
      ))}
      <Select
        label={t('Set a field')}
        value=""
        options={[
          ['', ''],
          ...settable
            .filter(({ name }) => !sets.some(({ field }) => field === name))
            .map(({ name, label }) => [name, label] as const),
        ]}
        onChange={(name) => name !== '' && onChange([...sets, { field: name, value: firstValue(typeOf(name)) }])}
      />
    </>
  );
}

/** The value that a new line begins with; undefined: such a field cannot be set. */
function firstValue(name: string): unknown {
  const type = fieldType(name);
  if (type.isDate) return { source: type.isInstant ? 'now' : 'today' };
  if (type.isToOne) return { source: 'user' };
  if (type.isBoolean) return true;
  if (type.isNumber) return 0;
  return type.isShort || type.isChoice ? '' : undefined;
}

interface ValueProps {
  readonly label: string;
  readonly type: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Value({ label, type: name, value, onChange }: ValueProps) {
  const type = fieldType(name);
  if (type.isDate) return <span className="strong">{type.isInstant ? t('Now') : t('Today')}</span>;
  if (type.isToOne) return <span className="strong">{t('The person who does it')}</span>;
  if (type.isBoolean)
    return (
      <select
        className="input"
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(event.target.value === 'true')}
      >
        <option value="true">{t('Yes')}</option>
        <option value="false">{t('No')}</option>
      </select>
    );
  if (type.isNumber) return <NumberInput {...{ label, value, onChange }} />;
  return (
    <input
      className="input"
      aria-label={label}
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
